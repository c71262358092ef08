import { digamma, logRisingFactorial, trigamma } from "./special-functions.js";

/** Range of the concentration M = a + b: from "communities have nothing in common" to "they are identical". */
const LEAST_CONCENTRATION = 0.05;
const GREATEST_CONCENTRATION = 1e5;
/** Bound of |logit μ|: a mean of 1e-6 is practically 0. */
export const GREATEST_LOGIT = 14;

/** Optional prior: pseudo-counts of the mean, and the half-way point of a uniform shrinkage prior of M. */
export interface HyperPrior {
  /** Exponent of μ and of 1 − μ, as a density in logit μ: ½ is Jeffreys. */
  mean: number;
  /** n₀ with n₀/(n₀+M) uniform on (0, 1); null: no prior. */
  halfway: number | null;
}

export const NO_PRIOR: HyperPrior = { mean: 0, halfway: null };

/** The best mean for one concentration. */
export interface ProfilePoint {
  logConcentration: number;
  logitMean: number;
  value: number;
  /** Derivative of the profile by ln M (the envelope theorem: the mean's own derivative is 0). */
  slope: number;
  /** −∂²/∂(logit μ)² at the best mean. */
  curvature: number;
}

/** Log-likelihood plus log-prior, as a density in (logit μ, ln M). */
export function objectiveAt(sums: BetaBinomialSums, logit: number, logM: number, prior: HyperPrior): number {
  const odds = Math.exp(-Math.abs(logit));
  const small = odds / (1 + odds);
  const mean = logit < 0 ? small : 1 / (1 + odds);
  const meanPart = prior.mean === 0 ? 0 : prior.mean * (-Math.abs(logit) - 2 * Math.log1p(odds));
  const m = Math.exp(logM);
  const shrinkage = prior.halfway === null ? 0 : logM + Math.log(prior.halfway) - 2 * Math.log(m + prior.halfway);
  return logLikelihoodOf(sums, mean, m) + meanPart + shrinkage;
}

/**
 * Maximises over the mean at a fixed concentration: Newton in logit μ inside a bracket. The objective is concave in μ,
 * so its derivative changes sign once and the bracket always holds the maximum.
 */
export function profileAt(sums: BetaBinomialSums, logM: number, start: number, prior: HyperPrior): ProfilePoint {
  const m = Math.exp(logM);
  let low = -GREATEST_LOGIT;
  let high = GREATEST_LOGIT;
  let logit = Math.max(low, Math.min(high, start));
  let slope = 0;
  let curvature = 0;
  for (let step = 0; step < 60; step += 1) {
    const mean = 1 / (1 + Math.exp(-logit));
    const spread = mean * (1 - mean);
    const at = likelihoodAt(sums, mean, m);
    const first = at.byMean * spread + prior.mean * (1 - 2 * mean);
    const second = at.byMeanTwice * spread * spread + at.byMean * spread * (1 - 2 * mean) - 2 * prior.mean * spread;
    slope = at.byLogConcentration + (prior.halfway === null ? 0 : 1 - (2 * m) / (m + prior.halfway));
    curvature = -second;
    if (first > 0) low = logit;
    else high = logit;
    const newton = second < 0 ? logit - first / second : Number.NaN;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    const moved = Math.abs(next - logit);
    logit = next;
    if (moved < 1e-11 || high - low < 1e-11) break;
  }
  return { logConcentration: logM, logitMean: logit, value: objectiveAt(sums, logit, logM, prior), slope, curvature };
}

/** The profile at equally spaced ln M over the box, ends included. */
export function scanProfile(sums: BetaBinomialSums, points: number, start: number, prior: HyperPrior): ProfilePoint[] {
  const low = Math.log(LEAST_CONCENTRATION);
  const width = Math.log(GREATEST_CONCENTRATION) - low;
  const found: ProfilePoint[] = [];
  let logit = start;
  // From the top: at M = 1e5 the best mean is the pooled rate, which is the starting value.
  for (let i = points - 1; i >= 0; i -= 1) {
    const point = profileAt(sums, low + (width * i) / (points - 1), logit, prior);
    logit = point.logitMean;
    found.push(point);
  }
  return found.reverse();
}

/** Distinct values and their counts, ascending: sums over them do not depend on the order of the rows. */
interface Histogram {
  value: Float64Array;
  times: Float64Array;
}

/** Counts of many cohorts in the form a beta-binomial likelihood needs: it is a sum of separate terms in k, n − k and n. */
export interface BetaBinomialSums {
  successes: Histogram;
  failures: Histogram;
  trials: Histogram;
  cohorts: number;
}

interface LikelihoodAt {
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
function logLikelihoodOf(sums: BetaBinomialSums, mean: number, concentration: number): number {
  const rising = (h: Histogram, a: number) => weigh(h, (k) => logRisingFactorial(a, k));
  return (
    rising(sums.successes, mean * concentration) +
    rising(sums.failures, (1 - mean) * concentration) -
    rising(sums.trials, concentration)
  );
}

/** Its derivatives. For a fixed M it is concave in μ: both rising factorials are sums of ln(linear in μ). */
function likelihoodAt(sums: BetaBinomialSums, mean: number, concentration: number): LikelihoodAt {
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
