import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../core/records/decision.js";
import { decision, failure, jsonLines, tempFolder, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { fileContext } from "../../store/files/stores.js";
import { importInto } from "../import/import-file.suite.js";
import { exportDecisions } from "./export-decisions.js";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.stringMatching(/^['=+\-@\t\r\n", ;{}[\]:0-9a]{0,8}$/),
  fc.constantFrom(
    "",
    '{"body":"x"}',
    "true",
    "007",
    "1e5",
    '"quoted"',
    "'",
    "\u0000",
    "\uFEFFx",
    "a\r\nb",
    "\ud83d",
    "[1]",
  ),
);
const id = text.filter((value) => value !== "");
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const anyDecision: fc.Arbitrary<Decision> = fc.record(
  {
    id,
    community: id,
    content: fc.oneof(
      text,
      fc.record(
        {
          title: text,
          body: text,
          language: text,
          context: fc.array(text, { maxLength: 2 }),
          media: fc.array(fc.jsonValue(), { maxLength: 2 }),
          flair: fc.oneof(text, fc.integer()),
        },
        { requiredKeys: ["body"] },
      ),
    ),
    decision: fc.constantFrom("remove", "approve"),
    human_label: fc.constantFrom("remove", "approve"),
    decider: fc.record(
      {
        kind: fc.constantFrom("model", "human", "rule"),
        id: text,
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      },
      { requiredKeys: ["kind"] },
    ),
    rationale: text,
    decided_at: text,
    appeal: fc.record({ text, outcome: fc.constantFrom("upheld", "pending") }, { requiredKeys: [] }),
    gold: fc.record({
      level: fc.constantFrom(1 as const, 2 as const, 3 as const),
      inverse: fc.boolean(),
      rule_ids: fc.array(text, { maxLength: 2 }),
    }),
    tags: fc.array(text, { maxLength: 3 }),
    score: fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), fc.boolean()),
    "odd.name\\": optional(text),
    nested: fc.dictionary(fc.string(), fc.oneof(text, fc.integer(), fc.array(fc.jsonValue(), { maxLength: 2 })), {
      maxKeys: 3,
    }),
  },
  { requiredKeys: ["id", "community", "content", "decision"] },
) as fc.Arbitrary<Decision>;

/** Puts decisions into a new workspace by way of an import. */
async function workspaceWith(rows: readonly unknown[]) {
  const workspace = tempWorkspace();
  const file = join(workspace.root, "source.jsonl");
  writeFileSync(file, jsonLines(rows));
  const result = await importInto(workspace, [file]);
  expect([result.accepted, result.rejects]).toEqual([rows.length, []]);
  return workspace;
}

describe.each(["jsonl", "csv", "parquet"] as const)("exportDecisions to %s", (format) => {
  it("is undone by an import, whatever the text is", async () => {
    const batches = fc.uniqueArray(anyDecision, {
      minLength: 1,
      // Workspaces cost more than rows.
      maxLength: 40,
      selector: (row) => row.id.toWellFormed(),
    });
    await fc.assert(
      fc.asyncProperty(batches, async (rows) => {
        const workspace = await workspaceWith(rows);
        const out = join(tempFolder(), `x.${format}`);
        expect(await exportDecisions(fileContext(workspace), { format, out })).toBe(rows.length);
        const copy = tempWorkspace();
        const result = await importInto(copy, [out]);
        expect(result.rejects).toEqual([]);
        expect(readFileSync(copy.paths.decisions, "utf8")).toBe(readFileSync(workspace.paths.decisions, "utf8"));
        // And the workspace it came from knows every row.
        expect((await importInto(workspace, [out])).duplicates).toBe(rows.length);
      }),
      { numRuns: format === "parquet" ? 10 : 40 },
    );
  });

  it("writes 5,000 decisions in the order of the workspace", async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => decision(`${n}`, { content: `text ${n}` }));
    const workspace = await workspaceWith(rows);
    const out = join(tempFolder(), `x.${format}`);
    await exportDecisions(fileContext(workspace), { format, out });
    const copy = tempWorkspace();
    await importInto(copy, [out]);
    expect(readFileSync(copy.paths.decisions, "utf8")).toBe(jsonLines(rows));
    expect(readdirSync(dirname(out))).toEqual([`x.${format}`]);
  });

  it("leaves an older file alone when it fails", async () => {
    const workspace = await workspaceWith([decision("1")]);
    writeFileSync(workspace.paths.decisions, `${jsonLines([decision("1")])}oops\n`);
    const out = join(tempFolder(), `x.${format}`);
    writeFileSync(out, "older");
    expect((await failure(() => exportDecisions(fileContext(workspace), { format, out }))).code).toBe("bad_record");
    expect(readFileSync(out, "utf8")).toBe("older");
    expect(readdirSync(dirname(out))).toEqual([`x.${format}`]);
  });

  it("says what is wrong with its target or its workspace", async () => {
    const workspace = await workspaceWith([decision("1")]);
    const nowhere = join(tempFolder(), "no", "x");
    expect((await failure(() => exportDecisions(fileContext(workspace), { format, out: nowhere }))).message).toContain(
      "no such file or folder",
    );
    expect(
      (await failure(() => exportDecisions(fileContext(workspace), { format, out: workspace.paths.decisions }))).code,
    ).toBe("own_file");
    expect((await failure(() => exportDecisions(fileContext(tempWorkspace()), { format, out: nowhere }))).code).toBe(
      "no_decisions",
    );
  });
});

describe("exportDecisions", () => {
  it("writes dotted columns in the order of the format, then others", async () => {
    const workspace = await workspaceWith([
      decision("1", {
        content: { body: "b", flair: 5 },
        tags: ["a"],
        decider: { kind: "model", confidence: 0.5 },
        zoo: { a: -1 },
      }),
      decision("2", { content: "=danger", appeal: {} }),
    ]);
    const out = join(tempFolder(), "x.csv");
    await exportDecisions(fileContext(workspace), { format: "csv", out });
    expect(readFileSync(out, "utf8")).toBe(
      [
        "id,community,content,content.body,decision,decider.kind,decider.confidence,appeal,tags,content.flair,zoo.a",
        '1,garden,,b,remove,model,0.5,,"[""a""]",5,-1',
        "2,garden,'=danger,,remove,,,{},,,",
        "",
      ].join("\n"),
    );
  });

  it("says that Parquet cannot hold two fields that differ in case alone", async () => {
    const workspace = await workspaceWith([{ ...decision("1"), Decision: "x" }]);
    const out = join(tempFolder(), "x.parquet");
    expect((await failure(() => exportDecisions(fileContext(workspace), { format: "parquet", out }))).code).toBe(
      "parquet_columns",
    );
  });
});
