import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeAudit } from "../../test/support/make-audit.js";
import { CELLS, cellIndex } from "../measures/metrics/tally.js";
import { withDuckDB } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { CELL, cellWith } from "./audit-select.js";
import { type AuditTable, openAuditTable } from "./audit-table.js";
import { countSignals, flagCounts, humanPairs, weightsByLevel } from "./signal-counts.js";
import { countCells, groupCells, tallyByRule } from "./tallies.js";

const folder = mkdtempSync(join(tmpdir(), "audit-table-"));
let files = 0;

function source(content: string | Uint8Array, format: AuditSource["format"], own = false): AuditSource {
  const path = join(folder, `${files++}.${format}`);
  writeFileSync(path, content);
  return { path, format, own };
}

const jsonl = (rows: object[], own = false) =>
  source(rows.map((row) => `${JSON.stringify(row)}\n`).join(""), "jsonl", own);

function load<T>(
  from: AuditSource,
  work: (table: AuditTable) => Promise<T>,
  actions?: AuditTable["actions"],
): Promise<T> {
  return withDuckDB(async (db) => work(await openAuditTable(db, from, { actions })));
}

const counts = (from: AuditSource) =>
  load(from, async (table) => {
    const tallies = await allTallies(table);
    return {
      verdicts: tallies.reduce((sum, tally) => sum + tally.cells.reduce((a, b) => a + b, 0), 0),
      unscored: tallies.reduce((sum, tally) => sum + tally.unscored, 0),
      errors: tallies.reduce((sum, tally) => sum + tally.errors, 0),
    };
  });

async function allTallies(table: AuditTable) {
  return groupCells(await countCells(table), () => [""])[0]?.tallies ?? [];
}

const HEAD = "decision_id,community,decision,level,inverse\n";

