import type { ClusterMean } from "../measures/metrics/gap.js";
import type { PairTally } from "../measures/metrics/paired/compare-runs.js";
import { MAIN_ROWS } from "./audit-cells.js";
import type { AuditTable } from "./audit-table.js";

/**
 * How numbers are summed as integers. Sums of floating-point numbers depend on the order of addition in their last digits, and threads add in a
 * different order each time (`fsum` too); sums of integers do not.
 */
export interface Grain {
  /** Number of parts into which 1 is divided. */
  parts: number;
  /** Bits dropped from these parts before squaring, because sums of squares must fit into 127 bits. */
  coarser: number;
}

/** For numbers from 0 to 1. 2⁶² parts are the most that a BIGINT holds: nothing is lost of a number above a thousandth. 2³¹ squares of 2⁻⁴⁸ fit. */
export const PROBABILITY: Grain = { parts: 2 ** 62, coarser: 14 };

/** For integers. */
export const COUNT: Grain = { parts: 1, coarser: 0 };

/** SQL: a number as an integer number of parts. */
export function inParts(column: string, { parts }: Grain): string {
  return `(${column}::DOUBLE * ${parts}::DOUBLE)::BIGINT`;
}

/** SQL: sums of a column of such numbers, of the coarser ones, and of their squares. */
export function exactSums(column: string, name: string, { coarser }: Grain): string[] {
  const coarse = `(${column} >> ${coarser})`;
  return [
    `coalesce(sum(${column}), 0)::HUGEINT AS "${name}_sum"`,
    `coalesce(sum(${coarse}), 0)::HUGEINT AS "${name}_coarse"`,
    `coalesce(sum(${coarse}::HUGEINT * ${coarse}), 0)::HUGEINT AS "${name}_squares"`,
  ];
}

/** The result of `exactSums` over n numbers. */
interface ExactSums {
  n: number;
  sum: bigint;
  coarse: bigint;
  squares: bigint;
}

/** Mean, and squared deviations from it. Exact up to the last step, so equal numbers have deviations of exactly 0. */
export function meanOfParts(
  { n, sum, coarse, squares }: ExactSums,
  { parts, coarser }: Grain,
): { mean: number; squaredDeviations: number } {
  if (n === 0) return { mean: 0, squaredDeviations: 0 };
  const deviations = BigInt(n) * squares - coarse * coarse;
  return {
    mean: Number((sum << 64n) / BigInt(n)) / 2 ** 64 / parts,
    squaredDeviations: Number(deviations) / n / (parts / 2 ** coarser) ** 2,
  };
}

/** A share among the verdicts of one community, ready for a clustered interval. */
interface ClusterShare {
  cluster: string;
  k: number;
  n: number;
}

/** Shares of verdicts that are read from the record rather than from the trace's answers, as counts of k among n. */
const SHARES = {
  level: { k: "count(p_defensible)", n: "count(*)" },
  weight: { k: "count(h_weight_bits)", n: "count(*)" },
  inverse: { k: "count(inverse_yes_prob)", n: "count(*)" },
  citation: { k: "count(h_citation_bits)", n: "count(*)" },
  map_differs: { k: "count(*) FILTER (level_map <> level)", n: "count(level_map)" },
  grounded: { k: "count(*) FILTER (citation_grounded)", n: "count(citation_grounded)" },
  level3_high: {
    k: "count(*) FILTER (level = 3 AND trace_precedent_weight = 'High')",
    n: "count(*) FILTER (level = 3 AND trace_precedent_weight IS NOT NULL)",
  },
} as const;

export type ShareName = keyof typeof SHARES;

const AVERAGED = {
  p_defensible: PROBABILITY,
  inverse_yes_prob: PROBABILITY,
  pds: PROBABILITY,
  citation_tokens: COUNT,
} as const;

type AveragedColumn = keyof typeof AVERAGED;

interface SignalCounts {
  shares: Record<ShareName, ClusterShare[]>;
  means: Record<AveragedColumn, ClusterMean[]>;
}

type Row = { community: string } & Record<`${ShareName | AveragedColumn}_${"n" | "k"}`, number> &
  Record<`${AveragedColumn}_${"sum" | "coarse" | "squares"}`, bigint>;

