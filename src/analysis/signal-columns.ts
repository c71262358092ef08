import type { TokenAgreement } from "../experiments/study/result.js";
import type { ScoreColumns } from "../measures/calibration/score-columns.js";
import { proportion } from "../stats/intervals/proportion.js";
import { type Duck, sqlString, withDuckDB } from "../store/files/duckdb.js";
import type { AuditSource } from "../store/ports.js";
import { CELL, type MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { UNIT_SPACE } from "./replicate-columns.js";
import { doubles, integers, readScoreColumns, SCORE_COLUMNS } from "./score-table.js";

/** Columns a table must have been opened with (`TableOptions.also`) before its signals are read. */
export const SIGNAL_COLUMNS = [
  ...SCORE_COLUMNS,
  "p_calibrated",
  "samples",
  "signal",
  "logprob_space",
  "tier",
] as const satisfies readonly MoreColumn[];

/** The verdicts of one arm as columns, with the values they are compared with. */
export interface SignalColumns extends ScoreColumns {
  /** Index of each row in the table. */
  rowId: Int32Array;
  /** 1: human label and decision agree, 0: they differ, 2: no human label. */
  agrees: Uint8Array;
  pCalibrated: Float64Array;
  /** Draws behind a row in sampling mode; NaN in other modes. */
  samples: Float64Array;
  /** 1: the level probabilities are those at temperature 1; 0: unknown, or they are shares of draws. */
  unitSpace: Uint8Array;
}

/** Rows of an arm with a verdict, first replicate: those that `readScoreColumns` reads, in the same order. */
function rowsOf(arm: string): string {
  return `cell >= 0 AND arm = ${sqlString(arm)} AND replicate = 0`;
}

/** Reads an arm. Rows keep the order of the table. */
export async function readSignalColumns(table: AuditTable, arm: string): Promise<SignalColumns> {
  const columns = await readScoreColumns(table, { arm });
  const { n } = columns;
  const more = {
    rowId: new Int32Array(n),
    agrees: new Uint8Array(n),
    pCalibrated: new Float64Array(n),
    samples: new Float64Array(n),
    unitSpace: new Uint8Array(n),
  };
  const result = await table.db.connection.stream(
    `SELECT row_id::INTEGER, CASE ${CELL.human("cell")} WHEN 2 THEN 2 WHEN cell // 90 THEN 1 ELSE 0 END::INTEGER,
       coalesce(p_calibrated, 'NaN'::DOUBLE), coalesce(samples::DOUBLE, 'NaN'::DOUBLE),
       ${UNIT_SPACE}::INTEGER FROM audits WHERE ${rowsOf(arm)}`,
  );
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    more.rowId.set(integers(chunk, 0), at);
    more.agrees.set(integers(chunk, 1), at);
    more.pCalibrated.set(doubles(chunk, 2), at);
    more.samples.set(doubles(chunk, 3), at);
    more.unitSpace.set(integers(chunk, 4), at);
    at += chunk.rowCount;
  }
  return { ...columns, ...more };
}

/** Values from a relation (decision_id, `value`) for these rows; NaN where absent. By row number, because a join would not keep their order. */
export async function readBeside(
  table: AuditTable,
  { rowId }: Pick<SignalColumns, "rowId">,
  arm: string,
  relation: string,
  value: string,
): Promise<Float64Array> {
  const byRow = new Float64Array((rowId.at(-1) ?? -1) + 1).fill(Number.NaN);
  const result = await table.db.connection.stream(
    `SELECT a.row_id::INTEGER, coalesce((${value})::DOUBLE, 'NaN'::DOUBLE) FROM audits a JOIN ${relation} b USING (decision_id)
     WHERE ${rowsOf(arm)}`,
  );
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const ids = integers(chunk, 0);
    const values = doubles(chunk, 1);
    for (let i = 0; i < ids.length; i++) byRow[ids[i]!] = values[i]!;
  }
  return Float64Array.from(rowId, (row) => byRow[row]!);
}

/** One arm of a table. */
export interface ArmSize {
  arm: string;
  verdicts: number;
  /** Decisions with two or more verdicts. */
  replicated: number;
  /** Largest number of verdicts of a decision. */
  most: number;
  /** Whether some verdicts combine several draws (signal `sampling`). */
  sampled: boolean;
}

/** Every arm with a verdict: the plain one first, then temperatures, coldest first, then the others by name. */
export async function armSizes(table: AuditTable): Promise<ArmSize[]> {
  const rows = await table.db.rows<ArmSize>(
    `SELECT arm, sum(k0)::INTEGER AS verdicts, count(*) FILTER (k >= 2)::INTEGER AS replicated, max(k)::INTEGER AS most,
       bool_or(s) AS sampled FROM (SELECT arm, decision_id, count(*) AS k, count(*) FILTER (replicate = 0) AS k0,
         bool_or(coalesce(signal = 'sampling', false) OR coalesce(samples >= 2, false)) AS s FROM audits WHERE cell >= 0 GROUP BY ALL) GROUP BY arm`,
  );
  const rank = ({ arm }: ArmSize) => (arm === "" ? -1 : /^t=[0-9.]+$/.test(arm) ? Number(arm.slice(2)) : 1e9);
  return rows.sort((a, b) => rank(a) - rank(b) || (a.arm < b.arm ? -1 : 1));
}

