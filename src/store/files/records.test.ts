import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withDuckDB } from "./duckdb.js";
import { all, decision, failure, jsonLines, tempWorkspace } from "./in-temp-folder.suite.js";
import { readDecisions, readLabels, readPrecedents } from "./records.js";

describe("readDecisions", () => {
  const withLines = (text: string | Uint8Array) => {
    const workspace = tempWorkspace();
    writeFileSync(workspace.paths.decisions, text);
    return workspace;
  };

  it("gives nothing where there is nothing", async () => {
    expect(await all(readDecisions(tempWorkspace()))).toEqual([]);
  });

  it("gives rows as they stand, with what the format does not name", async () => {
    const rows = [
      decision("1", { flair: "x" }),
      decision("2", { human_label: null, content: { body: "b", stars: 5 } }),
    ];
    expect(await all(readDecisions(withLines(`\uFEFF${jsonLines(rows).replaceAll("\n", "\r\n\r\n")}`)))).toEqual(rows);
  });

  it.each([
    [{ ...decision("2"), content: { title: "t" } }, "decisions.jsonl, line 2: content.body: is missing; expected text"],
    [{ ...decision("2"), id: 2 }, "decisions.jsonl, line 2: id: got 2, expected text"],
    [
      { ...decision("2"), decision: "Remove" },
      'decisions.jsonl, line 2: decision: got "Remove", expected remove or approve',
    ],
    [
      { ...decision("2"), human_label: "removed" },
      'decisions.jsonl, line 2: human_label: got "removed", expected remove or approve',
    ],
    [
      { ...decision("2"), decider: { kind: "bot" } },
      'decisions.jsonl, line 2: decider.kind: got "bot", expected model or human or rule',
    ],
    [
      { ...decision("2"), gold: { level: 4, inverse: true, rule_ids: [] } },
      "decisions.jsonl, line 2: gold.level: got 4, expected 1 or 2 or 3",
    ],
    [{ ...decision("2"), tags: ["a", 1] }, "decisions.jsonl, line 2: tags.1: got 1, expected text"],
    [decision("1", { content: "other" }), "decisions.jsonl, line 2: has the same id as decisions.jsonl, line 1"],
    [[1], "decisions.jsonl, line 2: is not a JSON object"],
    [decision("a\ud800b"), "decisions.jsonl, line 2: id: has half of a character (a lone surrogate)"],
    [
      decision("2", { community: "\udc00" }),
      "decisions.jsonl, line 2: community: has half of a character (a lone surrogate)",
    ],
  ])("stops at %j and says where and why", async (row, message) => {
    const error = await failure(() => all(readDecisions(withLines(jsonLines([decision("1"), row])))));
    expect(error.message).toBe(message);
    expect(error.remedy).toBeTruthy();
  });

  it("takes whole characters in names, and halves in content, whichever way they are spelled", async () => {
    const rows = [decision("1\ud83d\ude00", { content: "half \ud83d" })];
    const escaped = jsonLines(rows).replace("\ud83d\ude00", "\\ud83d\\ude00");
    expect(escaped).toContain("\\ud83d\\ude00");
    expect(await all(readDecisions(withLines(escaped)))).toEqual(rows);
  });

  it("stops at a line that is not JSON or not UTF-8", async () => {
    expect((await failure(() => all(readDecisions(withLines('{"id"\n'))))).message).toContain(
      "line 1: is not valid JSON",
    );
    const latin = Buffer.from(JSON.stringify(decision("1", { content: "caf\xe9" })), "latin1");
    expect((await failure(() => all(readDecisions(withLines(latin))))).message).toContain("line 1: is not UTF-8 text");
  });

  it("passes over a torn last line and takes a whole one without its newline", async () => {
    const workspace = withLines(jsonLines([decision("1")]));
    appendFileSync(workspace.paths.decisions, JSON.stringify(decision("2")).slice(0, 30));
    expect((await all(readDecisions(workspace))).map(({ id }) => id)).toEqual(["1"]);
    appendFileSync(workspace.paths.decisions, JSON.stringify(decision("2")).slice(30));
    expect((await all(readDecisions(workspace))).map(({ id }) => id)).toEqual(["1", "2"]);
  });

  it("reads Parquet too, first, and tells an id that both files have", async () => {
    const workspace = withLines(jsonLines([decision("2")]));
    await withDuckDB((db) =>
      db.run(`COPY (SELECT 1 AS id, 'c' AS community, 'x' AS content, 'REMOVE' AS decision, NULL::VARCHAR AS human_label)
        TO '${workspace.paths.decisionsParquet}' (FORMAT parquet)`),
    );
    expect(await all(readDecisions(workspace))).toEqual([
      { id: "1", community: "c", content: "x", decision: "remove" },
      decision("2"),
    ]);
    appendFileSync(workspace.paths.decisions, jsonLines([decision("1")]));
    const error = await failure(() => all(readDecisions(workspace)));
    expect(error.message).toBe("decisions.jsonl, line 2: has the same id as decisions.parquet, line 1");
  });

  it("checks and streams 100,000 decisions in less than 1.5 seconds", async () => {
    const row = decision("", {
      human_label: "approve",
      decider: { kind: "model", id: "m", confidence: 0.5 },
      tags: ["a"],
      content: "x".repeat(150),
    });
    const workspace = withLines(
      Array.from({ length: 100_000 }, (_, n) => `${JSON.stringify({ ...row, id: `t${n}` })}\n`).join(""),
    );
    const before = process.cpuUsage();
    let rows = 0;
    for await (const batch of readDecisions(workspace)) rows += batch.length;
    const { user, system } = process.cpuUsage(before);
    expect(rows).toBe(100_000);
    // Time of the processor: that of the clock depends on what else the machine does.
    expect((user + system) / 1e6).toBeLessThan(1.5);
  });
});

describe("readPrecedents and readLabels", () => {
  it("read their files", async () => {
    const workspace = tempWorkspace();
    const precedent = { id: "p", community: "c", content: "x", decision: "approve", rule_id: "R1" };
    const labels = [
      { decision_id: "1", level: 2, source: "human", rater: "a" },
      { decision_id: "1", level: 3, inverse: true, source: "human", rater: "b" },
    ];
    writeFileSync(workspace.paths.precedents, jsonLines([precedent]));
    writeFileSync(workspace.paths.labels, jsonLines(labels));
    expect(await all(readPrecedents(workspace))).toEqual([precedent]);
    expect(await all(readLabels(workspace))).toEqual(labels);
  });

  it("tell a rater who labelled a decision twice", async () => {
    const workspace = tempWorkspace();
    const label = { decision_id: "1", level: 2, source: "human", rater: "a" };
    writeFileSync(workspace.paths.labels, jsonLines([label, { ...label, level: 1 }]));
    const { message } = await failure(() => all(readLabels(workspace)));
    expect(message).toBe(
      "labels.jsonl, line 2: has the same decision_id, source, rater, drawn and frame as labels.jsonl, line 1",
    );
  });
});
