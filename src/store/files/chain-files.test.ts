import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { checkSeal, seal } from "../../app/evidence/seal.js";
import type { Audit } from "../../core/records/audit.js";
import { all, jsonLines, tempWorkspace } from "./in-temp-folder.suite.js";
import { AUDIT_COLUMNS, writeParquet } from "./seal.js";
import { fileContext } from "./stores.js";

const citation = { scope: "community", rule_id: "R12", overlap: 0.75, grounded: true } as const;
/** An audit with something in every column. */
const FULL = makeAudit({
  ...{ error: { code: "refused", message: "It would not." }, thread_id: "t-1", decided_at: "2026-01-01", samples: 20 },
  ...{ missing: "floor", h_citation_sampled_bits: 0.25, p_calibrated: 0.5, calibration_id: "c-1", se: { pds: 0.5 } },
  trace: { ...makeAudit().trace, inverse_citation: "rule P1", level3_reason: "no_rule" },
  ...{ citation_spans: [["policy", 0.5]], sensitivity: { floor: 0.5 }, citation, inverse_citation: citation },
  prompt: { precedents_used: ["p-1"], precedents_left_out: 1, content_cut: 12, scrubbed: { MAIL1: "a@b.example" } },
  ...{ read: { content: "abc", rules: "def", precedents: "ghi" }, usage: usage() },
});

function usage() {
  return { input_tokens: 10, cached_input_tokens: 2, output_tokens: 5, cost_usd: 0.5 };
}

type Path = readonly (string | number)[];

/** Every value inside a value that has no parts. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return value === null ? [] : [path];
  return Object.entries(value).flatMap(([key, one]) =>
    leaves(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((at, key) => (at as Record<string | number, unknown>)[key], value);

/** What a value may be changed to: another first, middle or last character; the next number; the opposite. */
function changes(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1];
  const text = String(value);
  const at = [...new Set([0, text.length >> 1, text.length - 1])].filter((i) => i >= 0);
  return at.map((i) => `${text.slice(0, i)}${text[i] === "x" ? "y" : "x"}${text.slice(i + 1)}`);
}

function changed(audit: Audit, path: Path, value: unknown): Audit {
  const copy = structuredClone(audit);
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  parent[path.at(-1)!] = value;
  return copy;
}

describe("the chain of a workspace", () => {
  it("finds a change of any value in the Parquet file of a run", async () => {
    expect(Object.keys(AUDIT_COLUMNS).filter((name) => FULL[name] === null || FULL[name] === undefined)).toEqual([]);
    const workspace = tempWorkspace();
    const context = fileContext(workspace);
    const every = leaves(FULL).flatMap((path) => changes(valueAt(FULL, path)).map((value) => ({ path, value })));
    expect(every.length).toBeGreaterThan(150);
    const audits = every.map((_, i) => ({ ...FULL, decision_id: `d${String(i).padStart(4, "0")}` }));
    const writer = await context.runs.create(makeManifest());
    await writer.append(audits);
    await writer.seal("2026-01-01T01:00:00.000Z");
    await writer.close();
    await seal(context, null);
    expect((await checkSeal(context, { trusted: null, kept: null })).problems).toEqual([]);

    const { run_id } = makeManifest();
    const rows = (await all(context.runs.audits(run_id))).map((row, i) =>
      changed(row, every[i]!.path, every[i]!.value),
    );
    const path = join(workspace.paths.runs, run_id, "audits.parquet");
    await writeParquet(path, rows.length, (sorted) => writeFileSync(sorted, jsonLines(rows)));
    const { problems } = await checkSeal(context, { trusted: null, kept: null });
    const found = new Set(problems.flatMap((one) => ("n" in one && one.code === "changed" ? [one.n] : [])));
    expect(every.filter((_, n) => !found.has(n)).map((one) => one.path.join("."))).toEqual([]);
  });

  it("finds a change of any byte, and a tail that was cut off, of its logs", async () => {
    const workspace = tempWorkspace();
    const context = fileContext(workspace);
    const at = "2026-01-03T00:00:00Z";
    const log = context.routes.openLog();
    await log.append(
      jsonLines([1, 2].map((n) => ({ decision_id: `d${n}`, route: "review", reasons: ["closed"], at }))),
    );
    await log.close();
    await context.gate.close({ since: at, reason: "a test" }, "ann");
    await context.gate.open(at, { actor: "ann", reason: "done" });
    await context.routes.addOutcomes([
      { decision_id: "d1", outcome: "uphold", at },
      { decision_id: "d2", outcome: "overturn", at },
    ]);
    await context.records.addDecisions(
      [1, 2].map((n) => ({ id: `d${n}`, community: "g", content: "c", decision: "remove" })),
    );
    await context.erasure.erase(["d1", "d2"], { at, by: "ann", reason: "asked" });
    await seal(context, null);
    const check = async () => (await checkSeal(context, { trusted: null, kept: null })).problems;
    expect(await check()).toEqual([]);
    const logs = {
      ...{ routes: join(workspace.paths.gate, "routes.jsonl"), gate: join(workspace.paths.gate, "history.jsonl") },
      ...{ outcomes: workspace.paths.outcomes, erasures: join(workspace.paths.chain, "erasures.jsonl") },
    };
    for (const [source, path] of Object.entries(logs)) {
      const removed = { code: "removed", source, n: 1, where: `${relative(workspace.root, path)}:2` };
      const text = readFileSync(path, "utf8");
      for (const token of text.matchAll(/[^"{}[\],:\n]+/g)) {
        for (const i of new Set([0, token[0].length >> 1, token[0].length - 1])) {
          const byte = token.index + i;
          writeFileSync(path, `${text.slice(0, byte)}${text[byte] === "x" ? "y" : "x"}${text.slice(byte + 1)}`);
          expect(await check(), `${source}, byte ${byte}`).toMatchObject([{ code: "changed", source }]);
        }
      }
      const second = text.indexOf("\n") + 1;
      writeFileSync(path, text.slice(0, second));
      expect(await check(), source).toEqual([removed]);
      writeFileSync(path, text.slice(0, -4));
      expect(await check(), source).toEqual([removed]);
      writeFileSync(path, text.slice(second) + text.slice(0, second));
      expect(
        (await check()).map(({ code }) => code),
        source,
      ).toContain("reordered");
      writeFileSync(path, text.slice(0, second) + text);
      expect(
        (await check()).map(({ code }) => code),
        source,
      ).toContain("added");
      writeFileSync(path, text);
    }
  });
});
