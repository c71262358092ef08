import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decision, jsonLines, tempFile, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { importInto, NOW, take } from "./import-file.suite.js";

describe("rule sets", () => {
  const yaml = (more = "") =>
    `# Who wrote this\nscope: community\ncommunity: "r/Café & Co"\nversion: 1.10\nrules:\n  - id: 1\n    title: Be kind${more}\n`;

  it("are kept to the letter, under a safe name", async () => {
    const { workspace, counts } = await take("x.yaml", yaml());
    expect(counts).toEqual([1, 0, 0]);
    expect(readdirSync(workspace.paths.rules)).toEqual(["r-cafe-co-1.10.yaml"]);
    expect(readFileSync(join(workspace.paths.rules, "r-cafe-co-1.10.yaml"), "utf8")).toBe(yaml());
  });

  it("above 16 MB are refused in the same words, in YAML and in JSON of either layout", async () => {
    const detail = "x".repeat(1 << 20);
    const rules = Array.from({ length: 17 }, (_, i) => ({ id: `R${i}`, title: "T", detail }));
    const set = { scope: "platform", version: "1", rules };
    const lines = rules.map(({ id }) => `  - {id: ${id}, title: T, detail: ${detail}}`);
    for (const [name, text] of [
      ["x.yaml", `scope: platform\nversion: "1"\nrules:\n${lines.join("\n")}\n`],
      ["x.json", JSON.stringify(set)],
      ["y.json", `${JSON.stringify(set, null, 2)}\n`],
      ["z.json", JSON.stringify({ rules, scope: "platform", version: "1" })],
    ] as const) {
      const { problem, file, counts } = await take(name, text);
      expect([counts, problem?.message], name).toEqual([[0, 0, 0], `${file}: is larger than 16 MB`]);
      expect(problem?.remedy).toBe("Split it into several files.");
    }
  });

  it("are the same in JSON, which is stored as YAML", async () => {
    const set = { rules: [{ title: "Be kind: always", id: "1", detail: "a\nb" }], version: "2", scope: "platform" };
    const { workspace, counts } = await take("x.json", JSON.stringify(set, null, 2));
    expect(counts).toEqual([1, 0, 0]);
    const name = join(workspace.paths.rules, "platform-2.yaml");
    expect(readFileSync(name, "utf8")).toMatch(
      /^scope: platform\nversion: "2"\nrules:\n {2}- id: "1"\n {4}title: "?Be kind: always/,
    );
    expect((await importInto(workspace, [name])).duplicates).toBe(1);
    expect((await importInto(workspace, [tempFile("y.json", JSON.stringify(set))])).duplicates).toBe(1);
  });

  it("with other content under the same identity are rejected", async () => {
    const { workspace } = await take("x.yaml", yaml());
    const result = await importInto(workspace, [tempFile("y.yaml", yaml(" and honest"))], { now: NOW });
    expect([result.accepted, result.duplicates, result.rejected]).toEqual([0, 0, 1]);
    expect(result.rejects[0]!.reason).toBe(
      "different rules under community r/Café & Co, version 1.10, which is already there (rules/r-cafe-co-1.10.yaml); give it another version",
    );
    expect(result.files[0]!.rejects_file).toBe("rejects/20260102T030405Z-y.yaml.jsonl");
  });

  it("without a date next to another version are rejected, for nothing says which is in force", async () => {
    const set = (version: string, from?: string) =>
      tempFile(
        `${version}.json`,
        JSON.stringify({ scope: "platform", version, ...(from ? { effective_from: from } : {}), rules: [] }),
      );
    const workspace = tempWorkspace();
    expect((await importInto(workspace, [set("1"), set("2")])).reasons).toMatchObject([
      {
        field: "effective_from",
        reason: expect.stringMatching(
          /^platform, version 2 has no effective_from next to version 1 \(rules\/platform-1\.yaml\)/,
        ),
      },
    ]);
    expect(await importInto(workspace, [set("2", "2026-01-01")])).toMatchObject({ accepted: 1, rejected: 0 });
    expect((await importInto(workspace, [set("3")])).rejected).toBe(1);
    expect((await importInto(workspace, [set("3", "2026-01-01")])).reasons[0]!.reason).toMatch(
      /version 3 is in force from 2026-01-01 like version 2/,
    );
    expect(readdirSync(workspace.paths.rules)).toHaveLength(2);
  });

  it("are remarked on where they match no decision, once there are decisions", async () => {
    const workspace = tempWorkspace();
    const rules = tempFile("r.yaml", yaml().replace('"r/Café & Co"', "marketplace"));
    expect((await importInto(workspace, [rules])).unused_rules).toEqual([]);
    const taken = await importInto(workspace, [
      tempFile("d.jsonl", jsonLines([{ ...decision("1"), community: "Marketplace" }])),
    ]);
    expect(taken).toMatchObject({
      accepted: 1,
      unused_rules: [{ community: "marketplace", rules: 1, meant: "Marketplace" }],
    });
    const fit = tempFile("e.jsonl", jsonLines([{ ...decision("2"), community: "marketplace" }]));
    expect((await importInto(workspace, [fit])).unused_rules).toEqual([]);
  });

  it("of communities whose names no file system takes get names all the same, each its own", async () => {
    const workspace = tempWorkspace();
    const files = ["حديقة", "公園", "../../etc/passwd", "a/b", "a b"].map((community, n) =>
      tempFile(`${n}.json`, JSON.stringify({ scope: "community", community, version: "1", rules: [] })),
    );
    expect((await importInto(workspace, files)).accepted).toBe(5);
    const names = readdirSync(workspace.paths.rules).sort();
    expect(names).toEqual([
      "a-b-1-2.yaml",
      "a-b-1.yaml",
      expect.stringMatching(/^community-[0-9a-f]{8}-1\.yaml$/),
      expect.stringMatching(/^community-[0-9a-f]{8}-1\.yaml$/),
      "etc-passwd-1.yaml",
    ]);
  });

  it("with a slip are a problem of their file, told with line and column", async () => {
    const { problem } = await take("x.json", '{"scope": "platform",\n "version": "1",\n "rules": [}\n');
    expect(problem!.message).toMatch(/x\.json:3:\d+: not valid YAML/);
    const duplicate = await take("x.yaml", `${yaml()}  - id: 1\n    title: Again\n`);
    expect(duplicate.problem!.message).toMatch(/x\.yaml:8:9: rule 2 \(1\): id: rule id "1" is used twice/);
    expect((await take("x.yaml", yaml().replace("Be kind", '""'))).problem!.message).toContain("title: is empty");
  });

  it("come together with records", async () => {
    const workspace = tempWorkspace();
    const result = await importInto(workspace, [
      tempFile("r.yaml", yaml()),
      tempFile("d.jsonl", jsonLines([decision("1")])),
    ]);
    expect(result.files.map(({ kind, accepted }) => [kind, accepted])).toEqual([
      ["rulesets", 1],
      ["decisions", 1],
    ]);
  });
});