/** Makes table `replicate_spread` (decision_id, k, sd of each signal over the replicates of an arm). */
export async function makeReplicateSpread(table: AuditTable, arm: string): Promise<void> {
  const columns = ["pds", "p_defensible", "inverse_yes_prob", "h_weight_bits", "h_citation_bits"];
  await table.db.run(
    `CREATE OR REPLACE TABLE replicate_spread AS SELECT decision_id, count(*) AS k,
       ${columns.map((name) => `stddev_samp(${name}) AS ${name}`).join(", ")}, stddev_samp(exp(lambda_nats)) AS output_confidence
     FROM audits WHERE cell >= 0 AND arm = ${sqlString(arm)} GROUP BY decision_id HAVING count(*) >= 2`,
  );
}

/** Two runs with audits of the same decisions. */
export interface TokenPair {
  tokens: AuditSource;
  columns: AuditSource;
}

const SIGNALS = ["lambda_nats", "h_weight_bits", "h_citation_bits", "inverse_yes_prob", "p_defensible"] as const;

/** Tolerance for signals, which are written with nine digits. */
const TOLERANCE = 1e-6;

type Row = Record<"n" | "outcome" | "level" | "inverse" | "verdicts", number> &
  Record<"defensible_tokens" | "defensible_columns" | "yes_tokens" | "yes_columns" | "missing", number> &
  Record<(typeof SIGNALS)[number], number | null>;

/** Whether audits whose signals were extracted from tokens agree with the same draws given as columns. `of`: decisions in the whole runs. */
export async function tokenAgreement(pairs: readonly TokenPair[], of: number): Promise<TokenAgreement> {
  const rows = await withDuckDB(async (db) => {
    const found: Row[] = [];
    for (const pair of pairs) found.push(await compare(db, pair));
    return found;
  });
  const sum = (name: keyof Row) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  const most = (name: keyof Row) =>
    rows.reduce<number | null>((a, row) => (row[name] === null ? a : Math.max(a ?? 0, row[name])), null);
  const signals = Object.fromEntries(SIGNALS.map((name) => [name, most(name)]));
  const [decisions, verdicts] = [sum("n"), sum("verdicts")];
  const rate = (k: number) => proportion(k, verdicts);
  const same = { same_outcome: sum("outcome"), same_level: sum("level"), same_inverse: sum("inverse") };
  return {
    decisions,
    of,
    ...same,
    signals,
    rates:
      verdicts === 0
        ? []
        : [
            { rate: "DI", tokens: rate(sum("defensible_tokens")), columns: rate(sum("defensible_columns")) },
            { rate: "AI", tokens: rate(sum("yes_tokens")), columns: rate(sum("yes_columns")) },
          ],
    agrees:
      decisions > 0 &&
      Object.values(same).every((count) => count === decisions) &&
      sum("missing") === 0 &&
      Object.values(signals).every((difference) => difference === null || difference <= TOLERANCE),
  };
}

/** Decisions that both have; NULL counts as equal to NULL. */
async function compare(db: Duck, { tokens, columns }: TokenPair): Promise<Row> {
  const read = ({ path }: AuditSource) =>
    `(SELECT * FROM read_parquet(${sqlString(path)}, hive_partitioning = false) WHERE arm = '' AND replicate = 0)`;
  const count = (condition: string) => `count(*) FILTER (${condition})::INTEGER`;
  const differences = SIGNALS.map((name) => `max(abs(t.${name} - c.${name})) AS ${name}`);
  const missing = SIGNALS.map((name) => `(t.${name} IS NULL) <> (c.${name} IS NULL)`).join(" OR ");
  const [row] = await db.rows<Row>(
    `SELECT count(*)::INTEGER AS n, ${count("t.outcome = c.outcome")} AS outcome,
       ${count("t.level IS NOT DISTINCT FROM c.level")} AS level, ${count("t.inverse IS NOT DISTINCT FROM c.inverse")} AS inverse,
       ${count("t.level IS NOT NULL AND c.level IS NOT NULL")} AS verdicts,
       ${count("t.level < 3")} AS defensible_tokens, ${count("c.level < 3")} AS defensible_columns,
       ${count("t.inverse")} AS yes_tokens, ${count("c.inverse")} AS yes_columns, ${count(missing)} AS missing,
       ${differences.join(", ")} FROM ${read(tokens)} t JOIN ${read(columns)} c USING (decision_id)`,
  );
  return row!;
}
