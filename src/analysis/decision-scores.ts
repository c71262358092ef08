import type { GateKey } from "../core/gate.js";
import type { AuditTable } from "./audit-table.js";
import { cohortColumns, numberCohorts, sameFields, selectColumns } from "./cohort-columns.js";
import { MAIN_ROWS } from "./main-rows.js";
import { doubles, integers } from "./score-table.js";

/** Scores of the verdicts as columns, without a row object for any of them. NaN: absent. */
export interface DecisionScores {
  n: number;
  /** S. */
  pds: Float64Array;
  /** 1 − p(L3). */
  pDefensible: Float64Array;
  /** 1: level 3. */
  indefensible: Uint8Array;
  /** 1: the decision restricts. */
  positive: Uint8Array;
  /** 1: the row is of the part that was held out. */
  heldOut: Uint8Array;
  /** Index into `cohorts`. */
  cohort: Int32Array;
  cohorts: string[];
}

/** The scores of every verdict, in no order, with its cohort. `heldOut`: SQL condition on view `audits`, such as `heldOut` makes. */
export async function readDecisionScores(
  table: AuditTable,
  by: readonly GateKey[],
  heldOut = "false",
): Promise<DecisionScores> {
  const select = selectColumns(cohortColumns(by));
  const relation = `audits WHERE ${MAIN_ROWS} AND cell >= 0`;
  const cohorts = await numberCohorts(table.db, by, { relation, select, into: "score_cohorts" });
  const [count] = await table.db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM ${relation}`);
  const scores = emptyScores(count?.n ?? 0, cohorts);
  const number = (column: string) => `coalesce(${column}, 'NaN'::DOUBLE) AS ${column}`;
  const result = await table.db.connection.stream(
    `SELECT pds, p_defensible, (number * 8 + (cell // 10 % 3 = 2)::INTEGER + 2 * (cell < 90)::INTEGER + 4 * held_out)::INTEGER
     FROM (SELECT ${select}, ${number("pds")}, ${number("p_defensible")}, cell, (${heldOut})::INTEGER AS held_out FROM ${relation}) a
     JOIN score_cohorts c ON ${sameFields(by, "a", "c")}`,
  );
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    scores.pds.set(doubles(chunk, 0), at);
    scores.pDefensible.set(doubles(chunk, 1), at);
    const codes = integers(chunk, 2);
    for (let i = 0; i < codes.length; i++, at++) {
      const code = codes[i]!;
      scores.indefensible[at] = code & 1;
      scores.positive[at] = (code >> 1) & 1;
      scores.heldOut[at] = (code >> 2) & 1;
      scores.cohort[at] = code >> 3;
    }
  }
  return scores;
}

function emptyScores(n: number, cohorts: string[]): DecisionScores {
  return {
    n,
    pds: new Float64Array(n),
    pDefensible: new Float64Array(n),
    indefensible: new Uint8Array(n),
    positive: new Uint8Array(n),
    heldOut: new Uint8Array(n),
    cohort: new Int32Array(n),
    cohorts,
  };
}
