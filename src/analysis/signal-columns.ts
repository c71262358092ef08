import type { ScoreColumns } from "../measures/calibration/score-columns.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { doubles, integers, readScoreColumns, SCORE_COLUMNS } from "./score-table.js";
import { UNIT_SPACE } from "./unit-space.js";

/** What a table must have been opened with (`TableOptions.also`) before its signals are read. */
export const SIGNAL_COLUMNS = [
  ...SCORE_COLUMNS,
  "p_calibrated",
  "samples",
  "signal",
  "logprob_space",
  "tier",
] as const satisfies readonly MoreColumn[];

/** The verdicts of one arm as columns, with what they are compared to. */
export interface SignalColumns extends ScoreColumns {
  /** Place of each row in the table. */
  rowId: Int32Array;
  /** 1: person and decider chose the same, 0: they did not, 2: no human label. */
  agrees: Uint8Array;
  pCalibrated: Float64Array;
  /** Draws behind a row in sampling mode; NaN elsewhere. */
  samples: Float64Array;
  /** 1: the level probabilities are those at temperature 1; 0: that is not known, or they are shares of draws. */
  unitSpace: Uint8Array;
}

/** Rows of an arm that have a verdict, first replicate: those that `readScoreColumns` reads, in its order. */
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
    `SELECT row_id::INTEGER, CASE cell // 30 % 3 WHEN 2 THEN 2 WHEN cell // 90 THEN 1 ELSE 0 END::INTEGER,
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

/**
 * Numbers that a relation (decision_id, and `value`) has for the decisions of these rows; NaN where it has none. By row number: a join
 * would not keep the order of the rows.
 */
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
  /** Most verdicts that a decision has. */
  most: number;
  /** Some verdicts are made of several draws (signal `sampling`). */
  sampled: boolean;
}

/** Every arm with a verdict; the plain one first, then temperatures, coldest first, then the others by name. */
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
