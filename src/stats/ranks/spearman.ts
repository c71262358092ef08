import {
  CONFIDENCE_LEVEL,
  type DefinedEstimate,
  type UndefinedEstimate,
  undefinedEstimate,
} from "../../core/estimate.js";
import { checkLevel, checkNumbers } from "../check-arguments.js";
import { studentTCdf } from "../distributions/incomplete-beta.js";
import { normalQuantile } from "../distributions/normal.js";
import { logGamma } from "../distributions/special-functions.js";
import { averageRanks } from "./sorted-order.js";

/** An Estimate with the two-sided p-value of "no association". */
export type RankCorrelation =
  | (DefinedEstimate & { p_value: number; p_method: "exact permutation" | "t" })
  | (UndefinedEstimate & { p_value: null });

/** Up to this many rows, all n! orders are enumerated. */
const EXACT_UP_TO = 8;

/**
 * Spearman's rank correlation of two columns: do they rise together, whatever their scales?
 *
 * Formula: ρ = Pearson correlation of average ranks. Interval tanh(atanh ρ ± z √((1 + ρ²/2)/(n−3))). p: share of the n!
 * orders with |ρ| at least as large for n ≤ 8; else two-sided t_{n−2} of ρ √((n−2)/(1−ρ²)), never below 2/n!, the smallest
 * value any permutation test can give.
 * Range: [−1, 1]; 0 no monotone association. At ρ = ±1 the interval would have no width, so its inner end is that of
 * the nearest imperfect order, ρ = ±(1 − 12/(n³−n)); with n = 3 it is the whole range.
 * Undefined when: fewer than 3 rows, or a column is constant. RangeError when lengths differ or a value is NaN.
 * Differs from the paper: the paper prints ρ without interval.
 * @see Bonett and Wright (2000), Psychometrika 65:23-28
 * @example
 * spearman([1, 2, 3, 4], [1, 3, 2, 4]).estimate // => 0.8
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>, level = CONFIDENCE_LEVEL): RankCorrelation {
  checkLevel(level);
  const n = x.length;
  if (y.length !== n) throw new RangeError(`columns: of different length; got ${n} and ${y.length}, expected the same`);
  checkNumbers("first column", x);
  checkNumbers("second column", y);
  if (n < 3) return { ...undefinedEstimate("fewer than 3 rows", n), p_value: null };
  const rankX = centredRanks(x);
  const rankY = centredRanks(y);
  const scale = Math.sqrt(dot(rankX, rankX) * dot(rankY, rankY));
  if (scale === 0) return { ...undefinedEstimate("a column is constant", n), p_value: null };
  const estimate = Math.max(-1, Math.min(1, dot(rankX, rankY) / scale));
  const exact = n <= EXACT_UP_TO;
  return {
    estimate,
    ...interval(estimate, n, level),
    level,
    method: "Bonett-Wright",
    n,
    p_value: exact ? exactP(rankX, rankY) : tailP(estimate, n),
    p_method: exact ? "exact permutation" : "t",
    ...(n === 3 && { warnings: ["3 rows: the interval is the whole range"] }),
  };
}

/** 2 rank − (n+1): integers, so that every sum of products is exact and independent of the order of rows. */
function centredRanks(x: ArrayLike<number>): number[] {
  return averageRanks(x).map((rank) => 2 * rank - (x.length + 1));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function interval(rho: number, n: number, level: number): { lower: number; upper: number } {
  if (n === 3) return { lower: -1, upper: 1 };
  const imperfect = 1 - 12 / (n ** 3 - n);
  const centre = Math.abs(rho) === 1 ? rho * imperfect : rho;
  const half = normalQuantile((1 + level) / 2) * Math.sqrt((1 + centre ** 2 / 2) / (n - 3));
  return {
    lower: rho === -1 ? -1 : Math.tanh(Math.atanh(centre) - half),
    upper: rho === 1 ? 1 : Math.tanh(Math.atanh(centre) + half),
  };
}

function tailP(rho: number, n: number): number {
  const least = Math.exp(Math.LN2 - logGamma(n + 1));
  if (Math.abs(rho) === 1) return least;
  const t = rho * Math.sqrt((n - 2) / ((1 - rho) * (1 + rho)));
  return Math.max(least, 2 * studentTCdf(-Math.abs(t), n - 2));
}

function exactP(rankX: readonly number[], rankY: readonly number[]): number {
  const observed = Math.abs(dot(rankX, rankY));
  const taken = rankY.map(() => false);
  let orders = 0;
  let asExtreme = 0;
  const place = (row: number, sum: number): void => {
    if (row === rankX.length) {
      orders += 1;
      if (Math.abs(sum) >= observed) asExtreme += 1;
      return;
    }
    for (let i = 0; i < rankY.length; i += 1) {
      if (taken[i]) continue;
      taken[i] = true;
      place(row + 1, sum + rankX[row]! * rankY[i]!);
      taken[i] = false;
    }
  };
  place(0, 0);
  return asExtreme / orders;
}

/**
 * Spearman's rank correlation as a function of how much each row counts: of a population, from rows that were drawn with unequal chances.
 *
 * Formula: the rank of a row is the weight below its value plus half the weight at it; ρ is the weighted Pearson correlation of these ranks. Rows are
 * sorted once; each call walks them twice.
 * Range: [−1, 1]; with equal weights the ρ of `spearman`.
 * Undefined when: fewer than 3 rows have weight, or a column is constant on them (null). RangeError when a value is not a number.
 * Differs from the paper: the paper's ρ is of its thirty cases, which are no sample of a run.
 * @see `stratifiedJackknife` for its interval
 * @example
 * weightedSpearman([1, 2, 3, 4], [1, 3, 2, 4])(Float64Array.of(1, 1, 1, 1)) // => 0.8
 */
export function weightedSpearman(x: ArrayLike<number>, y: ArrayLike<number>): (weights: Float64Array) => number | null {
  checkNumbers("x", x);
  checkNumbers("y", y);
  const orders = [x, y].map((values) =>
    Uint32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => values[a]! - values[b]!),
  );
  const ranks = [new Float64Array(x.length), new Float64Array(x.length)];
  return (weights) => {
    let [total, rows] = [0, 0];
    for (const weight of weights) {
      total += weight;
      if (weight > 0) rows += 1;
    }
    if (rows < 3) return null;
    for (const [c, values] of [x, y].entries()) rankInto(values, orders[c]!, weights, ranks[c]!);
    const [rx, ry] = ranks as [Float64Array, Float64Array];
    // The mean rank is total/2, whatever the ties.
    const middle = total / 2;
    let [xy, xx, yy] = [0, 0, 0];
    for (let i = 0; i < weights.length; i += 1) {
      const [a, b] = [rx[i]! - middle, ry[i]! - middle];
      xy += weights[i]! * a * b;
      xx += weights[i]! * a * a;
      yy += weights[i]! * b * b;
    }
    const least = 1e-12 * total ** 3;
    return xx <= least || yy <= least ? null : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  };
}

