import type { GateHarm, GateKey } from "../../core/gate.js";
import type { HarmCount } from "../../measures/gate/harm.js";
import { sqlString } from "../../store/files/audit-columns.js";
import { rowsOfArm } from "../audit-cells.js";
import type { AuditTable } from "../audit-table.js";
import { type CohortRow, cohortColumns, rowKey, selectColumns } from "./cohort-columns.js";

/**
 * SQL for the harm of a verdict, in the units of the weights: weight of the action · weight of the cited rule for level 3, else 0. A citation of both
 * scopes that fits a rule of each has the greater weight.
 */
export function harmOf({ actions, rules }: Pick<GateHarm, "actions" | "rules">): string {
  const byAction = Object.entries(actions).map(([name, harm]) => `WHEN ${sqlString(name)} THEN ${harm}`);
  const action = byAction.length > 0 ? `CASE decision ${byAction.join(" ")} ELSE 1 END` : "1";
  const byRule = [...rules]
    .sort((a, b) => b.harm - a.harm)
    .map(({ scope, community, rule_id, harm }) => {
      const owned = community === null ? "" : ` AND community = ${sqlString(community)}`;
      return `WHEN citation_scope IN (${sqlString(scope)}, 'mixed')${owned} AND citation_rule_id = ${sqlString(rule_id)} THEN ${harm}`;
    });
  const rule = byRule.length > 0 ? `CASE ${byRule.join(" ")} ELSE 1 END` : "1";
  return `CASE WHEN cell // 10 % 3 = 2 THEN (${action})::DOUBLE * (${rule})::DOUBLE ELSE 0 END`;
}

/** Harmful verdicts of every cohort by their harm, as a share of the greatest, least first. */
export async function countHarm(
  table: AuditTable,
  harm: GateHarm,
  { by, where = "true", arm }: { by: readonly GateKey[]; where?: string; arm?: string },
): Promise<ReadonlyMap<string, HarmCount[]>> {
  const rows = await table.db.rows<CohortRow & { harm: number; n: number }>(
    `SELECT ${selectColumns(cohortColumns(by))}, ${harmOf(harm)} AS harm, count(*)::INTEGER AS n
     FROM audits WHERE ${rowsOfArm(arm)} AND cell >= 0 AND ${where} GROUP BY ALL HAVING harm > 0 ORDER BY harm`,
  );
  const found = new Map<string, HarmCount[]>();
  for (const row of rows) {
    const key = rowKey(by, row);
    const value = row.harm / harm.max;
    const known = found.get(key) ?? [];
    const same = known.find((one) => one.value === value);
    if (same) same.count += row.n;
    else known.push({ value, count: row.n });
    found.set(key, known);
  }
  return found;
}
