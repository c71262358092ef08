import type { Tally } from "../measures/metrics/tally.js";
import { sqlString } from "../store/files/audit-columns.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";
import { groupCells } from "./tallies.js";
import { TRUE_VERDICTS } from "./true-verdicts.js";

/** Labelled disagreements by what the auditor and the truth call their cause. */
export interface CauseCount {
  audited: string;
  true: string;
  n: number;
}

export interface GapCells {
  /** Verdicts of the auditor by community. */
  tallies: Tally[];
  /** Those of them whose truth is known, by the auditor; empty where nothing is known to be true. */
  matched: Tally[];
  /** The same verdicts as `matched` with the true level and inverse in place of the auditor's. */
  truth: Tally[];
  causes: CauseCount[];
}

export interface GapRows {
  /** Only the members of this cohort; table `cohorts` (cohort, decision_id) must be there. */
  cohort?: string;
  /** Table `true_verdicts` must be there. */
  truth?: boolean;
}

/** Why decider and human differ, by level and inverse: the rule of `rootCause` in SQL. */
function causeOf(level: string, inverse: string): string {
  return `CASE WHEN ${level} = 3 THEN 'model_error' WHEN ${inverse} THEN 'policy_ambiguity' ELSE 'implicit_norm' END`;
}

/** Counts everything the gap table needs, in one pass, and beside it what the truth would give. */
export async function countGapCells(table: AuditTable, { cohort, truth = false }: GapRows = {}): Promise<GapCells> {
  const members =
    cohort === undefined
      ? ""
      : `AND decision_id IN (SELECT decision_id FROM cohorts WHERE cohort = ${sqlString(cohort)})`;
  const rows = await table.db.rows<{ community: string; cell: number; n: number }>(
    `SELECT community, cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} ${members} GROUP BY ALL ORDER BY ALL`,
  );
  const [all] = groupCells(rows, () => [""]);
  const tallies = all?.tallies ?? [];
  if (!truth) return { tallies, matched: [], truth: [], causes: [] };
  // The cell's action and human label stay; its level and inverse become the true ones, its scope unknown.
  const joined = `(SELECT a.community, a.cell, a.decision <> a.human_label AS differs, a.level, a.inverse, t.level AS true_level,
      t.inverse AS true_inverse, t.cause, a.cell // 30 * 30 + (t.level - 1) * 10 + (NOT t.inverse)::INTEGER * 5 + 4 AS true_cell
    FROM audits a JOIN ${TRUE_VERDICTS} t USING (decision_id) WHERE ${MAIN_ROWS} AND a.cell >= 0 ${members})`;
  const tallyBy = async (cell: string) => {
    const known = await table.db.rows<{ community: string; cell: number; n: number }>(
      `SELECT community, ${cell}::INTEGER AS cell, count(*)::INTEGER AS n FROM ${joined} GROUP BY ALL ORDER BY ALL`,
    );
    return groupCells(known, () => [""])[0]?.tallies ?? [];
  };
  const causes = await table.db.rows<CauseCount>(
    `SELECT ${causeOf("level", "inverse")} AS audited, coalesce(cause, ${causeOf("true_level", "true_inverse")}) AS "true",
       count(*)::INTEGER AS n FROM ${joined} WHERE differs GROUP BY ALL ORDER BY ALL`,
  );
  return { tallies, matched: await tallyBy("cell"), truth: await tallyBy("true_cell"), causes };
}