/** Shares and means over the verdicts of each community, in one pass. The same audits give exactly the same numbers. */
export async function countSignals(table: AuditTable): Promise<SignalCounts> {
  const names = Object.keys(SHARES) as ShareName[];
  const averaged = Object.keys(AVERAGED) as AveragedColumn[];
  const columns = [
    ...names.flatMap((name) => [
      `(${SHARES[name].n})::INTEGER AS "${name}_n"`,
      `(${SHARES[name].k})::INTEGER AS "${name}_k"`,
    ]),
    ...averaged.flatMap((column) => [
      `count(${column})::INTEGER AS "${column}_n"`,
      ...exactSums(`${column}_parts`, column, AVERAGED[column]),
    ]),
  ];
  const parts = averaged.map((column) => `${inParts(column, AVERAGED[column])} AS ${column}_parts`);
  const rows = await table.db.rows<Row>(
    `SELECT community, ${columns.join(", ")} FROM
       (SELECT *, ${parts.join(", ")} FROM audits WHERE ${MAIN_ROWS} AND cell >= 0) GROUP BY ALL ORDER BY community`,
  );
  const shares = {} as SignalCounts["shares"];
  for (const name of names) {
    // A foreign file without any value of a signal does not show how often it was found, so the share is undefined (no rows).
    const said = table.own || rows.some((row) => row[`${name}_k`] > 0) || SHARES[name].n !== "count(*)";
    const counted = said ? rows : [];
    shares[name] = counted.map((row) => ({ cluster: row.community, k: row[`${name}_k`], n: row[`${name}_n`] }));
  }
  const means = {} as SignalCounts["means"];
  for (const column of averaged) {
    means[column] = rows.map((row) => {
      const [n, sum] = [row[`${column}_n`], row[`${column}_sum`]];
      const [coarse, squares] = [row[`${column}_coarse`], row[`${column}_squares`]];
      return { cluster: row.community, n, ...meanOfParts({ n, sum, coarse, squares }, AVERAGED[column]) };
    });
  }
  return { shares, means };
}

type WeightCounts = Record<"High" | "Medium" | "Low", number>;

export async function weightsByLevel(table: AuditTable): Promise<Record<string, WeightCounts>> {
  const counts: Record<string, WeightCounts> = {};
  for (const level of ["1", "2", "3"]) counts[level] = { High: 0, Medium: 0, Low: 0 };
  if (!table.has("trace.precedent_weight")) return counts;
  const rows = await table.db.rows<{ level: number; weight: keyof WeightCounts; n: number }>(
    `SELECT level, trace_precedent_weight AS weight, count(*)::INTEGER AS n FROM audits
     WHERE ${MAIN_ROWS} AND outcome = 'verdict' AND trace_precedent_weight IN ('High', 'Medium', 'Low') GROUP BY ALL`,
  );
  for (const row of rows) counts[String(row.level)]![row.weight] = row.n;
  return counts;
}

/** Number of occurrences of each flag in the main rows. */
export async function flagCounts(table: AuditTable): Promise<Record<string, number>> {
  if (!table.has("flags")) return {};
  // Lists are JSON text from JSONL and CSV, and DuckDB's own text from Parquet; the names are the same in both.
  const rows = await table.db.rows<{ flag: string; n: number }>(
    `SELECT flag, count(*)::INTEGER AS n FROM
       (SELECT unnest(regexp_extract_all(flags, '[A-Za-z0-9_-]+')) AS flag FROM audits WHERE ${MAIN_ROWS} AND flags IS NOT NULL)
     WHERE flag <> 'null' GROUP BY ALL ORDER BY flag`,
  );
  return Object.fromEntries(rows.map((row) => [row.flag, row.n]));
}

/** Arm in which `audit --humans` stores the audits of the humans' decisions. */
export const HUMAN_ARM = "human";

/**
 * Labelled decisions by whether the model's and the human's decision are defensible. If they decided alike, one audit counts for both. Null if the
 * humans' decisions were not audited.
 */
export async function humanPairs(table: AuditTable): Promise<PairTally[] | null> {
  if (!table.has("arm")) return null;
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
