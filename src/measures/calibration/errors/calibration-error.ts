import { checkScores } from "../../../stats/check-arguments.js";
import { firstWhere, sortedOrder } from "../../../stats/ranks/sorted-order.js";
import { ascendingOrder } from "../../../stats/tests/multiple-testing.js";

/**
 * Root mean square calibration error, minus the part expected by chance.
 *
 * Formula: √max(0, Σ_b n_b/N [(s̄_b − ȳ_b)² − ȳ_b(1 − ȳ_b)/(n_b − 1)]).
 * Range: [0, 1]; 0 if chance explains all of it. Bins must not split equal scores (`unsplitEdges`).
 * Undefined when: there are no rows, or a bin has one row: null.
 * Differs from the paper: not in the paper.
 * @see Kumar, Liang and Ma (2019), NeurIPS 32:3787-3798
 * @example
 * debiasedError({ n: [4], scores: [2], positives: [4] }) // => 0.5
 */
export function debiasedError({ n, scores, positives }: BinSums): number | null {
  let rows = 0;
  let sum = 0;
  for (let b = 0; b < n.length; b += 1) {
    const size = n[b]!;
    if (size === 0) continue;
    if (size === 1) return null;
    const rate = positives[b]! / size;
    rows += size;
    sum += size * ((scores[b]! / size - rate) ** 2 - (rate * (1 - rate)) / (size - 1));
  }
  return rows === 0 ? null : Math.sqrt(Math.max(0, sum / rows));
}

/** Sums over the rows of each bin. `positives` may be fractional, since equal scores share theirs. */
export interface BinSums {
  n: ArrayLike<number>;
  scores: ArrayLike<number>;
  positives: ArrayLike<number>;
}

/**
 * Expected calibration error: the distance between a bin's mean score and its rate of defensible rows, averaged over rows.
 *
 * Formula: ECE = Σ_b n_b/N |ȳ_b − s̄_b|. Empty bins contribute nothing.
 * Range: [0, 1]; 0 is best, but even a perfectly calibrated score stays above it: compare with its null value.
 * Undefined when: no rows: null.
 * Differs from the paper: nothing with the bins of `equalFrequencyEdges` (10 bins of N/10 rows). Bins of equal width and y averaged over equal
 * scores are also offered, because the paper's depends on the order of equal scores.
 * @see paper Appendix A.3; Naeini, Cooper and Hauskrecht (2015), AAAI 29:2901-2907
 * @example
 * calibrationError({ n: [2, 2], scores: [0.4, 1.6], positives: [1, 1] }) // => 0.3
 */
export function calibrationError({ n, scores, positives }: BinSums): number | null {
  let rows = 0;
  let sum = 0;
  for (let b = 0; b < n.length; b += 1) {
    if (typeof n[b] !== "number" || typeof scores[b] !== "number" || typeof positives[b] !== "number") {
      throw new RangeError(`bin ${b}: not numbers; got ${n[b]}, ${scores[b]}, ${positives[b]}`);
    }
    rows += n[b]!;
    sum += Math.abs(positives[b]! - scores[b]!);
  }
  if (Number.isNaN(sum + rows)) throw new RangeError("bins: not numbers; got NaN, expected finite sums");
  return rows === 0 ? null : sum / rows;
}

/**
 * Expected calibration error of scores and outcomes in one call, with the paper's bins: sorted ascending, equal scores in the order of rows, `bins`
 * parts of nearly equal size.
 *
 * Formula: `calibrationError` of the sums over `equalFrequencyEdges`.
 * Range: [0, 1]; 0 is best. `evaluateScore` gives the null value to compare with, and versions that do not depend on the order of equal scores.
 * Undefined when: no rows: null. RangeError when a score is outside [0, 1], an outcome is not 0 or 1, or the lengths differ.
 * Differs from the paper: nothing.
 * @see paper Appendix A.3
 * @example
 * ece([0.2, 0.4, 0.9, 0.9], [0, 1, 1, 1], 2) // => 0.15
 */
export function ece(scores: ArrayLike<number>, outcomes: ArrayLike<number>, bins = PAPER_BINS): number | null {
  checkScores(scores, outcomes);
  const order = ascendingOrder(scores);
  const edges = equalFrequencyEdges(scores.length, bins);
  const sums = { n: [] as number[], scores: [] as number[], positives: [] as number[] };
  for (let b = 0; b + 1 < edges.length; b += 1) {
    const rows = [...order.subarray(edges[b]!, edges[b + 1]!)];
    sums.n.push(rows.length);
    sums.scores.push(rows.reduce((sum, i) => sum + scores[i]!, 0));
    sums.positives.push(rows.reduce((sum, i) => sum + outcomes[i]!, 0));
  }
  return calibrationError(sums);
}

/** Bins of the paper's calibration error. @see paper Appendix A.3 */
export const PAPER_BINS = 10;

/**
 * Edges of bins with equally many rows: bin b has the sorted rows edges[b] to edges[b + 1] − 1. Like numpy's `array_split`: the first n mod bins
 * have one more row; with fewer rows than bins, each row is a bin.
 * @example
 * equalFrequencyEdges(11, 3) // => [0, 4, 8, 11]
 */
export function equalFrequencyEdges(n: number, bins: number = PAPER_BINS): Uint32Array {
  const used = Math.min(n, bins);
  const edges = new Uint32Array(used + 1);
  const size = Math.floor(n / Math.max(1, used));
  const larger = n - size * used;
  for (let b = 1; b <= used; b += 1) edges[b] = b * size + Math.min(b, larger);
  return edges;
}

