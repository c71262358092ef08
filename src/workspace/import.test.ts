import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acquireLock } from "../ledger/lock.js";
import { importFiles } from "./import.js";
import { all, decision, failure, jsonLines, snapshot, tempFile, tempFolder, tempWorkspace } from "./in-temp-folder.suite.js";
import { readDecisions, readLabels, readPrecedents } from "./records.js";
import { openWorkspace } from "./workspace.js";

const NOW = new Date("2026-01-02T03:04:05Z");

/** Imports a file into a new workspace. */
async function take(name: string, content: string | Uint8Array, options: Parameters<typeof importFiles>[2] = {}) {
  const workspace = tempWorkspace();
  const file = tempFile(name, content);
  const result = await importFiles(workspace, [file], { now: NOW, ...options });
  const { accepted, duplicates, rejected } = result;
  return { workspace, file, result, counts: [accepted, duplicates, rejected], problem: result.files[0]!.problem };
}

describe("importFiles", () => {
  it("appends records in canonical form", async () => {
    const { workspace, counts } = await take("a.jsonl", '{"decision":"REMOVE","id":7,"x":null,"content":"hé","community":"c"}\n');
    expect(counts).toEqual([1, 0, 0]);
    expect(readFileSync(workspace.paths.decisions, "utf8")).toBe('{"id":"7","community":"c","content":"hé","decision":"remove"}\n');
  });

  it("takes a file of one line, with and without its newline, with a BOM and CRLF", async () => {
    const line = JSON.stringify(decision("1"));
    for (const text of [line, `${line}\n`, `\uFEFF${line}\r\n`]) expect((await take("a.jsonl", text)).counts).toEqual([1, 0, 0]);
  });

  it("keeps emoji, right-to-left text, long posts and control characters to the letter", async () => {
    const content = `👩‍👩‍👧 שלום \u202Eabc\u202C \u0000\u0007\u001b[31m\u0085\u2028\ufeff ${"x".repeat(100_000)}`;
    const { workspace, counts } = await take("a.jsonl", jsonLines([decision("1", { content })]));
    expect(counts).toEqual([1, 0, 0]);
    expect((await all(readDecisions(workspace)))[0]!.content).toBe(content);
    // As escapes: a terminal that shows the file must not obey them.
    expect(readFileSync(workspace.paths.decisions, "utf8")).toContain("\\u0000\\u0007\\u001b[31m");
  });

  it("makes a lone surrogate well-formed", async () => {
    const { workspace } = await take("a.jsonl", '{"id":"1","community":"c","content":"a\\ud800b","decision":"remove"}\n');
    expect((await all(readDecisions(workspace)))[0]!.content).toBe("a\uFFFDb");
  });

  it("keeps two snowflake ids apart that a double would not", async () => {
    const rows = ["1234567890123456788", "1234567890123456789"].map(
      (id) => `{"id":${id},"community":"c","content":"x","decision":"remove"}\n`,
    );
    const { workspace, counts } = await take("a.jsonl", rows.join(""));
    expect(counts).toEqual([2, 0, 0]);
    expect((await all(readDecisions(workspace))).map(({ id }) => id)).toEqual(["1234567890123456788", "1234567890123456789"]);
  });

  it("tells a duplicate from different content, also inside one file", async () => {
    const again = { decision: "remove", content: "hello", community: "garden", id: "1", tags: null };
    const { workspace, result, counts } = await take("a.jsonl", jsonLines([decision("1"), again, decision("1", { content: "other" }), decision("2")]));
    expect(counts).toEqual([2, 1, 1]);
    expect(result.rejects).toMatchObject([{ line: 3, field: "id", reason: "different content under an id that is already there" }]);
    const later = await importFiles(workspace, [tempFile("b.jsonl", jsonLines([decision("2", { content: "new" }), decision("3"), decision("2")]))]);
    expect([later.accepted, later.duplicates, later.rejected]).toEqual([1, 1, 1]);
    expect((await all(readDecisions(workspace))).map(({ id, content }) => [id, content])).toEqual([
      ["1", "hello"],
      ["2", "hello"],
      ["3", "hello"],
    ]);
  });

  it("knows labels by decision, source and rater, and precedents by id", async () => {
    const label = { decision_id: "1", level: 1, source: "human", rater: "a" };
    const rows = [label, { ...label, rater: "b" }, { ...label, source: "gold" }, label, { ...label, level: 2 }, { decision_id: "1", level: 1, source: "human" }];
    const labels = await take("l.jsonl", jsonLines(rows), { as: "labels" });
    expect(labels.counts).toEqual([4, 1, 1]);
    expect(await all(readLabels(labels.workspace))).toHaveLength(4);
    const precedents = await take("p.jsonl", jsonLines([{ ...decision("p"), rule_id: 3 }]), { as: "precedents" });
    expect(await all(readPrecedents(precedents.workspace))).toMatchObject([{ id: "p", rule_id: "3" }]);
  });

  it("writes rejected rows to a file, returns the first 20 and counts all by reason", async () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({ ...decision(`${n}`), ...(n > 0 && { decision: n % 2 ? "removelink" : "spam" }) }));
    const { workspace, file, result } = await take("a.jsonl", jsonLines(rows));
    expect(result.rejects).toHaveLength(20);
    expect(result.rejects[0]).toEqual({
      file,
      line: 2,
      field: "decision",
      reason: 'unknown action "removelink"; expected remove or approve; --map-value decision:removelink=<remove|approve>',
      row: rows[1],
    });
    expect(result.reasons.map(({ field, count }) => [field, count])).toEqual([
      ["decision", 25],
      ["decision", 24],
    ]);
    expect(result.files[0]!.rejects_file).toBe("rejects/20260102T030405Z-a.jsonl.jsonl");
    const written = readFileSync(join(workspace.root, result.files[0]!.rejects_file!), "utf8").trimEnd().split("\n");
    expect(written.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 49 }, (_, n) => n + 2));
  });

  it("tells a torn last line and takes the rest", async () => {
    const { counts, result } = await take("a.jsonl", `${jsonLines([decision("1")])}{"id":"2","comm`);
    expect(counts).toEqual([1, 0, 1]);
    expect(result.rejects).toMatchObject([{ line: 2, field: "", reason: expect.stringContaining("the file ends in the middle"), row: '{"id":"2","comm' }]);
  });

  it("says how to convert Latin-1, and takes the rows that are plain ASCII", async () => {
    const { counts, result } = await take("a.csv", Buffer.from("id,community,content,decision\n1,c,caf\xe9,remove\n2,c,tea,remove\n", "latin1"));
    expect(counts).toEqual([1, 0, 1]);
    expect(result.rejects[0]).toMatchObject({ line: 2, reason: expect.stringContaining("iconv") });
  });

  it("rejects ragged CSV rows with their line", async () => {
    const { counts, result } = await take("a.csv", 'id,community,content,decision\n1,c,"a\nb",remove\n2,c,remove\n3,c,x,remove,\n');
    expect(counts).toEqual([1, 0, 2]);
    expect(result.rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [4, "has 3 cells where the header has 4"],
      [5, "has 5 cells where the header has 4"],
    ]);
  });

  it("says once which column every row lacks, with the flag that mends it", async () => {
    const { counts, result, problem, workspace } = await take("log.csv", "post_id,subreddit,text,action\n1,c,x,remove\n2,c,y,approve\n");
    expect(counts).toEqual([0, 0, 2]);
    expect(problem!.message).toMatch(/log\.csv: every row lacks "id" and "community" and "content" and "decision"; columns found: post_id, subreddit, text, action$/);
    expect(problem!.remedy).toContain("--map post_id=id --map subreddit=community --map text=content --map action=decision");
    expect(result.rejects).toEqual([]);
    expect(readdirSync(workspace.paths.rejects)).toEqual([]);
  });

  it("says the same of JSONL, with names inside objects, and of a column nobody can guess", async () => {
    const row = { id: "1", community: "c", decision: "remove", target: { body: "x" }, wtf: 1 };
    const { problem } = await take("a.jsonl", jsonLines([row]));
    expect(problem!.message).toContain('every row lacks "content"; columns found: id, community, decision, target.body, wtf');
    expect(problem!.remedy).toContain("--map target.body=content");
    const unknown = await take("a.csv", "id,content,decision,qqq\n1,x,remove,c\n");
    expect(unknown.problem!.remedy).toContain('--map "<column>=community"');
  });

  it("says that labels are labels", async () => {
    const { problem } = await take("l.csv", "decision_id,level,source\n1,2,human\n");
    expect(problem!.remedy).toContain("--as labels");
    const { problem: noSource } = await take("l.csv", "decision_id,level\n1,2\n", { as: "labels" });
    expect(noSource!.remedy).toContain('Or add a column "source" with human, gold, auditor.');
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
    ["prose.txt", "Once upon a time\nthere was\n", /every row lacks "id" and .*; columns found: Once upon a time$/],
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
    const result = await importFiles(workspace, [folder, join(folder, "none.csv"), good]);
    expect(result.files.map((file) => file.problem?.message ?? null)).toEqual([
      `${folder}: is a folder, not a file`,
      `${join(folder, "none.csv")}: no such file or folder`,
      null,
    ]);
    expect(result.accepted).toBe(1);
  });

  it("changes nothing when the same files come again, rejected rows and all", async () => {
    const workspace = tempWorkspace();
    const rules = tempFile("r.yaml", "# ours\nscope: platform\nversion: 1\nrules: []\n");
    const rows = tempFile("a.jsonl", `${jsonLines([decision("1"), decision("1", { content: "y" }), { ...decision("2"), decision: "?" }])}torn`);
    const first = await importFiles(workspace, [rules, rows], { now: NOW });
    const before = snapshot(workspace.root);
    const again = await importFiles(workspace, [rules, rows]);
    expect(snapshot(workspace.root)).toEqual(before);
    expect([again.accepted, again.duplicates, again.rejected]).toEqual([0, 2, first.rejected]);
    expect(again.files[1]!.rejects_file).toBe(first.files[1]!.rejects_file);
  });

  it("writes nothing at all in a dry run, and counts as it would", async () => {
    const workspace = tempWorkspace();
    const before = snapshot(workspace.root);
    const rules = tempFile("r.yaml", "scope: platform\nversion: 1\nrules: []\n");
    const rows = tempFile("a.jsonl", jsonLines([decision("1"), decision("1"), { ...decision("2"), decision: "?" }]));
    const result = await importFiles(workspace, [rules, rules, rows], { dryRun: true, actions: { positive: "remove", negative: "keep" } });
    expect([result.accepted, result.duplicates, result.rejected]).toEqual([2, 2, 1]);
    expect(snapshot(workspace.root)).toEqual(before);
  });

  it("keeps a whole last row of a hand-written file, and cuts off a torn one", async () => {
    for (const [tail, ids] of [
      [JSON.stringify(decision("2")), ["1", "2", "3"]],
      ['{"id":"2","com', ["1", "3"]],
    ] as const) {
      const workspace = tempWorkspace();
      writeFileSync(workspace.paths.decisions, jsonLines([decision("1")]) + tail);
      await importFiles(workspace, [tempFile("a.jsonl", jsonLines([decision("3")]))]);
      expect((await all(readDecisions(workspace))).map(({ id }) => id)).toEqual(ids);
    }
  });

  it("refuses a second import at the same time, and leaves no lock behind", async () => {
    const workspace = tempWorkspace();
    const file = tempFile("a.jsonl", jsonLines([decision("1")]));
    const unlock = acquireLock(workspace.paths.importLock, "test");
    expect((await failure(() => importFiles(workspace, [file]))).message).toContain("another process is writing");
    expect((await importFiles(workspace, [file], { dryRun: true })).accepted).toBe(1);
    unlock();
    await importFiles(workspace, [file]);
    expect(existsSync(workspace.paths.importLock)).toBe(false);
  });

  it("stops when told to, with what was taken so far in place", async () => {
    const workspace = tempWorkspace();
    const file = tempFile("a.jsonl", jsonLines(Array.from({ length: 1000 }, (_, n) => decision(`${n}`))));
    const abort = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ rows }: { rows: number }) => {
      seen.push(rows);
      abort.abort();
    };
    await expect(importFiles(workspace, [file], { signal: abort.signal, onProgress })).rejects.toThrow(/abort/i);
    expect(existsSync(workspace.paths.importLock)).toBe(false);
    expect((await all(readDecisions(workspace))).length).toBeGreaterThanOrEqual(seen[0]!);
    expect((await importFiles(workspace, [file])).accepted + (await all(readDecisions(workspace))).length).toBeGreaterThanOrEqual(1000);
  });

  it("names the line of the workspace's own file that does not fit", async () => {
    const workspace = tempWorkspace();
    writeFileSync(workspace.paths.decisions, `${jsonLines([decision("1")])}oops\n`);
    const error = await failure(() => importFiles(workspace, [tempFile("a.jsonl", jsonLines([decision("2")]))]));
    expect(error.message).toBe("decisions.jsonl, line 2: is not valid JSON");
  });
});

