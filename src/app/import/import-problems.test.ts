import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decision, jsonLines, tempFile, tempFolder, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { importInto, take } from "./import-file.suite.js";
import type { ImportResult } from "./import-report.js";

function mapOf({ files }: ImportResult): string[] {
  return files[0]!.guess!.mapping.columns.map(({ column, field }) => `${column}=${field}`);
}

describe("a file that cannot be taken as it is", () => {
  it("says once which columns every row lacks, and guesses which they are", async () => {
    const { counts, result, problem, workspace } = await take(
      "log.csv",
      "post_id,subreddit,text,action\n1,c,x,remove\n2,c,y,approve\n",
    );
    expect(counts).toEqual([0, 0, 2]);
    expect(problem!.message).toMatch(
      /log\.csv: every row lacks "id", "community", "content", "decision"; columns found: post_id, subreddit, text, action$/,
    );
    expect(mapOf(result)).toEqual(["post_id=id", "subreddit=community", "text=content", "action=decision"]);
    expect(result.rejects).toEqual([]);
    expect(existsSync(workspace.paths.rejects)).toBe(false);
  });

  it("says the same of JSONL, with names inside objects, and of a column nobody can guess", async () => {
    const row = { id: "1", community: "c", decision: "remove", target: { body: "x" }, wtf: 1 };
    const { problem, result } = await take("a.jsonl", jsonLines([row]));
    expect(problem!.message).toContain(
      'every row lacks "content"; columns found: id, community, decision, target.body, wtf',
    );
    expect(mapOf(result)).toEqual(["target.body=content"]);
    const unknown = await take("a.csv", "id,content,decision,qqq\n1,x,remove,c\n");
    expect(unknown.result.files[0]!.guess!.missing).toEqual(["community"]);
  });

  it("says that labels are labels", async () => {
    const { result } = await take("l.csv", "decision_id,level,source\n1,2,human\n");
    expect(result.files[0]!.guess!.other_kind).toBe("labels");
    const noSource = await take("l.csv", "decision_id,level\n1,2\n", { as: "labels" });
    expect(noSource.result.files[0]!.guess!.missing).toEqual(["source"]);
  });

  it("rejects rows one by one where only some lack a field", async () => {
    const { counts, problem } = await take("a.jsonl", jsonLines([decision("1"), { ...decision("2"), decision: null }]));
    expect([counts, problem]).toEqual([[1, 0, 1], null]);
  });

  it.each([
    ["empty.jsonl", "", /empty\.jsonl: the file is empty$/],
    ["blank.csv", " \n\r\n ", /nothing but blank space$/],
    ["header.csv", "id,community,content,decision\n", /holds no rows$/],
    ["list.json", "[]", /holds no rows$/],
    ["noise.csv", Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 256)), /is a binary file, not text$/],
    ["sheet.csv", Buffer.from("PK\x03\x04rest"), /is a zip archive or an Excel workbook$/],
    ["packed.jsonl", Buffer.from([0x1f, 0x8b, 8, 0]), /is compressed \(gzip\)$/],
    ["wide.csv", Buffer.from("\uFEFFid,community\n", "utf16le"), /is UTF-16 text$/],
    ["wide.txt", Buffer.from("id,community\n1,2\n", "utf16le"), /is a binary file, not text$/],
    ["torn.parquet", "PAR1xx", /not a readable Parquet file/],
    ["notes.yaml", "hello: world\n", /not a rule set; expected an object with `scope` and `rules`$/],
    ["bad.yaml", "scope: platform\nrules:\n  - id: [\n", /bad\.yaml:\d+:\d+: not valid YAML/],
    ["prose.txt", "Once upon a time\nthere was\n", /every row lacks "id", .*; columns found: Once upon a time$/],
  ])("has a clear sentence for %s", async (name, content, message) => {
    const { problem, counts } = await take(name, content);
    expect(problem!.message).toMatch(message);
    expect(problem!.remedy).toBeTruthy();
    expect(counts[0]).toBe(0);
  });

  it("has a clear sentence for a folder and for nothing, and goes on with the next file", async () => {
    const workspace = tempWorkspace();
    const folder = tempFolder();
    const good = tempFile("a.jsonl", jsonLines([decision("1")]));
    const result = await importInto(workspace, [folder, join(folder, "none.csv"), good]);
    expect(result.files.map((file) => file.problem?.message ?? null)).toEqual([
      `${folder}: is a folder, not a file`,
      `${join(folder, "none.csv")}: no such file or folder`,
      null,
    ]);
    expect(result.accepted).toBe(1);
  });
});
