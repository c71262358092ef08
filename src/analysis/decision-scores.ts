import type { CalibrationResult } from "../core/calibration.js";
import type { GateKey } from "../core/gate.js";
import { SCORE_BINS, type ScoreDetails } from "../measures/report-page.js";
import { type HeldOut, MAIN_ROWS, partOf } from "./audit-cells.js";
import { CELL, type MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { cohortColumns, numberCohorts, sameFields, selectColumns } from "./gate/cohort-columns.js";
import { TARGETS } from "./labels/targets.js";
import { doubles, integers } from "./score-table.js";

const BIN = `least(floor(pds * ${SCORE_BINS}), ${SCORE_BINS - 1})::INTEGER`;
const SCORED = `${MAIN_ROWS} AND cell >= 0 AND pds IS NOT NULL`;

/** How many verdicts of each level have S in each of SCORE_BINS equal parts of [0, 1]; bins without any are left out. */
export async function countScoreBins({ db }: AuditTable): Promise<ScoreDetails["pds_by_level"]> {
  return db.rows(
    `SELECT level::INTEGER AS level, ${BIN} AS bin, count(*)::INTEGER AS n FROM audits WHERE ${SCORED} GROUP BY ALL ORDER BY ALL`,
  );
}

/** The same by the level that table `targets` says: it must have been loaded, and speaks of some of the verdicts. */
export async function countLabelledScoreBins({ db }: AuditTable): Promise<ScoreDetails["pds_by_level"]> {
  return db.rows(
    `SELECT t.level::INTEGER AS level, ${BIN} AS bin, count(*)::INTEGER AS n FROM audits JOIN ${TARGETS} t USING (decision_id)
     WHERE ${SCORED} AND t.level BETWEEN 1 AND 3 GROUP BY ALL ORDER BY ALL`,
  );
}

/** The median of S at each level; a histogram knows only the bin it lies in. */
export async function medianScores({ db }: AuditTable): Promise<ScoreDetails["pds_medians"]> {
  return db.rows(
    `SELECT level::INTEGER AS level, round(median(pds), 9)::DOUBLE AS median FROM audits WHERE ${SCORED} GROUP BY level ORDER BY level`,
  );
}

const ENTROPY = { h_w: "h_weight_bits", h_kappa: "h_citation_bits" } as const;

/** Columns that the table must have been opened with. */
export const PART_COLUMNS = [
  "lambda_nats",
  "h_weight_bits",
  "h_citation_bits",
] as const satisfies readonly MoreColumn[];

/** What the page of a report needs of the table of audits in addition to what a report does. */
export const PAGE_COLUMNS = ["thread_id", "decided_at", ...PART_COLUMNS] as const satisfies readonly MoreColumn[];

/**
 * Means of the three parts of S by level, over the verdicts that have all of them. `fsum` compensates rounding errors, and nine digits hide
 * what is left of them: in which order threads add shows in the last digits alone.
 */
export async function meanScoreParts(
  { db }: AuditTable,
  component: CalibrationResult["component"],
): Promise<ScoreDetails["parts_by_level"]> {
  const entropy = ENTROPY[component];
  const mean = (expression: string) => `round(fsum(${expression}) / count(*), 9)::DOUBLE`;
  return db.rows(
    `SELECT level::INTEGER AS level, count(*)::INTEGER AS n, ${mean("-lambda_nats")} AS label_confidence,
       ${mean(entropy)} AS entropy, ${mean("inverse_yes_prob")} AS inverse_check
     FROM audits WHERE ${MAIN_ROWS} AND cell >= 0 AND isfinite(lambda_nats) AND isfinite(${entropy}) AND isfinite(inverse_yes_prob)
     GROUP BY level ORDER BY level`,
  );
}

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

/** The scores of every verdict, in no order, with its cohort. Without `heldOut`, nothing is held out. */
export async function readDecisionScores(
  table: AuditTable,
  by: readonly GateKey[],
  heldOut?: HeldOut,
): Promise<DecisionScores> {
  const select = selectColumns(cohortColumns(by));
  const relation = `audits WHERE ${MAIN_ROWS} AND cell >= 0`;
  const cohorts = await numberCohorts(table.db, by, { relation, select, into: "score_cohorts" });
  const [count] = await table.db.rows<{ n: number }>(`SELECT count(*)::INTEGER AS n FROM ${relation}`);
  const scores = emptyScores(count?.n ?? 0, cohorts);
  const number = (column: string) => `coalesce(${column}, 'NaN'::DOUBLE) AS ${column}`;
  const result = await table.db.connection.stream(
    `SELECT pds, p_defensible, (number * 8 + (${CELL.level("cell")} = 3)::INTEGER + 2 * (cell < 90)::INTEGER + 4 * held_out)::INTEGER
     FROM (SELECT ${select}, ${number("pds")}, ${number("p_defensible")}, cell, (${heldOut ? partOf(heldOut) : "false"})::INTEGER AS held_out FROM ${relation}) a
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
