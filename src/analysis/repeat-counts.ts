import type { AuditTable } from "./audit-table.js";

/** Decisions of one community that were audited twice under the same text, by whether the opposite was found derivable. */
export interface RepeatCount {
  community: string;
  /** In the first audit only, in the second only. */
  plus: number;
  minus: number;
  n: number;
}

/** The first two replicates of every decision, all arms together; empty where nothing was audited twice. */
export async function countRepeats(table: AuditTable): Promise<RepeatCount[]> {
  return table.db.rows<RepeatCount>(
    `SELECT a.community, count(*) FILTER (a.inverse AND NOT b.inverse)::INTEGER AS plus,
       count(*) FILTER (NOT a.inverse AND b.inverse)::INTEGER AS minus, count(*)::INTEGER AS n
     FROM (SELECT * FROM audits WHERE replicate = 0 AND cell >= 0) a
     JOIN (SELECT decision_id, arm, inverse FROM audits WHERE replicate = 1 AND cell >= 0) b USING (decision_id, arm)
     GROUP BY ALL ORDER BY ALL`,
  );
}
