import { CELLS } from "../measures/metrics/tally.js";
import type { PageCommunity } from "../measures/report-page.js";
import type { AuditTable } from "./audit-table.js";
import { countCohortRules } from "./cohort-rules.js";
import { MAIN_ROWS } from "./main-rows.js";

/** Levels of each community's verdicts, and the rules that its ambiguous ones cite most; sorted by name. */
export async function countCommunities(table: AuditTable): Promise<PageCommunity[]> {
  const found = new Map<string, PageCommunity>();
  const rows = await table.db.rows<{ community: string; cell: number; n: number }>(
    `SELECT community, cell, count(*)::INTEGER AS n FROM audits WHERE ${MAIN_ROWS} GROUP BY ALL ORDER BY community`,
  );
  for (const { community, cell, n } of rows) {
    const counts = found.get(community) ?? {
      community,
      levels: [0, 0, 0],
      inverse_yes: [0, 0, 0],
      ambiguous_rules: [],
    };
    found.set(community, counts);
    if (cell < 0) continue;
    const { level, inverse } = CELLS[cell]!;
    counts.levels[level - 1]! += n;
    if (inverse) counts.inverse_yes[level - 1]! += n;
  }
  for (const { cohort, indefensible: _, ...rule } of await countCohortRules(table, ["community"])) {
    found.get(cohort)?.ambiguous_rules.push(rule);
  }
  return [...found.values()];
}