describe("actions", () => {
  const rows = jsonLines([{ ...decision("1"), decision: "Deny", human_label: "GRANT" }]);
  const actions = { positive: "deny", negative: "grant" };

  it("can be named while there are no decisions, and the configuration keeps its comments", async () => {
    const { workspace, counts } = await take("a.jsonl", rows, { actions });
    expect(counts).toEqual([1, 0, 0]);
    const { config, paths } = openWorkspace(workspace.root);
    expect(config.actions).toEqual(actions);
    expect(readFileSync(paths.config, "utf8")).toContain("# The two actions");
  });

  it("can be named again, but not otherwise, once there are", async () => {
    const { workspace } = await take("a.jsonl", rows, { actions });
    const opened = openWorkspace(workspace.root);
    const file = tempFile("b.jsonl", rows);
    expect((await importFiles(opened, [file], { actions })).duplicates).toBe(1);
    const error = await failure(() => importFiles(opened, [file], { actions: { positive: "remove", negative: "approve" } }));
    expect([error.code, error.message]).toEqual(["actions_fixed", "actions: decisions.jsonl is written in deny/grant; got remove/approve"]);
    expect(error.remedy).toContain("--map-value decision:remove=deny");
  });
});

describe("--map and --map-value", () => {
  it("read a moderation log as it comes, flat or nested", async () => {
    const options = {
      map: ["target.id=id", "subredditName=community", "target.title=content.title", "target.body=content.body", "type=decision", "moderatorName=decider.id"],
      mapValue: ["decision:removelink=remove", "decision:ApproveLink=approve"],
    };
    const csv = "target.id,subredditName,target.title,target.body,type,moderatorName\nt3_1,c,T,B,removelink,\nt3_2,c,T2,,approvelink,\n";
    const rows = [
      { target: { id: "t3_1", title: "T", body: "B" }, subredditName: "c", type: "removelink" },
      { target: { id: "t3_2", title: "T2", body: null }, subredditName: "c", type: "approvelink" },
    ];
    const expected = [
      { id: "t3_1", community: "c", content: { title: "T", body: "B" }, decision: "remove" },
      { id: "t3_2", community: "c", content: { title: "T2", body: "" }, decision: "approve" },
    ];
    const flat = await take("log.csv", csv, options);
    expect(await all(readDecisions(flat.workspace))).toEqual(expected);
    const nested = await take("log.jsonl", jsonLines(rows), options);
    expect(await all(readDecisions(nested.workspace))).toEqual(expected);
    expect(nested.result.unused_maps).toEqual(["moderatorName"]);
    expect(flat.result.unused_maps).toEqual([]);
  });

  it("map numbers, and let a named column win over one that bears the field's name", async () => {
    const row = { id: "1", community: "c", content: "x", decision: "whatever", violation: 1 };
    const options = { map: ["violation=decision"], mapValue: ["decision:1=remove", "decision:0=approve"] };
    const { workspace } = await take("a.jsonl", jsonLines([row]), options);
    expect(await all(readDecisions(workspace))).toEqual([{ id: "1", community: "c", content: "x", decision: "remove" }]);
    const csv = await take("a.csv", "id,community,content,decision,violation\n1,c,x,whatever,0\n", options);
    expect((await all(readDecisions(csv.workspace)))[0]!.decision).toBe("approve");
  });

  it("can swap two columns and put a part beside plain content", async () => {
    const row = { id: "c", community: "1", content: "hola", lang: "es", decision: "remove" };
    const { workspace } = await take("a.jsonl", jsonLines([row]), { map: ["id=community", "community=id", "lang=content.language"] });
    expect(await all(readDecisions(workspace))).toEqual([
      { id: "1", community: "c", content: { body: "hola", language: "es" }, decision: "remove" },
    ]);
  });

  it.each([
    [{ map: ["x"] }, '--map: got "x", expected column=field'],
    [{ map: ["x=desicion"] }, '--map: there is no field "desicion"'],
    [{ map: ["a=id", "b=id"] }, '--map: "a" and "b" are both to be id'],
    [{ mapValue: ["decision=remove"] }, '--map-value: got "decision=remove", expected field:value=value'],
    [{ mapValue: ["desicion:x=remove"] }, '--map-value: there is no field "desicion"'],
    [{ mapValue: ["decision:x=delete"] }, '--map-value: got "delete" for decision, expected remove or approve'],
  ])("refuse %j", async (options, message) => {
    expect((await failure(() => importFiles(tempWorkspace(), [], options))).message).toBe(message);
  });
});

