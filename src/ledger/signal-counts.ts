import type { PairTally } from "../metrics/human-comparison.js";
import type { AuditTable } from "./audit-table.js";
import { MAIN_ROWS } from "./tallies.js";

/** A share among the verdicts of one community, ready for a clustered interval. */
export interface ClusterShare {
  cluster: string;
  k: number;
  n: number;
}

/** Shares of verdicts that are read off the record and not off the trace's answers. */
const SHARES = {
  level: { of: "true", is: "p_defensible IS NOT NULL" },
  weight: { of: "true", is: "h_weight_bits IS NOT NULL" },
  inverse: { of: "true", is: "inverse_yes_prob IS NOT NULL" },
  citation: { of: "true", is: "h_citation_bits IS NOT NULL" },
  map_differs: { of: "level_map IS NOT NULL", is: "level_map <> level" },
  grounded: { of: "citation_grounded IS NOT NULL", is: "citation_grounded" },
  level3_high: { of: "level = 3 AND trace_precedent_weight IS NOT NULL", is: "trace_precedent_weight = 'High'" },
} as const;

export type ShareName = keyof typeof SHARES;

export async function sharesOf(table: AuditTable): Promise<Record<ShareName, ClusterShare[]>> {
  const names = Object.keys(SHARES) as ShareName[];
  const sums = names.flatMap((name) => [
    `count(*) FILTER (${SHARES[name].of})::INTEGER AS "${name}_n"`,
    `count(*) FILTER ((${SHARES[name].of}) AND (${SHARES[name].is}))::INTEGER AS "${name}_k"`,
  ]);
  const rows = await table.db.rows<Record<string, number> & { community: string }>(
    `SELECT community, ${sums.join(", ")} FROM audits WHERE ${MAIN_ROWS} AND outcome = 'verdict' GROUP BY ALL ORDER BY ALL`,
  );
  const shares = {} as Record<ShareName, ClusterShare[]>;
  for (const name of names) {
    shares[name] = rows.map((row) => ({ cluster: row.community, k: row[`${name}_k`]!, n: row[`${name}_n`]! }));
  }
  return shares;
}

export type WeightCounts = Record<"High" | "Medium" | "Low", number>;

/** Precedent weight by level. */
export async function weightsByLevel(table: AuditTable): Promise<Record<string, WeightCounts>> {
  const rows = await table.db.rows<{ level: number; weight: keyof WeightCounts; n: number }>(
    `SELECT level, trace_precedent_weight AS weight, count(*)::INTEGER AS n FROM audits
     WHERE ${MAIN_ROWS} AND outcome = 'verdict' AND trace_precedent_weight IN ('High', 'Medium', 'Low') GROUP BY ALL`,
  );
  const counts: Record<string, WeightCounts> = {};
  for (const level of ["1", "2", "3"]) counts[level] = { High: 0, Medium: 0, Low: 0 };
  for (const row of rows) counts[String(row.level)]![row.weight] = row.n;
  return counts;
}

/** How often each flag stands on the rows of the analysis. */
export async function flagCounts(table: AuditTable): Promise<Record<string, number>> {
  // Lists come as JSON text from JSONL and CSV and as DuckDB's own text from Parquet; the names are the same in all.
  const rows = await table.db.rows<{ flag: string; n: number }>(
    `SELECT flag, count(*)::INTEGER AS n FROM
       (SELECT unnest(regexp_extract_all(flags, '[a-z0-9_]+')) AS flag FROM audits WHERE ${MAIN_ROWS} AND flags IS NOT NULL)
     GROUP BY ALL ORDER BY flag`,
  );
  return Object.fromEntries(rows.map((row) => [row.flag, row.n]));
}

/** Arm under which `audit --humans` files the audits of the humans' decisions. */
export const HUMAN_ARM = "human";

/**
 * Labelled decisions by whether the model's and the human's decision are defensible. Where they decided alike one audit speaks for both.
 * Null when the humans' decisions were not audited.
 */
export async function humanPairs(table: AuditTable): Promise<PairTally[] | null> {
  const [asked] = await table.db.rows<{ n: number }>(
    `SELECT count(*)::INTEGER AS n FROM audits WHERE arm = '${HUMAN_ARM}' AND replicate = 0`,
  );
  if (!asked?.n) return null;
  return table.db.rows<PairTally>(
    `WITH pairs AS (
       SELECT m.community AS cluster, m.level < 3 AS model, CASE WHEN m.human_label = m.decision THEN m.level ELSE h.level END < 3 AS human
       FROM audits m LEFT JOIN audits h ON h.decision_id = m.decision_id AND h.arm = '${HUMAN_ARM}' AND h.replicate = 0
         AND h.outcome = 'verdict'
       WHERE m.arm = '' AND m.replicate = 0 AND m.outcome = 'verdict' AND m.human_label IS NOT NULL
         AND (m.human_label = m.decision OR h.level IS NOT NULL))
     SELECT cluster, count(*) FILTER (model AND human)::INTEGER AS "both", count(*) FILTER (model AND NOT human)::INTEGER AS "modelOnly",
       count(*) FILTER (NOT model AND human)::INTEGER AS "humanOnly", count(*) FILTER (NOT model AND NOT human)::INTEGER AS "neither"
     FROM pairs GROUP BY ALL ORDER BY cluster`,
  );
}
