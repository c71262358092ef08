import { SCORE_BINS, type ScoreDetails } from "../measures/report-page.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";
import { TARGETS } from "./targets.js";

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
