import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../domain/estimate.js";
import { linearizedInterval } from "../../stats/linearized-interval.js";
import { newcombeInterval } from "../../stats/newcombe-interval.js";
import { normalQuantile } from "../../stats/normal-quantile.js";

/** Counts of one community on both sides of a comparison of different decisions. */
export interface TwoRates {
  k1: number;
  n1: number;
  k0: number;
  n0: number;
}

/** Rate in the first group less the rate in the second: Newcombe's interval, and one that lets rows of a community depend on each other. */
export function rateDifference(clusters: readonly TwoRates[], empty: string): Estimate {
  const total = (name: keyof TwoRates) => clusters.reduce((sum, one) => sum + one[name], 0);
  const [k1, n1, k0, n0] = [total("k1"), total("n1"), total("k0"), total("n0")];
  if (n1 === 0 || n0 === 0) return undefinedEstimate(empty, n1 + n0);
  const [p1, p0] = [k1 / n1, k0 / n0];
  const sums = clusters.map((one) => (one.k1 - p1 * one.n1) / n1 - (one.k0 - p0 * one.n0) / n0);
  const cluster = linearizedInterval(p1 - p0, sums, CONFIDENCE_LEVEL, [-1, 1]);
  return {
    estimate: p1 - p0,
    ...newcombeInterval(k1, n1, k0, n0),
    level: CONFIDENCE_LEVEL,
    method: "Newcombe",
    n: n1 + n0,
    ...(cluster && { cluster }),
  };
}

/** Decisions of one community that count on one of two sides only. */
export interface PairedErrors {
  plus: number;
  minus: number;
  n: number;
}

/** Rate by the auditor less the rate by the truth, on the same decisions: (plus − minus)/n, with its paired variance. */
export function pairedDifference(clusters: readonly PairedErrors[], empty: string): Estimate {
  const { n, mean, variance } = errorOf(clusters);
  if (n < 2) return undefinedEstimate(n === 0 ? empty : "one decision has no interval", n);
  const sums = clusters.filter((one) => one.n > 0).map((one) => (one.plus - one.minus - mean * one.n) / n);
  return normalEstimate(mean, variance, sums, n);
}

/** The error of one group of decisions less that of another; clusters stand in the same order on both sides. */
export function errorDifference(
  first: readonly PairedErrors[],
  second: readonly PairedErrors[],
  empty: string,
): Estimate {
  const [a, b] = [errorOf(first), errorOf(second)];
  if (a.n < 2 || b.n < 2) return undefinedEstimate(empty, a.n + b.n);
  const part = (one: PairedErrors, { n, mean }: { n: number; mean: number }) =>
    (one.plus - one.minus - mean * one.n) / n;
  const sums = first.map((one, i) => part(one, a) - part(second[i]!, b));
  return normalEstimate(a.mean - b.mean, a.variance + b.variance, sums, a.n + b.n);
}

/** Mean of rows that are +1, −1 or 0, and its variance. */
function errorOf(clusters: readonly PairedErrors[]): { n: number; mean: number; variance: number } {
  const total = (name: keyof PairedErrors) => clusters.reduce((sum, one) => sum + one[name], 0);
  const [plus, minus, n] = [total("plus"), total("minus"), total("n")];
  const mean = n > 0 ? (plus - minus) / n : 0;
  return { n, mean, variance: n > 1 ? ((plus + minus) / n - mean * mean) / (n - 1) : 0 };
}

function normalEstimate(estimate: number, variance: number, sums: readonly number[], n: number): Estimate {
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * Math.sqrt(variance);
  const cluster = linearizedInterval(estimate, sums, CONFIDENCE_LEVEL, [-1, 1]);
  return {
    estimate,
    lower: Math.max(-1, estimate - half),
    upper: Math.min(1, estimate + half),
    level: CONFIDENCE_LEVEL,
    method: "paired, normal",
    n,
    ...(cluster && { cluster }),
  };
}
