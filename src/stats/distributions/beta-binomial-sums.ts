import { digamma } from "./digamma.js";
import { logRisingFactorial } from "./log-rising-factorial.js";
import { trigamma } from "./trigamma.js";

/** Distinct values and how often each occurs, ascending: sums over them do not depend on the order of the rows. */
interface Histogram {
  value: Float64Array;
  times: Float64Array;
}

/** Counts of many cohorts, as a beta-binomial likelihood needs them: it is a sum over k, over n − k and over n apart. */
export interface BetaBinomialSums {
  successes: Histogram;
  failures: Histogram;
  trials: Histogram;
  cohorts: number;
}

export interface LikelihoodAt {
  /** Derivatives by the mean: first and second. */
  byMean: number;
  byMeanTwice: number;
  /** Derivative by ln M. */
  byLogConcentration: number;
}

export function betaBinomialSums(counts: readonly { k: number; n: number }[]): BetaBinomialSums {
  return {
    successes: histogram(counts.map((count) => count.k)),
    failures: histogram(counts.map((count) => count.n - count.k)),
    trials: histogram(counts.map((count) => count.n)),
    cohorts: counts.length,
  };
}

/** Σ ln B(a+k, b+n−k) − ln B(a, b), a = μM, b = (1−μ)M. */
export function logLikelihoodOf(sums: BetaBinomialSums, mean: number, concentration: number): number {
  const rising = (h: Histogram, a: number) => weigh(h, (k) => logRisingFactorial(a, k));
  return (
    rising(sums.successes, mean * concentration) +
    rising(sums.failures, (1 - mean) * concentration) -
    rising(sums.trials, concentration)
  );
}

/** Its derivatives. For a fixed M it is concave in μ: both rising factorials are sums of ln(linear in μ). */
export function likelihoodAt(sums: BetaBinomialSums, mean: number, concentration: number): LikelihoodAt {
  const a = mean * concentration;
  const b = (1 - mean) * concentration;
  const up = weigh(sums.successes, difference(digamma, a));
  const down = weigh(sums.failures, difference(digamma, b));
  const curve = weigh(sums.successes, difference(trigamma, a)) + weigh(sums.failures, difference(trigamma, b));
  const all = weigh(sums.trials, difference(digamma, concentration));
  return {
    byMean: concentration * (up - down),
    byMeanTwice: concentration * concentration * curve,
    byLogConcentration: concentration * (mean * up + (1 - mean) * down - all),
  };
}

function difference(f: (x: number) => number, a: number): (k: number) => number {
  const base = f(a);
  return (k) => (k === 0 ? 0 : f(a + k) - base);
}

function weigh({ value, times }: Histogram, f: (value: number) => number): number {
  let sum = 0;
  for (let i = 0; i < value.length; i += 1) sum += times[i]! * f(value[i]!);
  return sum;
}

function histogram(values: number[]): Histogram {
  const sorted = Float64Array.from(values).sort();
  const value: number[] = [];
  const times: number[] = [];
  for (const v of sorted) {
    if (value.length > 0 && value[value.length - 1] === v) times[times.length - 1]! += 1;
    else {
      value.push(v);
      times.push(1);
    }
  }
  return { value: Float64Array.from(value), times: Float64Array.from(times) };
}
