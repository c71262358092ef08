import type { CalibrationDetails } from "../figures/report-page.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";

export const HISTOGRAM_BINS = 40;

/** How many verdicts of each level have S in each of 40 equal parts of [0, 1]; bins without any are left out. */
export async function countScoreBins({ db }: AuditTable): Promise<CalibrationDetails["pds_by_level"]> {
  return db.rows(
    `SELECT level::INTEGER AS level, least(floor(pds * ${HISTOGRAM_BINS}), ${HISTOGRAM_BINS - 1})::INTEGER AS bin, count(*)::INTEGER AS n
     FROM audits WHERE ${MAIN_ROWS} AND cell >= 0 AND pds IS NOT NULL GROUP BY ALL ORDER BY ALL`,
  );
}
