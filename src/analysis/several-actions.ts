import type { AlternativeCount, LabelledActions } from "../measures/metrics/severity.js";
import { MAIN_ROWS } from "./audit-cells.js";
import type { AuditTable } from "./audit-table.js";

/** Labelled verdicts by community, decision and human label. */
export function countLabelledActions({ db }: AuditTable): Promise<LabelledActions[]> {
  return db.rows<LabelledActions>(
    `SELECT community, decision, human_label AS human, count(*)::INTEGER AS n FROM audits
     WHERE ${MAIN_ROWS} AND cell >= 0 AND human_label IS NOT NULL GROUP BY ALL ORDER BY ALL`,
  );
}

export interface AlternativeCounts {
  pairs: AlternativeCount[];
  /** Decisions of each community with verdicts for themselves and all of their alternatives; k: at least one of these is derivable. */
  any: { k: number; n: number }[];
}

/** Decisions next to their alternatives, which were audited in arms `action=…`; null: none was. The first replicate of each. */
export async function countAlternatives({ db, has }: AuditTable): Promise<AlternativeCounts | null> {
  if (!has("arm")) return null;
  await db.run(
    `CREATE OR REPLACE TABLE alternative_pairs AS
     SELECT decision_id, a.community, a.decision, b.decision AS alternative, a.cell >= 0 AND b.cell >= 0 AS scored,
       b.cell >= 0 AND b.cell // 10 % 3 < 2 AS derivable
     FROM (SELECT * FROM audits WHERE ${MAIN_ROWS}) a
     JOIN (SELECT * FROM audits WHERE starts_with(arm, 'action=') AND replicate = 0) b USING (decision_id)`,
  );
  const pairs = await db.rows<AlternativeCount>(
    `SELECT community, decision, alternative, count(*) FILTER (scored)::INTEGER AS n,
       count(*) FILTER (scored AND derivable)::INTEGER AS derivable, count(*) FILTER (NOT scored)::INTEGER AS without_verdict
     FROM alternative_pairs GROUP BY ALL ORDER BY ALL`,
  );
  if (pairs.length === 0) return null;
  const any = await db.rows<{ k: number; n: number }>(
    `SELECT count(*) FILTER (scored AND derivable)::INTEGER AS k, count(*) FILTER (scored)::INTEGER AS n
     FROM (SELECT community, decision_id, bool_and(scored) AS scored, bool_or(derivable) AS derivable FROM alternative_pairs GROUP BY ALL)
     GROUP BY community ORDER BY community`,
  );
  return { pairs, any };
}