/** Edges of bins of equal weight: a row belongs to the bin that contains the middle of its weight. Without weights: `equalFrequencyEdges`. */
export function equalWeightEdges(n: number, bins: number, weights: Float64Array | null): Uint32Array {
  if (!weights) return equalFrequencyEdges(n, bins);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const edges = [0];
  let before = 0;
  for (let i = 0; i < n; i += 1) {
    const bin = Math.floor((bins * (before + weights[i]! / 2)) / total);
    if (i > 0 && bin >= edges.length) {
      while (edges.length <= bin) edges.push(i);
    }
    before += weights[i]!;
  }
  return Uint32Array.from([...new Set([...edges, n])]);
}

/**
 * The same edges, moved up to the end of any run of equal scores they would split, so that no bin depends on the order of equal rows. There may be
 * fewer bins; a constant score has one.
 * @example
 * unsplitEdges([0.1, 0.2, 0.2, 0.2, 0.3, 0.4], [0, 2, 4, 6]) // => [0, 4, 6]
 */
export function unsplitEdges(sorted: Float64Array, edges: Uint32Array): Uint32Array {
  const moved: number[] = [];
  for (const edge of edges) {
    const end = edge === 0 ? 0 : runEnd(sorted, edge);
    if (end !== moved.at(-1)) moved.push(end);
  }
  return Uint32Array.from(moved);
}

/** End of the run of equal scores that crosses `edge`; `edge` itself if there is no such run. */
export function runEnd(sorted: Float64Array, edge: number): number {
  if (edge === 0 || edge >= sorted.length || sorted[edge - 1] !== sorted[edge]) return edge;
  return firstAbove(sorted, sorted[edge]!);
}

/** Start of the run of equal scores that crosses `edge`; `edge` itself if there is no such run. */
export function runStart(sorted: Float64Array, edge: number): number {
  if (edge === 0 || edge >= sorted.length || sorted[edge - 1] !== sorted[edge]) return edge;
  return firstWhere(0, edge, (k) => sorted[k]! >= sorted[edge]!);
}

/**
 * Edges of bins of equal width, closed above: (0, 1/bins], …, (1 − 1/bins, 1], a score of 0 in the first. Some may be empty.
 * @example
 * equalWidthEdges([0, 0.1, 0.15, 0.9], 10) // => [0, 2, 3, 3, 3, 3, 3, 3, 3, 4, 4]
 */
export function equalWidthEdges(sorted: Float64Array, bins: number = PAPER_BINS): Uint32Array {
  const edges = new Uint32Array(bins + 1);
  for (let b = 1; b < bins; b += 1) edges[b] = firstAbove(sorted, b / bins);
  edges[bins] = sorted.length;
  return edges;
}

/** Number of scores that are at most `limit`. */
function firstAbove(sorted: Float64Array, limit: number): number {
  return firstWhere(0, sorted.length, (k) => sorted[k]! > limit);
}

/** Scores with their 0/1 targets in ascending order of the score, equal scores in the order of rows. */
export interface SortedScores {
  n: number;
  scores: Float64Array;
  targets: Uint8Array;
  /** Index of each row in the input. */
  rows: Uint32Array;
  /** Weight of each row; null: equal weights. */
  weights: Float64Array | null;
  /** Rows with target 1. */
  positives: number;
  /** Rows of the input without a score, or without a target. */
  leftOut: { no_score: number; no_target: number };
}

/**
 * Sorts the rows once for all measures of calibration that need them in order. A NaN score or a target other than 0 or 1 means "absent": such rows
 * are left out and counted. RangeError if a score is outside [0, 1].
 */
export function sortScores(score: Float64Array, target: Uint8Array, weight: Float64Array | null = null): SortedScores {
  if (score.length !== target.length) {
    throw new RangeError(`scores: not one a target; got ${score.length} scores and ${target.length} targets`);
  }
  const leftOut = { no_score: 0, no_target: 0 };
  const kept = new Uint32Array(score.length);
  let n = 0;
  for (let i = 0; i < score.length; i += 1) {
    const s = score[i]!;
    if (target[i]! > 1) leftOut.no_target += 1;
    else if (s >= 0 && s <= 1) {
      kept[n] = i;
      n += 1;
    } else if (Number.isNaN(s)) leftOut.no_score += 1;
    else throw new RangeError(`score: not a probability; got ${s} in row ${i}, expected 0 to 1`);
  }
  const complete = n === score.length;
  const order = sortedOrder(complete ? score : gather(score, kept.subarray(0, n), new Float64Array(n)));
  const scores = new Float64Array(n);
  const targets = new Uint8Array(n);
  const weights = weight ? new Float64Array(n) : null;
  let positives = 0;
  for (let i = 0; i < n; i += 1) {
    const row = complete ? order[i]! : kept[order[i]!]!;
    order[i] = row;
    scores[i] = score[row]!;
    targets[i] = target[row]!;
    if (weights) weights[i] = weight![row]!;
    positives += targets[i]!;
  }
  return { n, scores, targets, rows: order, weights, positives, leftOut };
}

/** The values of some rows. Uses a loop: `from` with a function takes ten times as long for a million rows. */
export function gather<T extends Float64Array | Uint8Array>(values: T, rows: Uint32Array, out: T): T {
  for (let i = 0; i < rows.length; i += 1) out[i] = values[rows[i]!]!;
  return out;
}
