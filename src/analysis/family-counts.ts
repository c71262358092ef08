import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./main-rows.js";
import { TRUE_VERDICTS } from "./true-verdicts.js";

/** Verdicts of one community by whether the decider is a model of the auditor's family. */
export interface FamilyCount {
  community: string;
  same_family: boolean;
  n: number;
  defensible: number;
  inverse_yes: number;
  /** Verdicts where something is known to be true. */
  known: number;
  /** Of these: defensible by the auditor alone, and by the truth alone. */
  defensible_plus: number;
  defensible_minus: number;
  /** The same for inverse = Yes. */
  inverse_plus: number;
  inverse_minus: number;
}

/** Counts for the test of favouritism; `truth`: table `true_verdicts` must be there. */
export async function countFamilies(table: AuditTable, truth: boolean): Promise<FamilyCount[]> {
  const known = truth
    ? `LEFT JOIN ${TRUE_VERDICTS} t USING (decision_id)`
    : "LEFT JOIN (SELECT NULL::VARCHAR AS decision_id, NULL::INTEGER AS level, NULL::BOOLEAN AS inverse) t USING (decision_id)";
  const count = (condition: string, name: string) => `count(*) FILTER (${condition})::INTEGER AS ${name}`;
  return table.db.rows<FamilyCount>(
    `SELECT a.community, coalesce(regexp_matches(a.flags, '(^|[^A-Za-z0-9_-])same_family($|[^A-Za-z0-9_-])'), false) AS same_family,
       count(*)::INTEGER AS n, ${count("a.level < 3", "defensible")}, ${count("a.inverse", "inverse_yes")},
       ${count("t.level IS NOT NULL", "known")},
       ${count("a.level < 3 AND t.level = 3", "defensible_plus")}, ${count("a.level = 3 AND t.level < 3", "defensible_minus")},
       ${count("a.inverse AND NOT t.inverse", "inverse_plus")}, ${count("NOT a.inverse AND t.inverse", "inverse_minus")}
     FROM audits a ${known} WHERE ${MAIN_ROWS} AND a.cell >= 0 GROUP BY ALL ORDER BY ALL`,
  );
}
