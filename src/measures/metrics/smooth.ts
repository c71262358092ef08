import { type ClusterInterval, CONFIDENCE_LEVEL, type DefinedEstimate } from "../../core/estimate.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import {
  type ClusterSpread,
  clusterSpread,
  effectiveClusters,
  intervalOf,
  UNDEFINED_WITHOUT,
} from "../../stats/intervals/cluster-jackknife.js";
import { hasWidth } from "../../stats/intervals/proportion.js";
import { squareAndAdd } from "../../stats/optimise/cosine-transform.js";
import { allAlikeWarning } from "./paired/paired-change.js";
import { CELLS, type CellMask, countIn, filledCells, type Tally } from "./tally.js";

/** A smooth function of the numbers of verdicts in some sets of cells. */
export interface CellStatistic {
  parts: readonly CellMask[];
  /** Value from the number of verdicts in each part; null if undefined. */
  value: (counts: readonly number[]) => number | null;
  /** Influence of one verdict in cell j. */
  influence: (j: number) => number;
  /** The rows that it is based on; for a difference, those of each side. */
  counted: readonly CellMask[];
}

export function minus(first: CellStatistic, second: CellStatistic): CellStatistic {
  const own = first.parts.length;
  return {
    parts: [...first.parts, ...second.parts],
    value: (counts) => {
      const a = first.value(counts.slice(0, own));
      const b = second.value(counts.slice(own));
      return a === null || b === null ? null : a - b;
    },
    influence: (j) => first.influence(j) - second.influence(j),
    counted: [...first.counted, ...second.counted],
  };
}

/**
 * The interval of a smooth function of the cell counts: by Taylor linearisation with rows as independent in `lower`/`upper`, and by leaving
 * out one community at a time in `cluster`.
 */
export function smoothEstimate(
  statistic: CellStatistic,
  tallies: readonly Tally[],
  n: number,
  bounds: [number, number],
): DefinedEstimate {
  const counts = statistic.parts.map((part) => tallies.map((tally) => countIn(tally, part)));
  const totals = counts.map((part) => part.reduce((sum, count) => sum + count, 0));
  const theta = statistic.value(totals)!;
  const variance = linearVariance(statistic, summedCells(tallies));
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * Math.sqrt(variance);
  const estimate: DefinedEstimate = {
    estimate: theta,
    lower: Math.max(bounds[0], theta - half),
    upper: Math.min(bounds[1], theta + half),
    level: CONFIDENCE_LEVEL,
    method: "linearized, normal",
    n,
  };
  const spread = spreadOf(theta, statistic, tallies, { counts, totals });
  if (!spread) return estimate;
  const design_effect = variance > 0 ? spread.variance / variance : null;
  return { ...estimate, cluster: { ...intervalOf(theta, spread, bounds), design_effect } };
}

// These loops are separate functions because inside a long function they are recompiled again and again.

/** Verdicts of all communities by cell. */
function summedCells(tallies: readonly Tally[]): Float64Array {
  const cells = new Float64Array(CELLS.length);
  for (const tally of tallies) addCells(cells, tally);
  return cells;
}

function addCells(sum: Float64Array, tally: Tally): void {
  for (const j of filledCells(tally)) sum[j]! += tally.cells[j]!;
}

/** Variance of a statistic from the influence of each verdict, assuming independence. */
function linearVariance({ influence }: CellStatistic, cells: Float64Array): number {
  let rows = 0;
  let squares = 0;
  for (let j = 0; j < cells.length; j++) {
    if (cells[j] === 0) continue;
    rows += cells[j]!;
    squares += cells[j]! * influence(j) ** 2;
  }
  return rows > 1 ? (squares * rows) / (rows - 1) : 0;
}

/** Leaves out one community at a time. Null if there is no second one, or the statistic depends on only one. */
function spreadOf(
  theta: number,
  { parts, value, counted }: CellStatistic,
  tallies: readonly Tally[],
  { counts, totals }: { counts: readonly number[][]; totals: readonly number[] },
): ClusterSpread | null {
  if (tallies.length < 2) return null;
  const sizes = counted.map((mask) => counts[parts.indexOf(mask)] ?? tallies.map((tally) => countIn(tally, mask)));
  const changes: number[] = [];
  for (let c = 0; c < tallies.length; c++) {
    if (sizes.every((part) => part[c] === 0)) continue;
    const without = value(totals.map((total, part) => total - counts[part]![c]!));
    if (without === null) return null;
    changes.push(without - theta);
  }
  // The part with the fewest communities limits how well the variance is known.
  const effective = sizes.map((part) => effectiveClusters(part) ?? 0);
  return clusterSpread(changes, Math.min(...effective), CONFIDENCE_LEVEL);
}

/**
 * An estimate with its interval over communities. If these are all alike, the variance between them is 0 and uninformative, and the interval is
 * `alike`. If there are several communities but no interval, a warning says why.
 */
export function withCluster(
  estimate: DefinedEstimate,
  cluster: ClusterInterval | undefined,
  tallies: readonly Tally[],
  alike: () => ClusterInterval | null,
): DefinedEstimate {
  const found = cluster && !hasWidth(cluster) ? alike() : cluster;
  if (found) return { ...estimate, cluster: found };
  const communities = tallies.filter((tally) => filledCells(tally).some((j) => tally.cells[j]! > 0)).length;
  if (communities < 2) return estimate;
  const why = cluster ? allAlikeWarning() : `no interval over communities: ${UNDEFINED_WITHOUT}`;
  return { ...estimate, warnings: [...(estimate.warnings ?? []), why] };
}

/**
 * A difference of two estimates over the same verdicts, linearised. If the verdicts or the communities are all alike, the interval is combined from
 * the intervals of the two, which take account of n.
 */
export function smoothDifference(
  first: DefinedEstimate,
  second: DefinedEstimate,
  statistic: CellStatistic,
  tallies: readonly Tally[],
  n: number,
): DefinedEstimate {
  const linear = smoothEstimate(statistic, tallies, n, [-1, 1]);
  const rows = hasWidth(linear) ? {} : { ...squareAndAdd(first, second), method: "square-and-add" };
  const { cluster, ...made } = { ...linear, ...rows };
  return withCluster(made, cluster, tallies, () => {
    if (!cluster || !first.cluster || !second.cluster) return null;
    const bounds = squareAndAdd(
      { estimate: first.estimate, ...first.cluster },
      { estimate: second.estimate, ...second.cluster },
    );
    return { ...cluster, ...bounds, method: "square-and-add" };
  });
}
