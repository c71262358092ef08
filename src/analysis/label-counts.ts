import type { GateKey } from "../core/gate.js";
import type { LabelSample } from "../core/records/label.js";
import type { Level } from "../core/records/level.js";
import {
  AUDITED_CELLS,
  auditedIndex,
  type DrawnCounts,
  emptyJudgeCounts,
  HUMAN_CELLS,
  humanIndex,
  type JudgeCounts,
  judgeIndex,
} from "../measures/metrics/judge/counts.js";
import { CELLS } from "../measures/metrics/tally.js";
import type { AuditTable } from "./audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";
import { LABEL_SAMPLE } from "./label-sample.js";
import { MAIN_ROWS } from "./main-rows.js";

type Row = CohortRow & { cell: number; human_level: Level | null; human_inverse: boolean | null; n: number } & {
  drawn_in: string | null;
  chance: number | null;
};

/** What auditor and people said of each cohort's decisions, as counts, sorted by name; `loadLabelSample` comes first. */
export async function countJudgements(
  table: AuditTable,
  by: readonly GateKey[],
  { weighted }: Pick<LabelSample, "weighted">,
): Promise<JudgeCounts[]> {
  const byStratum = weighted === "by_stratum";
  const drawnIn = byStratum ? "j.drawn_in AS drawn_in, j.inclusion AS chance, " : "";
  const rows = await table.db.rows<Row>(
    `SELECT ${selectColumns(cohortColumns(by))}, cell, ${drawnIn}j.level AS human_level, j.inverse AS human_inverse, count(*)::INTEGER AS n
     FROM audits LEFT JOIN ${LABEL_SAMPLE} j USING (decision_id) WHERE ${MAIN_ROWS} AND cell >= 0 GROUP BY ALL${byStratum ? " ORDER BY ALL" : ""}`,
  );
  const cohorts = new Map<string, JudgeCounts>();
  const places = new Map<string, Float64Array>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const counts = cohorts.get(key) ?? { ...emptyJudgeCounts(key), ...(byStratum ? { drawn: [] } : {}) };
    cohorts.set(key, counts);
    const { level, inverse } = CELLS[row.cell]!;
    const audited = auditedIndex(level, inverse);
    if (row.human_level === null) {
      counts.rest[audited]! += row.n;
      continue;
    }
    const index = judgeIndex(audited, humanIndex(row.human_level, row.human_inverse));
    counts.labelled[index]! += row.n;
    if (!counts.drawn) continue;
    const place = JSON.stringify([key, row.drawn_in, row.chance]);
    const drawn = places.get(place) ?? drawnAt(counts.drawn, row.drawn_in!, row.chance!);
    places.set(place, drawn);
    drawn[index]! += row.n;
  }
  return [...cohorts.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function drawnAt(drawn: DrawnCounts[], cell: string, inclusion: number): Float64Array {
  const labelled = new Float64Array(AUDITED_CELLS * HUMAN_CELLS);
  drawn.push({ cell, inclusion, labelled });
  return labelled;
}
