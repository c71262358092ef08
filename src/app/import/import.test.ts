import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acquireLock } from "../../io/lock.js";
import {
  all,
  decision,
  failure,
  jsonLines,
  snapshot,
  tempFile,
  tempWorkspace,
} from "../../store/files/in-temp-folder.suite.js";
import { readDecisions, readLabels, readPrecedents } from "../../store/files/records.js";
import { importInto, NOW, take } from "./import-file.suite.js";

describe("importFiles", () => {
  it("appends records in canonical form", async () => {
    const { workspace, counts } = await take(
      "a.jsonl",
      '{"decision":"REMOVE","id":7,"x":null,"content":"hé","community":"c"}\n',
    );
    expect(counts).toEqual([1, 0, 0]);
    expect(readFileSync(workspace.paths.decisions, "utf8")).toBe(
      '{"id":"7","community":"c","content":"hé","decision":"remove"}\n',
    );
  });

  it("takes a file of one line, with and without its newline, with a BOM and CRLF", async () => {
    const line = JSON.stringify(decision("1"));
    for (const text of [line, `${line}\n`, `\uFEFF${line}\r\n`])
      expect((await take("a.jsonl", text)).counts).toEqual([1, 0, 0]);
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
    const { workspace } = await take(
      "a.jsonl",
      '{"id":"1","community":"c","content":"a\\ud800b","decision":"remove"}\n',
    );
    expect((await all(readDecisions(workspace)))[0]!.content).toBe("a\uFFFDb");
  });

  it("keeps two snowflake ids apart that a double would not", async () => {
    const rows = ["1234567890123456788", "1234567890123456789"].map(
      (id) => `{"id":${id},"community":"c","content":"x","decision":"remove"}\n`,
    );
    const { workspace, counts } = await take("a.jsonl", rows.join(""));
    expect(counts).toEqual([2, 0, 0]);
    expect((await all(readDecisions(workspace))).map(({ id }) => id)).toEqual([
      "1234567890123456788",
      "1234567890123456789",
    ]);
  });

  it("tells a duplicate from different content, also inside one file", async () => {
    const again = { decision: "remove", content: "hello", community: "garden", id: "1", tags: null };
    const { workspace, result, counts } = await take(
      "a.jsonl",
      jsonLines([decision("1"), again, decision("1", { content: "other" }), decision("2")]),
    );
    expect(counts).toEqual([2, 1, 1]);
    expect(result.rejects).toMatchObject([
      { line: 3, field: "id", reason: "different content under an id that is already there" },
    ]);
    const later = await importInto(workspace, [
      tempFile("b.jsonl", jsonLines([decision("2", { content: "new" }), decision("3"), decision("2")])),
    ]);
    expect([later.accepted, later.duplicates, later.rejected]).toEqual([1, 1, 1]);
    expect((await all(readDecisions(workspace))).map(({ id, content }) => [id, content])).toEqual([
      ["1", "hello"],
      ["2", "hello"],
      ["3", "hello"],
    ]);
  });

  it("takes the design of labels from CSV, and refuses one that cannot be", async () => {
    const text =
      'decision_id,level,source,drawn,inclusion,stratum,frame\n1,2,human,Sheet,0.05,"level 1, inverse No",run-a\n2,2,human,lottery,,,\n3,2,human,random,0,,\n';
    const labels = await take("l.csv", text, { as: "labels" });
    expect(labels.counts).toEqual([1, 0, 2]);
    expect(await all(readLabels(labels.workspace))).toEqual([
      {
        decision_id: "1",
        level: 2,
        source: "human",
        drawn: "sheet",
        inclusion: 0.05,
        stratum: "level 1, inverse No",
        frame: "run-a",
      },
    ]);
  });

  it("keeps one label of a rater for each way the decision was drawn", async () => {
    const label = { decision_id: "1", level: 1, source: "human", rater: "a" };
    const rows = [label, { ...label, drawn: "sheet", frame: "x" }, { ...label, drawn: "sheet", frame: "x", level: 2 }];
    const labels = await take("l.jsonl", jsonLines(rows), { as: "labels" });
    expect(labels.counts).toEqual([2, 0, 1]);
  });

  it("knows labels by decision, source and rater, and precedents by id", async () => {
    const label = { decision_id: "1", level: 1, source: "human", rater: "a" };
    const rows = [
      label,
      { ...label, rater: "b" },
      { ...label, source: "gold" },
      label,
      { ...label, level: 2 },
      { decision_id: "1", level: 1, source: "human" },
    ];
    const labels = await take("l.jsonl", jsonLines(rows), { as: "labels" });
    expect(labels.counts).toEqual([4, 1, 1]);
    expect(await all(readLabels(labels.workspace))).toHaveLength(4);
    const precedents = await take("p.jsonl", jsonLines([{ ...decision("p"), rule_id: 3 }]), { as: "precedents" });
    expect(await all(readPrecedents(precedents.workspace))).toMatchObject([{ id: "p", rule_id: "3" }]);
  });

  it("writes rejected rows to a file, returns the first 20 and counts all by reason", async () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({
      ...decision(`${n}`),
      ...(n > 0 && { decision: n % 2 ? "removelink" : "spam" }),
    }));
    const { workspace, file, result } = await take("a.jsonl", jsonLines(rows));
    expect(result.rejects).toHaveLength(20);
    expect(result.rejects[0]).toEqual({
      file,
      line: 2,
      field: "decision",
      reason:
        'unknown action "removelink"; expected remove or approve; --map-value decision:removelink=remove, or =approve',
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
    expect(result.rejects).toMatchObject([
      { line: 2, field: "", reason: expect.stringContaining("the file ends in the middle"), row: '{"id":"2","comm' },
    ]);
  });

  it("says how to convert Latin-1, and takes the rows that are plain ASCII", async () => {
    const { counts, result } = await take(
      "a.csv",
      Buffer.from("id,community,content,decision\n1,c,caf\xe9,remove\n2,c,tea,remove\n", "latin1"),
    );
    expect(counts).toEqual([1, 0, 1]);
    expect(result.rejects[0]).toMatchObject({ line: 2, reason: expect.stringContaining("iconv") });
  });

  it("rejects ragged CSV rows with their line", async () => {
    const { counts, result } = await take(
      "a.csv",
      'id,community,content,decision\n1,c,"a\nb",remove\n2,c,remove\n3,c,x,remove,\n',
    );
    expect(counts).toEqual([1, 0, 2]);
    expect(result.rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [4, "has 3 cells where the header has 4"],
      [5, "has 5 cells where the header has 4"],
    ]);
  });

  it("changes nothing when the same files come again, rejected rows and all", async () => {
    const workspace = tempWorkspace();
    const rules = tempFile("r.yaml", "# ours\nscope: platform\nversion: 1\nrules: []\n");
    const rows = tempFile(
      "a.jsonl",
      `${jsonLines([decision("1"), decision("1", { content: "y" }), { ...decision("2"), decision: "?" }])}torn`,
    );
    const first = await importInto(workspace, [rules, rows], { now: NOW });
    const before = snapshot(workspace.root);
    const again = await importInto(workspace, [rules, rows]);
    expect(snapshot(workspace.root)).toEqual(before);
    expect([again.accepted, again.duplicates, again.rejected]).toEqual([0, 2, first.rejected]);
    expect(again.files[1]!.rejects_file).toBe(first.files[1]!.rejects_file);
  });

  it("writes nothing at all in a dry run, and counts as it would", async () => {
    const workspace = tempWorkspace();
    const before = snapshot(workspace.root);
    const rules = tempFile("r.yaml", "scope: platform\nversion: 1\nrules: []\n");
    const rows = tempFile("a.jsonl", jsonLines([decision("1"), decision("1"), { ...decision("2"), decision: "?" }]));
    const result = await importInto(workspace, [rules, rules, rows], {
      dryRun: true,
      actions: { positive: "remove", negative: "keep" },
    });
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
      await importInto(workspace, [tempFile("a.jsonl", jsonLines([decision("3")]))]);
      expect((await all(readDecisions(workspace))).map(({ id }) => id)).toEqual(ids);
    }
  });

  it("refuses a second import at the same time, and leaves no lock behind", async () => {
    const workspace = tempWorkspace();
    const file = tempFile("a.jsonl", jsonLines([decision("1")]));
    const unlock = acquireLock(workspace.paths.importLock, "test");
    expect((await failure(() => importInto(workspace, [file]))).message).toContain("another process is writing");
    expect((await importInto(workspace, [file], { dryRun: true })).accepted).toBe(1);
    unlock();
    await importInto(workspace, [file]);
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
    await expect(importInto(workspace, [file], { signal: abort.signal, onProgress })).rejects.toThrow(/abort/i);
    expect(existsSync(workspace.paths.importLock)).toBe(false);
    expect((await all(readDecisions(workspace))).length).toBeGreaterThanOrEqual(seen[0]!);
    expect(
      (await importInto(workspace, [file])).accepted + (await all(readDecisions(workspace))).length,
    ).toBeGreaterThanOrEqual(1000);
  });

  it("names the line of the workspace's own file that does not fit", async () => {
    const workspace = tempWorkspace();
    writeFileSync(workspace.paths.decisions, `${jsonLines([decision("1")])}oops\n`);
    const error = await failure(() => importInto(workspace, [tempFile("a.jsonl", jsonLines([decision("2")]))]));
    expect(error.message).toBe("decisions.jsonl, line 2: is not valid JSON");
  });
});
