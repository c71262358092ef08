import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { spreadOfSums } from "../../../stats/intervals/cluster-jackknife.js";
import { LOG_CLIP } from "../../signals/components.js";
import {
  type BinSums,
  equalWeightEdges,
  equalWidthEdges,
  PAPER_BINS,
  runEnd,
  runStart,
  type SortedScores,
  unsplitEdges,
} from "./calibration-error.js";

/** Reciprocal of the greatest width of a cell of the score scale; far finer than the noise of any sample, see `smoothError`. */
export const GRID = 2048;

/**
 * The sorted rows divided into cells so fine that every measure is a function of the number of defensible rows in each cell. A simulated outcome is
 * then a few thousand counts, whatever the number of rows.
 */
export interface ScoreCells {
  /** Cell c has the sorted rows starts[c] to starts[c + 1] − 1. */
  starts: Uint32Array;
  /** Rows in the cell, or their weight. */
  n: Float64Array;
  /** Σ score in the cell. */
  scores: Float64Array;
  /** Edges of the bins, as cell indices. */
  equalFrequency: Uint32Array;
  equalWidth: Uint32Array;
  /** Equal-frequency bins that split no run of equal scores. */
  unsplit: Uint32Array;
  /** Runs of equal scores that cross an edge of an equal-frequency bin: the first cell, and the cell after the last. */
  splitRuns: [number, number][];
}

export function scoreCells({ n, scores, weights }: SortedScores, bins: number = PAPER_BINS): ScoreCells {
  const byCount = equalWeightEdges(n, bins, weights);
  const byWidth = equalWidthEdges(scores, bins);
  const unsplit = unsplitEdges(scores, byCount);
  const runs = new Map<number, number>();
  for (const edge of byCount) {
    const end = runEnd(scores, edge);
    if (end !== edge) runs.set(runStart(scores, edge), end);
  }
  const cuts = new Set<number>([0, n, ...byCount, ...byWidth, ...unsplit, ...runs.keys(), ...runs.values()]);
  let cell = -1;
  for (let i = 0; i < n; i += 1) {
    const next = Math.floor(scores[i]! * GRID);
    if (next !== cell) cuts.add(i);
    cell = next;
  }
  const starts = Uint32Array.from(cuts).sort();
  const cells = starts.length - 1;
  const numberOf = new Map(Array.from(starts, (start, c) => [start, c]));
  const toCells = (edges: Iterable<number>) => Uint32Array.from(edges, (edge) => numberOf.get(edge)!);
  const size = new Float64Array(Math.max(0, cells));
  const sums = new Float64Array(Math.max(0, cells));
  for (let c = 0; c < cells; c += 1) {
    let [rows, sum] = [0, 0];
    for (let i = starts[c]!; i < starts[c + 1]!; i += 1) {
      const w = weights ? weights[i]! : 1;
      rows += w;
      sum += w * scores[i]!;
    }
    size[c] = rows;
    sums[c] = sum;
  }
  return {
    starts,
    n: size,
    scores: sums,
    equalFrequency: toCells(byCount),
    equalWidth: toCells(byWidth),
    unsplit: toCells(unsplit),
    splitRuns: Array.from(runs, ([start, end]) => [numberOf.get(start)!, numberOf.get(end)!]),
  };
}

/** Number (or weight) of rows with target 1 in each cell. */
export function cellPositives(
  { starts, n }: ScoreCells,
  targets: Uint8Array,
  weights: Float64Array | null = null,
): Float64Array {
  const positives = new Float64Array(n.length);
  for (let c = 0; c < n.length; c += 1) {
    let count = 0;
    for (let i = starts[c]!; i < starts[c + 1]!; i += 1) count += (weights ? weights[i]! : 1) * targets[i]!;
    positives[c] = count;
  }
  return positives;
}