describe("a foreign audits file", () => {
  it("needs five columns and no more, and takes every spelling of the inverse", async () => {
    const rows = ["true", "False", "Yes", "no", "1", "0"].map(
      (inverse, i) => `d${i},c,remove,${1 + (i % 3)},${inverse}`,
    );
    expect(await counts(source(HEAD + rows.join("\n"), "csv"))).toEqual({ verdicts: 6, unscored: 0, errors: 0 });
  });

  it("gives P(defensible) where the file has the levels' probabilities alone", async () => {
    const mean = async (from: AuditSource) =>
      (await load(from, countSignals)).means.p_defensible.map((one) => ({ n: one.n, mean: one.mean }));
    const base = { community: "c", decision: "remove", level: 1, inverse: false };
    const probs = [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [1, 2], null, [0, 0, 0], [-1, 1, 1]];
    const rows = probs.map((level_probs, i) => ({ ...base, decision_id: `d${i}`, level_probs }));
    expect(await mean(jsonl(rows))).toMatchObject([{ n: 2, mean: 0.625 }]);
    const cells = rows.map(
      (row, i) => `d${i},c,remove,1,no,"${row.level_probs ? JSON.stringify(row.level_probs) : ""}"`,
    );
    expect(await mean(source(`${HEAD.trim()},level_probs\n${cells.join("\n")}\n`, "csv"))).toMatchObject([
      { n: 2, mean: 0.625 },
    ]);
    // What the file says itself goes before.
    expect(await mean(jsonl(rows.map((row) => ({ ...row, p_defensible: 0.5 }))))).toMatchObject([{ n: 6, mean: 0.5 }]);
  });

  it("counts what is out of range as unscored and never as a verdict", async () => {
    const bad = ["4,Yes", "0,Yes", "x,Yes", "1.5,Yes", ",Yes", "2,maybe", "2,"];
    expect(await counts(source(HEAD + bad.map((b, i) => `d${i},c,remove,${b}`).join("\n"), "csv"))).toMatchObject({
      unscored: 7,
      verdicts: 0,
    });
    expect(await counts(source(`${HEAD}d,c,remove,2.0,Yes\n`, "csv"))).toMatchObject({ verdicts: 1 });
  });

  it("takes only what is a probability for one, and no level that is not whole, in every format", async () => {
    const rows = [
      { decision_id: "a", community: "c", decision: "remove", level: 2.5, inverse: true, p_defensible: 7 },
      { decision_id: "b", community: "c", decision: "remove", level: 2, inverse: true, p_defensible: "NaN" },
      { decision_id: "d", community: "c", decision: "remove", level: 2, inverse: true, p_defensible: 0.5 },
      { decision_id: "e", community: "c", decision: "remove", level: 2, inverse: true, p_defensible: "inf" },
    ];
    const csv = `${Object.keys(rows[0]!).join(",")}\n${rows.map((row) => Object.values(row).join(",")).join("\n")}\n`;
    for (const from of [jsonl(rows), source(csv, "csv")]) {
      expect(await counts(from)).toEqual({ verdicts: 3, unscored: 1, errors: 0 });
      const { means } = await load(from, countSignals);
      expect(means.p_defensible).toMatchObject([{ n: 1, mean: 0.5 }]);
    }
  });

  it("is refused when it has nothing but arms or later replicates", async () => {
    const text = "decision_id,community,decision,level,inverse,replicate\nd,c,remove,1,Yes,1\n";
    await expect(counts(source(text, "csv"))).rejects.toThrow(/empty arm and replicate 0/);
  });

  it("may have a BOM, CRLF, other columns, quoted newlines, semicolons, and ids that look like dates or formulas", async () => {
    const text = `\ufeff"extra",decision_id,community,decision,level,inverse\r\n"a\r\nb",2024-01-01,"c, d",remove,1,Yes\r\n,'=1+1,"say ""hi""",approve,2,No\r\n`;
    await load(source(text, "csv"), async ({ db }) => {
      const rows = await db.rows("SELECT decision_id, community FROM audits ORDER BY decision_id");
      expect(rows).toEqual([
        { decision_id: "2024-01-01", community: "c, d" },
        { decision_id: "=1+1", community: 'say "hi"' },
      ]);
    });
    expect(await counts(source(`${HEAD.replaceAll(",", ";")}d;c;remove;1;Yes\n`, "csv"))).toMatchObject({
      verdicts: 1,
    });
  });

  it("is refused with the reason when it is empty, has no rows, wrong columns, empty fields or other actions", async () => {
    await expect(counts(source("", "csv"))).rejects.toThrow(/audits:/);
    await expect(counts(source("", "jsonl"))).rejects.toThrow(/has no rows/);
    await expect(counts(source(HEAD, "csv"))).rejects.toThrow(/has no rows/);
    await expect(counts(source("id,verdict\na,1\n", "csv"))).rejects.toThrow(
      /lacks decision_id, community, decision, level, inverse; got id, verdict/,
    );
    await expect(counts(source(`${HEAD}d,,remove,1,Yes\n`, "csv"))).rejects.toThrow(/1 row with an empty community/);
    await expect(counts(source(`${HEAD}d,c,deny,1,Yes\n`, "csv"))).rejects.toThrow(
      /"deny"; expected "remove" and "approve"/,
    );
    await expect(counts({ path: join(folder, "absent.csv"), format: "csv", own: false })).rejects.toThrow(/no file/);
    await expect(counts(source("PAR1 but not really", "parquet"))).rejects.toThrow(/cannot be read as parquet/);
  });

  it("takes other actions when they are named", async () => {
    const cells = await load(
      source(`${HEAD}d,c,deny,1,Yes\n`, "csv"),
      async (table) => (await allTallies(table))[0]!.cells,
      { positive: "deny", negative: "grant" },
    );
    expect(cells[cellIndex({ positive: true, humanPositive: null, level: 1, inverse: true, scope: "unknown" })]).toBe(
      1,
    );
  });

  it("is refused when a key is repeated, naming the first five", async () => {
    const rows = Array.from({ length: 16 }, (_, i) => `d${i >> 1},c,remove,1,Yes`).join("\n");
    await expect(counts(source(HEAD + rows, "csv"))).rejects.toThrow(
      /d0 \(2×\), d1 \(2×\), d2 \(2×\), d3 \(2×\), d4 \(2×\)$/,
    );
    const replicates = `decision_id,community,decision,level,inverse,replicate\nd,c,remove,1,Yes,0\nd,c,remove,1,Yes,1\n`;
    expect(await counts(source(replicates, "csv"))).toMatchObject({ verdicts: 1 });
  });

  it("is told with its line when it is broken", async () => {
    await expect(counts(source('{"decision_id":"a"}\nnot json\n', "jsonl"))).rejects.toThrow(
      /line 2: not a JSON object/,
    );
    const ragged = `${HEAD}d1,c,remove,1,Yes\nd2,c,remove,1,Yes,too,many\n`;
    await expect(counts(source(ragged, "csv"))).rejects.toThrow(/audits: .*csv/);
  });

  it("passes over a torn last line of a live file", async () => {
    const row = JSON.stringify({ decision_id: "d", community: "c", decision: "remove", level: 1, inverse: true });
    expect(await counts(source(`${row}\n{"decision_id":"to`, "jsonl"))).toMatchObject({ verdicts: 1 });
    expect(await counts(source(row, "jsonl"))).toMatchObject({ verdicts: 1 });
  });
});

