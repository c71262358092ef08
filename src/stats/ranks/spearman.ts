import {
  CONFIDENCE_LEVEL,
  type DefinedEstimate,
  type UndefinedEstimate,
  undefinedEstimate,
} from "../../core/estimate.js";
import { checkLevel, checkNumbers } from "../check-arguments.js";
import { logGamma } from "../distributions/log-gamma.js";
import { normalQuantile } from "../distributions/normal-quantile.js";
import { studentTCdf } from "../distributions/student-t-cdf.js";
import { averageRanks } from "./average-ranks.js";

/** An Estimate with the two-sided p-value of "no association". */
export type RankCorrelation =
  | (DefinedEstimate & { p_value: number; p_method: "exact permutation" | "t" })
  | (UndefinedEstimate & { p_value: null });

/** Up to this many rows all n! orders are enumerated. */
const EXACT_UP_TO = 8;

/**
 * Spearman's rank correlation of two columns: do they rise together, whatever their scales?
 *
 * Formula: ρ = Pearson correlation of average ranks. Interval tanh(atanh ρ ± z √((1 + ρ²/2)/(n−3))). p: share of the n!
 * orders with |ρ| at least as large for n ≤ 8; else two-sided t_{n−2} of ρ √((n−2)/(1−ρ²)), never below 2/n!, the least
 * any order test can give.
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
