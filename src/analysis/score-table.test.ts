import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import type { ScoreColumns } from "../measures/calibration/score-columns.js";
import { withDuckDB } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { openAuditTable } from "./audit-table.js";
import { readDecisionScores } from "./decision-scores.js";
import { countArms, EVIDENCE_COLUMNS, readEvidence } from "./gate/evidence.js";
import { readScoreColumns, SCORE_COLUMNS, type ScoreOptions } from "./score-table.js";

const folder = mkdtempSync(join(tmpdir(), "score-table-"));
let files = 0;

function source(content: string, format: AuditSource["format"], own = false): AuditSource {
  const path = join(folder, `${files++}.${format}`);
  writeFileSync(path, content);
  return { path, format, own };
}

const jsonl = (rows: object[], own = false) =>
  source(rows.map((row) => `${JSON.stringify(row)}\n`).join(""), "jsonl", own);

function read(from: AuditSource, options: ScoreOptions = {}): Promise<ScoreColumns> {
  return withDuckDB(async (db) => readScoreColumns(await openAuditTable(db, from, { also: SCORE_COLUMNS }), options));
}

const HEAD = "decision_id,community,decision,level,inverse";

describe("readScoreColumns", () => {
  it("numbers threads by community and name where they are asked for, as readDecisionScores does", async () => {
    const threads = [
      ["alpha", "t1"],
      ["alpha", null],
      ["beta", "t1"],
      ["alpha", "t1"],
      ["beta", "t1"],
      ["beta", " "],
    ];
    const from = jsonl(
      threads.map(([community, thread_id], i) =>
        makeAudit({
          decision_id: `d${i}`,
          community: community!,
          thread_id: thread_id!,
          level_probs: null,
          pds: (i + 1) / 10,
        }),
      ),
    );
    await withDuckDB(async (db) => {
      const table = await openAuditTable(db, from, { also: [...SCORE_COLUMNS, "thread_id"] });
      const { thread } = await readScoreColumns(table, { threads: true });
      const [first, none, second] = thread!;
      expect([...thread!]).toEqual([first, none, second, first, second, none]);
      expect([none, first === second, first! >= 0 && second! >= 0]).toEqual([-1, false, true]);
      const scores = await readDecisionScores(table, ["community"], undefined, { threads: true });
      const inOrder = [...scores.pds.keys()].sort((a, b) => scores.pds[a]! - scores.pds[b]!);
      expect(inOrder.map((i) => scores.thread![i])).toEqual([...thread!]);
    });
    expect((await read(from)).thread).toBeUndefined();
  });

  it("reads the same columns from JSONL, CSV and Parquet", async () => {
    const rows = [
      makeAudit({ decision_id: "a", community: "zeta", inverse: true, decision: "approve" }),
      makeAudit({ decision_id: "b", level: 3, level_probs: [0.1, 0.2, 0.7], level_map: 3, p_defensible: 0.3 }),
    ];
    const lines = jsonl(rows);
    const cell = (value: unknown) =>
      Array.isArray(value) ? `"${JSON.stringify(value)}"` : typeof value === "object" ? "" : String(value);
    const names = Object.keys(rows[0]!).filter((name) => name !== "flags" && name !== "citation_spans");
    const csv = source(
      `\ufeff${names.join(",")}\r\n${rows.map((row) => names.map((name) => cell(row[name])).join(",")).join("\r\n")}\r\n`,
      "csv",
    );
    const parquet = { path: join(folder, "same.parquet"), format: "parquet" as const, own: false };
    await withDuckDB((db) =>
      db.run(`COPY (SELECT * FROM read_json('${lines.path}', format = 'newline_delimited')) TO '${parquet.path}'`),
    );
    const expected = await read(lines);
    expect(expected).toMatchObject({ n: 2, communities: ["alpha", "zeta"] });
    expect([...expected.community]).toEqual([1, 0]);
    expect([...expected.level]).toEqual([1, 3]);
    expect([...expected.inverse]).toEqual([1, 0]);
    expect([...expected.positive]).toEqual([0, 1]);
    expect([...expected.p3]).toEqual([0.03, 0.7]);
    expect([...expected.lambdaNats]).toEqual([Math.log(0.9), Math.log(0.9)]);
    expect([...expected.inverseLogOdds]).toEqual([-2, -2]);
    expect([...expected.temperature]).toEqual([0.2, 0.2]);
    expect(await read(csv)).toEqual(expected);
    expect(await read(parquet)).toEqual(expected);
  });

  it("keeps the order of the file over many chunks", async () => {
    const n = 7001;
    const rows = Array.from({ length: n }, (_, i) => `d${(i * 7919) % n},c${i % 5},remove,1,no,${-(i + 1) / n}`);
    const columns = await read(source(`${HEAD},lambda_nats\n${rows.join("\n")}\n`, "csv"));
    expect(columns.n).toBe(n);
    expect([...columns.lambdaNats]).toEqual(Array.from({ length: n }, (_, i) => -(i + 1) / n));
    expect([...columns.community.subarray(0, 6)]).toEqual([0, 1, 2, 3, 4, 0]);
  });

  it("derives what other columns determine and leaves the rest absent", async () => {
    const csv = `${HEAD},inverse_log_odds,p_defensible,level_probs
a,c,remove,1,no,0,0.25,
b,c,remove,1,no,inf,,"[0.2, 0.2, 0.6]"
c,c,remove,1,no,,,"[0.4, 0.4, 0.2]"
d,c,remove,1,no,,,"[0.4, 0.4]"
e,c,remove,1,no,,,"[0.9, 0.9, 0.9]"
`;
    const columns = await read(source(csv, "csv"));
    expect([...columns.inverseYesProb]).toEqual([0.5, 1, Number.NaN, Number.NaN, Number.NaN]);
    expect([...columns.p3]).toEqual([0.75, 0.6, 0.2, Number.NaN, Number.NaN]);
    expect([...columns.p1]).toEqual([Number.NaN, 0.2, 0.4, Number.NaN, Number.NaN]);
    expect([...columns.pDefensible]).toEqual([0.25, 0.4, 0.8, Number.NaN, Number.NaN]);
    // A tie goes to the more severe level.
    expect([...columns.levelMap]).toEqual([0, 3, 2, 0, 0]);
    expect([...columns.lambdaNats]).toEqual([Number.NaN, Math.log(0.6), Math.log(0.4), Number.NaN, Number.NaN]);
  });

  it("gives ρ from σ(ρ), infinite where a side has no mass", async () => {
    const columns = await read(
      source(`${HEAD},inverse_yes_prob\na,c,remove,1,no,1\nb,c,remove,1,no,0\nc,c,remove,1,no,0.5\n`, "csv"),
    );
    expect([...columns.inverseLogOdds]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]);
  });

  it("takes values that cannot be for absent ones", async () => {
    const columns = await read(
      source(
        `${HEAD},lambda_nats,h_weight_bits,h_citation_bits,temperature,pds\na,c,remove,1,no,0.5,-1,nan,-1,0\nb,c,remove,1,no,x,inf,1,0,1\n`,
        "csv",
      ),
    );
    expect([...columns.lambdaNats, ...columns.weightBits]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    expect([...columns.citationBits, ...columns.temperature]).toEqual([Number.NaN, 1, Number.NaN, 0]);
    expect([...columns.pds]).toEqual([Number.NaN, 1]);
  });

  it("needs no signal column", async () => {
    const columns = await read(source(`${HEAD}\na,c,remove,2,yes\n`, "csv"));
    expect(columns.n).toBe(1);
    for (const column of [columns.p1, columns.lambdaNats, columns.weightBits, columns.pds]) {
      expect([...column]).toEqual([Number.NaN]);
    }
  });

  it("reads verdicts of the main rows only, of another arm when asked, and everything in order with `all`", async () => {
    const none = { level: null, inverse: null, level_probs: null };
    const rows = [
      makeAudit({ decision_id: "a" }),
      makeAudit({ decision_id: "a", arm: "t=0.7", level: 2, temperature: 0.7 }),
      makeAudit({ decision_id: "a", replicate: 1, level: 3 }),
      makeAudit({ decision_id: "b", outcome: "unscored", ...none }),
      makeAudit({ decision_id: "c", outcome: "error", decision: "approve", ...none }),
    ];
    const from = jsonl(rows);
    expect((await read(from)).n).toBe(1);
    expect([...(await read(from, { arm: "t=0.7" })).level]).toEqual([2]);
    const all = await read(from, { all: true });
    expect([...all.level]).toEqual([1, 2, 3, 0, 0]);
    expect([...all.positive]).toEqual([1, 1, 1, 1, 0]);
  });

  it("reads a live run, where a later line of a key counts", async () => {
    const rows = [
      makeAudit({ decision_id: "b" }),
      makeAudit({ decision_id: "a" }),
      makeAudit({ decision_id: "b", level: 3 }),
    ];
    const columns = await read(jsonl(rows, true));
    expect([...columns.level]).toEqual([1, 3]);
  });

  it("is empty where nothing has a verdict", async () => {
    const rows = [makeAudit({ outcome: "unscored", level: null, inverse: null })];
    expect(await read(jsonl(rows))).toMatchObject({ n: 0, communities: [] });
  });

  it("keeps hostile names of communities apart", async () => {
    const names = ["o'neil", 'a"b', "x, y", "\u001b[31mred", "a;b", "名前", "''; DROP TABLE audits; --"];
    const columns = await read(jsonl(names.map((community, i) => makeAudit({ decision_id: `d${i}`, community }))));
    expect([...columns.community].map((index) => columns.communities[index])).toEqual(names);
  });
});