function rankInto(values: ArrayLike<number>, order: Uint32Array, weights: Float64Array, out: Float64Array): void {
  let below = 0;
  for (let from = 0; from < order.length; ) {
    let [to, at] = [from, 0];
    for (; to < order.length && values[order[to]!] === values[order[from]!]; to += 1) at += weights[order[to]!]!;
    for (; from < to; from += 1) out[order[from]!] = below + at / 2;
    below += at;
  }
}

/**
 * The largest Spearman correlation that a column without ties can have with a column of zeros and ones. A correlation with a binary
 * partner must be compared with this bound, not with 1.
 *
 * Formula: √(3 p (1 − p)), p the share of ones; then ρ / bound = 2 AUC − 1.
 * Range: [0, 0.866]; greatest at p = ½. It is the limit for many rows; n rows allow n / √(n² − 1) times as much.
 * Undefined when: p is outside [0, 1]: RangeError. At 0 and 1 it is 0: the partner is constant.
 * Differs from the paper: the paper prints ρ = 0.59 next to a bound of 0.72 without naming it.
 * @see paper §5.4, Table sigma_rho; Cureton (1956), Psychometrika 21:287-290
 * @example
 * binarySpearmanBound(0.222) // => 0.7198
 */
export function binarySpearmanBound(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`share: outside its domain; got ${p}, expected 0 to 1`);
  return Math.sqrt(3 * p * (1 - p));
}

/**
 * Spearman's rank correlation of two columns as a function of row weights, for bootstraps: the ranks of a resample follow
 * from cumulative weights, without sorting again.
 *
 * Formula: with rows repeated w_i times, average rank = Σ of the weights of smaller values + (own + 1)/2 over equal
 * values; ρ = Pearson correlation of these ranks, weighted by w. At w = 1 it is `spearman`.
 * Range: [−1, 1].
 * Undefined when: fewer than 3 rows drawn, or a column is constant among them: null. RangeError when lengths differ or a value is NaN.
 * Differs from the paper: the paper prints ρ without interval.
 * @see `spearman`
 * @example
 * rankCorrelator([1, 2, 3, 4], [1, 3, 2, 4])([1, 1, 1, 1]) // => 0.8
 */
export function rankCorrelator(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): (weights: ArrayLike<number>) => number | null {
  if (x.length !== y.length) {
    throw new RangeError(`columns: of different length; got ${x.length} and ${y.length}, expected the same`);
  }
  const ranksOfX = weightedRanks(x);
  const ranksOfY = weightedRanks(y);
  return (weights) => {
    const rankX = ranksOfX(weights);
    const rankY = ranksOfY(weights);
    let total = 0;
    for (let i = 0; i < x.length; i += 1) total += weights[i]!;
    if (total < 3) return null;
    // The mean rank over all rows, including repeated ones.
    const middle = (total + 1) / 2;
    let [xx, yy, xy] = [0, 0, 0];
    for (let i = 0; i < x.length; i += 1) {
      const dx = rankX[i]! - middle;
      const dy = rankY[i]! - middle;
      xx += weights[i]! * dx * dx;
      yy += weights[i]! * dy * dy;
      xy += weights[i]! * dx * dy;
    }
    if (xx < 1e-9 || yy < 1e-9) return null;
    return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  };
}

function weightedRanks(values: ArrayLike<number>): (weights: ArrayLike<number>) => Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i);
  for (const i of order) {
    if (Number.isNaN(values[i]))
      throw new RangeError(`values: not comparable; got NaN at index ${i}, expected numbers`);
  }
  order.sort((i, j) => (values[i]! < values[j]! ? -1 : values[i]! > values[j]! ? 1 : 0));
  const ranks = new Float64Array(values.length);
  return (weights) => {
    let before = 0;
    for (let start = 0; start < order.length; ) {
      let end = start;
      let own = 0;
      while (end < order.length && values[order[end]!] === values[order[start]!]) own += weights[order[end++]!]!;
      for (let place = start; place < end; place += 1) ranks[order[place]!] = before + (own + 1) / 2;
      before += own;
      start = end;
    }
    return ranks;
  };
}