describe("tallies", () => {
  it("put every kind of verdict into the cell that cellIndex names", async () => {
    const rows = CELLS.map((cell, i) =>
      makeAudit({
        decision_id: `d${i}`,
        decision: cell.positive ? "remove" : "approve",
        human_label: cell.humanPositive === null ? null : cell.humanPositive ? "remove" : "approve",
        level: cell.level,
        inverse: cell.inverse,
        citation: cell.scope === "unknown" ? null : { scope: cell.scope, rule_id: "R1", overlap: 1, grounded: true },
      }),
    );
    const cells = await load(jsonl(rows), async (table) => (await allTallies(table))[0]!.cells);
    expect([...cells]).toEqual(CELLS.map(() => 1));
  });

  it("name level, inverse and human label of every cell in SQL as its index does", async () => {
    const rows = await withDuckDB((db) =>
      db.rows(
        `SELECT ${CELL.level("i")}::INTEGER AS level, ${CELL.inverse("i")} AS inverse, ${CELL.human("i")}::INTEGER AS human,
           ${CELL.kind("i")}::INTEGER AS kind, ${cellWith("i", { level: CELL.level("i"), inverse: CELL.inverse("i") })}::INTEGER AS same
         FROM range(${CELLS.length}) cells(i) ORDER BY i`,
      ),
    );
    const human = (label: boolean | null) => (label === null ? 2 : label ? 0 : 1);
    expect(rows).toEqual(
      CELLS.map((cell) => ({
        level: cell.level,
        inverse: cell.inverse,
        human: human(cell.humanPositive),
        kind: (cell.level - 1) * 2 + (cell.inverse ? 0 : 1),
        same: cellIndex({ ...cell, scope: "unknown" }),
      })),
    );
  });

  it("use arm '' and replicate 0 only, and the newest row of a key in a run of ours", async () => {
    const rows = [
      makeAudit({ outcome: "error", level: null, inverse: null }),
      makeAudit({ level: 3 }),
      makeAudit({ arm: "human" }),
      makeAudit({ replicate: 1 }),
    ];
    expect(await counts(jsonl(rows, true))).toEqual({ verdicts: 1, unscored: 0, errors: 0 });
  });

  it("count signals, weights, flags and pairs with humans alike from JSONL, CSV and Parquet", async () => {
    const rows = [
      makeAudit({ flags: ["uncalibrated", "tie"] }),
      makeAudit({
        decision_id: "d2",
        human_label: "approve",
        level: 3,
        level_map: 2,
        p_defensible: null,
        flags: ["no_signal"],
      }),
      makeAudit({ decision_id: "d2", arm: "human", decision: "approve", human_label: "approve", level: 1 }),
    ];
    const summary = async (table: AuditTable) => ({
      flags: await flagCounts(table),
      weights: await weightsByLevel(table),
      ...(await countSignals(table)),
      pairs: await humanPairs(table),
      rules: (await tallyByRule(table)).map((group) => group.key),
    });
    const fromJsonl = await load(jsonl(rows), summary);
    expect(fromJsonl.flags).toEqual({ no_signal: 1, tie: 1, uncalibrated: 1 });
    expect(fromJsonl.pairs).toEqual([{ cluster: "alpha", both: 1, modelOnly: 0, humanOnly: 1, neither: 0 }]);
    expect(fromJsonl.shares.level).toEqual([{ cluster: "alpha", k: 1, n: 2 }]);
    expect(fromJsonl.shares.level3_high).toEqual([{ cluster: "alpha", k: 1, n: 1 }]);
    expect(fromJsonl.rules).toEqual([["community", "alpha", "R1"]]);
    const from = jsonl(rows);
    const parquet = { ...from, path: from.path.replace(".jsonl", ".parquet"), format: "parquet" as const };
    const csv = { ...from, path: from.path.replace(".jsonl", ".csv"), format: "csv" as const };
    await withDuckDB(async (db) => {
      await db.run(`COPY (SELECT * FROM read_json('${from.path}')) TO '${parquet.path}' (FORMAT parquet)`);
      await db.run(
        `COPY (SELECT * EXCLUDE (trace, citation, flags), citation.scope AS "citation.scope", citation.rule_id AS "citation.rule_id",
           citation.grounded AS "citation.grounded", trace.precedent_weight AS "trace.precedent_weight", to_json(flags) AS flags
         FROM read_json('${from.path}')) TO '${csv.path}' (FORMAT csv)`,
      );
    });
    expect(await load(parquet, summary)).toEqual(fromJsonl);
    expect(await load(csv, summary)).toEqual(fromJsonl);
  });
});