describe("what the audits of a file are of", () => {
  const evidence = (rows: object[]) =>
    withDuckDB(async (db) => {
      const also = [...SCORE_COLUMNS, ...EVIDENCE_COLUMNS];
      return readEvidence(await openAuditTable(db, jsonl(rows), { also }), "f.jsonl");
    });

  it("is read from its columns, null where it does not say", async () => {
    expect(await evidence([makeAudit(), makeAudit({ decision_id: "d2" })])).toEqual({
      auditor: "baseline",
      auditor_version: "1",
      prompt_version: "1",
      template: "guided",
      signal: "logprobs",
      tier: "wiki",
      temperature: 0.2,
      missing: null,
    });
    const bare = { decision_id: "a", community: "c", decision: "remove", level: 1, inverse: false };
    expect(Object.values(await evidence([bare]))).toEqual(Array(8).fill(null));
  });

  it("is refused where it is of several auditors", async () => {
    const mixed = [makeAudit(), makeAudit({ decision_id: "d2", auditor: "openai:gpt-4.1" })];
    await expect(evidence(mixed)).rejects.toThrow("several values of auditor: baseline, openai:gpt-4.1");
  });

  it("may have arms of several temperatures", async () => {
    const rows = [
      makeAudit(),
      makeAudit({ arm: "t=1.0", temperature: 1 }),
      makeAudit({ arm: "t=0.7", temperature: 0.7, outcome: "error", level: null, inverse: null }),
      makeAudit({ arm: "human" }),
    ];
    const arms = await withDuckDB(async (db) =>
      countArms(await openAuditTable(db, jsonl(rows), { also: SCORE_COLUMNS })),
    );
    expect(arms.map(({ arm, temperature, verdicts, errors }) => [arm, temperature, verdicts, errors])).toEqual([
      ["", 0.2, 1, 0],
      ["t=0.7", 0.7, 0, 1],
      ["t=1.0", 1, 1, 0],
    ]);
  });
});
