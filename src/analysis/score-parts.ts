import type { CalibrationResult } from "../core/calibration.js";
import type { ScoreDetails } from "../measures/report-page.js";
import type { MoreColumn } from "./audit-select.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";

const ENTROPY = { h_w: "h_weight_bits", h_kappa: "h_citation_bits" } as const;

/** Columns that the table must have been opened with. */
export const PART_COLUMNS = [
  "lambda_nats",
  "h_weight_bits",
  "h_citation_bits",
] as const satisfies readonly MoreColumn[];

/** What the page of a report needs of the table of audits beside what a report does. */
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