describe("rule sets", () => {
  const yaml = (more = "") => `# Who wrote this\nscope: community\ncommunity: "r/Café & Co"\nversion: 1.10\nrules:\n  - id: 1\n    title: Be kind${more}\n`;

  it("are kept to the letter, under a safe name", async () => {
    const { workspace, counts } = await take("x.yaml", yaml());
    expect(counts).toEqual([1, 0, 0]);
    expect(readdirSync(workspace.paths.rules)).toEqual(["r-cafe-co-1.10.yaml"]);
    expect(readFileSync(join(workspace.paths.rules, "r-cafe-co-1.10.yaml"), "utf8")).toBe(yaml());
  });

  it("are the same in JSON, which is stored as YAML", async () => {
    const set = { rules: [{ title: "Be kind: always", id: "1", detail: "a\nb" }], version: "2", scope: "platform" };
    const { workspace, counts } = await take("x.json", JSON.stringify(set, null, 2));
    expect(counts).toEqual([1, 0, 0]);
    const name = join(workspace.paths.rules, "platform-2.yaml");
    expect(readFileSync(name, "utf8")).toMatch(/^scope: platform\nversion: "2"\nrules:\n {2}- id: "1"\n {4}title: "?Be kind: always/);
    expect((await importFiles(workspace, [name])).duplicates).toBe(1);
    expect((await importFiles(workspace, [tempFile("y.json", JSON.stringify(set))])).duplicates).toBe(1);
  });

  it("with other content under the same identity are rejected", async () => {
    const { workspace } = await take("x.yaml", yaml());
    const result = await importFiles(workspace, [tempFile("y.yaml", yaml(" and honest"))], { now: NOW });
    expect([result.accepted, result.duplicates, result.rejected]).toEqual([0, 0, 1]);
    expect(result.rejects[0]!.reason).toBe(
      "different rules under community r/Café & Co, version 1.10, which is already there (rules/r-cafe-co-1.10.yaml); give it another version",
    );
    expect(result.files[0]!.rejects_file).toBe("rejects/20260102T030405Z-y.yaml.jsonl");
  });

  it("of communities whose names no file system takes get names all the same, each its own", async () => {
    const workspace = tempWorkspace();
    const files = ["حديقة", "公園", "../../etc/passwd", "a/b", "a b"].map((community, n) =>
      tempFile(`${n}.json`, JSON.stringify({ scope: "community", community, version: "1", rules: [] })),
    );
    expect((await importFiles(workspace, files)).accepted).toBe(5);
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
    mkdirSync(join(workspace.root, "in"));
    const result = await importFiles(workspace, [tempFile("r.yaml", yaml()), tempFile("d.jsonl", jsonLines([decision("1")]))]);
    expect(result.files.map(({ kind, accepted }) => [kind, accepted])).toEqual([
      ["rulesets", 1],
      ["decisions", 1],
    ]);
  });
});