/** Counts in which equal scores across a bin edge share their positives: each row of such a run gets the run's mean. */
export function shareTies({ n, splitRuns }: ScoreCells, positives: Float64Array): Float64Array {
  if (splitRuns.length === 0) return positives;
  const shared = positives.slice();
  for (const [first, end] of splitRuns) {
    let rows = 0;
    let count = 0;
    for (let c = first; c < end; c += 1) {
      rows += n[c]!;
      count += positives[c]!;
    }
    for (let c = first; c < end; c += 1) shared[c] = (count * n[c]!) / rows;
  }
  return shared;
}

export function binSums(cells: Pick<ScoreCells, "n" | "scores">, positives: Float64Array, edges: Uint32Array): BinSums {
  const bins = Math.max(0, edges.length - 1);
  const sums = { n: new Float64Array(bins), scores: new Float64Array(bins), positives: new Float64Array(bins) };
  for (let b = 0; b < bins; b += 1) {
    for (let c = edges[b]!; c < edges[b + 1]!; c += 1) {
      sums.n[b]! += cells.n[c]!;
      sums.scores[b]! += cells.scores[c]!;
      sums.positives[b]! += positives[c]!;
    }
  }
  return sums;
}

/** −ln of the probability given to the outcome, clipped at 1e-12 inside the logarithm; NaN where there is no score. */
export function logLosses(score: Float64Array, y: Uint8Array): Float64Array {
  return score.map((s, i) => -Math.log(floor(y[i] === 1 ? s : 1 - s)));
}

/** −ln of the probability given to the actual level, from three probabilities per row. */
export function levelLogLosses(levels: Float64Array, level: Uint8Array): Float64Array {
  return Float64Array.from(level, (target, i) => -Math.log(floor(levels[3 * i + target - 1]!)));
}

function floor(p: number): number {
  return Number.isNaN(p) ? p : Math.max(p, LOG_CLIP);
}

/**
 * Mean of a column over the rows that have a value, with a standard error for groups of dependent rows.
 *
 * Formula: m = Σwx/Σw; leaving group g out changes it by −s_g/(1 − a_g), s_g = Σ_{i∈g} w_i (x_i − m)/Σw, a_g = the group's share of Σw; V = Σ of
 * their squares; m ± t_ν √V, ν = max(1, 1/Σa_g² − 1). With only one group, every row is its own group.
 * Range: that of the column.
 * Undefined when: fewer than two rows have a value.
 * Differs from the paper: not in the paper.
 * @see docs/calibration.md
 * @example
 * groupedMean(Float64Array.of(1, 2, 3, 4), Int32Array.of(0, 0, 1, 1)).estimate // => 2.5
 */
export function groupedMean(
  x: Float64Array,
  group: Int32Array,
  weight: Float64Array | null = null,
): Estimate & { standard_error?: number } {
  const rows = Int32Array.from(x.keys()).filter((i) => !Number.isNaN(x[i]!) && weight?.[i] !== 0);
  const n = rows.length;
  if (n < 2) return undefinedEstimate(n === 0 ? "no rows" : "one row has no interval", n);
  const weightOf = (i: number) => (weight ? weight[i]! : 1);
  let [sum, total] = [0, 0];
  for (const i of rows) {
    sum += weightOf(i) * x[i]!;
    total += weightOf(i);
  }
  const mean = sum / total;
  const single = rows.every((i) => group[i] === group[rows[0]!]);
  const units = new Map<number, { sum: number; size: number }>();
  for (const i of rows) {
    const unit = units.get(single ? i : group[i]!) ?? { sum: 0, size: 0 };
    unit.sum += (weightOf(i) * (x[i]! - mean)) / total;
    unit.size += weightOf(i);
    units.set(single ? i : group[i]!, unit);
  }
  const parts = [...units.values()];
  const spread = spreadOfSums(
    parts.map((unit) => unit.sum),
    parts.map((unit) => unit.size),
  )!;
  const standard_error = Math.sqrt(spread.variance);
  const half = spread.t * standard_error;
  const method = single ? "jackknife, t over rows" : "jackknife, t over communities";
  return { estimate: mean, lower: mean - half, upper: mean + half, level: CONFIDENCE_LEVEL, method, n, standard_error };
}
