import { logSumExp } from "../../../stats/distributions/special-functions.js";
import type { ReviewedThread } from "../realised-risk.js";

/** Odds of the rates to detect, relative to the odds of the limit: from a slow change to a broken model. */
export const DRIFT_ODDS_RATIOS: readonly number[] = Object.freeze([1.5, 2, 3, 5, 10]);

/**
 * Rates above a limit to detect, defined by odds so that they stay below 1 for any limit.
 *
 * Formula: p1 = ρ p0 / (1 − p0 + ρ p0) for each odds ratio ρ.
 * Range: (p0, 1), rising with ρ.
 * Undefined when: p0 outside (0, 1), no odds ratio, or one that is not above 1: RangeError.
 * Differs from the paper: not in the paper.
 * @see `eDetector`
 * @example
 * driftAlternatives(0.1, [2]) // => [0.18181818181818182]
 */
export function driftAlternatives(p0: number, oddsRatios: readonly number[] = DRIFT_ODDS_RATIOS): number[] {
  checkRate("p0", p0);
  if (oddsRatios.length === 0) throw new RangeError("odds ratios: none; expected at least one number above 1");
  return oddsRatios.map((ratio) => {
    if (!(ratio > 1 && ratio < Infinity)) {
      throw new RangeError(`odds ratio: nothing to detect; got ${ratio}, expected a number above 1`);
    }
    return (ratio * p0) / (1 - p0 + ratio * p0);
  });
}

export function checkRate(name: string, rate: number): void {
  if (!(rate > 0 && rate < 1)) throw new RangeError(`${name}: not a rate; got ${rate}, expected between 0 and 1`);
}

export function checkObservation(x: number): void {
  if (!(x >= 0 && x <= 1)) {
    throw new RangeError(
      `observation: outside 0 to 1; got ${x}, expected 0, 1 or a probability (leave out rows without a verdict)`,
    );
  }
}

/** A statistic is capped here instead of overflowing. A smaller statistic can only alarm later, so the guarantee holds. */
const LARGEST = 1e300;

/** Factors of one observation, for each rate to detect. */
export interface EDetectorFactors {
  p0: number;
  p1: readonly number[];
  /** p1 / p0: factor of a 1. */
  up: Float64Array;
  /** (1 − p1) / (1 − p0): factor of a 0. */
  down: Float64Array;
}

export interface EDetectorOptions {
  /** Largest acceptable rate: the gate's limit. An estimate of the usual rate voids the guarantee. */
  p0: number;
  /** Alarm at M ≥ 1/α. */
  alpha: number;
  /** Rates to detect; default `driftAlternatives(p0)`. */
  p1?: readonly number[] | undefined;
}

export interface EDetectorResult {
  /** Index of the observation that raised the alarm; null: no alarm. */
  alarm: number | null;
  /** ln M at the alarm, or at the end; null before the first observation, where M = 0. */
  log_statistic: number | null;
  log_threshold: number;
}

export function eDetectorFactors(p0: number, p1: readonly number[] = driftAlternatives(p0)): EDetectorFactors {
  checkRate("p0", p0);
  if (p1.length === 0) throw new RangeError("p1: none; expected at least one rate above p0");
  for (const rate of p1) {
    if (!(rate > p0 && rate < 1))
      throw new RangeError(`p1: nothing to detect; got ${rate}, expected above p0 = ${p0} and below 1`);
  }
  const up = Float64Array.from(p1, (rate) => rate / p0);
  const down = Float64Array.from(p1, (rate) => (1 - rate) / (1 - p0));
  return { p0, p1: [...p1], up, down };
}

/**
 * Adds one observation to the statistics from `offset` on, in place; returns their mean M. With a weight u in (0, 1] the factor is 1 + u(e − 1) = 1
 * + λu(x − p0), λ = (p1 − p0)/(p0(1 − p0)) < 1/p0.
 */
export function stepEDetector(
  statistics: Float64Array,
  offset: number,
  x: number,
  factors: EDetectorFactors,
  weight = 1,
): number {
  const { up, down } = factors;
  let sum = 0;
  for (let i = 0; i < up.length; i += 1) {
    const e = down[i]! + x * (up[i]! - down[i]!);
    const factor = weight === 1 ? e : 1 + weight * (e - 1);
    const next = Math.min((statistics[offset + i]! + 1) * factor, LARGEST);
    statistics[offset + i] = next;
    sum += next / up.length;
  }
  return sum;
}

/**
 * Detects a rate above a limit in a stream of 0 and 1 (or probabilities): Shiryaev–Roberts e-detector, averaged over the rates to detect. While the
 * rate is within the limit, at least 1/α observations pass on average before an alarm. No simulation is needed.
 *
 * Formula: M_t = mean over p1 of M_t(p1), M_t(p1) = (M_{t−1}(p1) + 1)·e_t, e_t = x p1/p0 + (1 − x)(1 − p1)/(1 − p0), M_0 = 0; alarm at M ≥ 1/α.
 * Why: E[e_t | past] ≤ 1 while E[x_t | past] ≤ p0, so M_t − t is a supermartingale and E[M_T] ≤ E[T] at the alarm T. Observations may depend on
 * each other and lie between 0 and 1.
 * Range: `alarm` is an index or null. Statistics are capped at 1e300.
 * Undefined when: p0 or α outside (0, 1), a p1 not above p0, x outside [0, 1]: RangeError. An empty stream: no alarm.
 * Differs from the paper: not in the paper.
 * @see Shin, Ramdas and Rinaldo (2024), New England Journal of Statistics in Data Science 2:229-260
 * @example
 * eDetector([0, 1, 1, 1], { p0: 0.1, alpha: 0.01, p1: [0.5] }).alarm // => 3
 */
export function eDetector(x: ArrayLike<number>, options: EDetectorOptions): EDetectorResult {
  checkRate("alpha", options.alpha);
  const factors = eDetectorFactors(options.p0, options.p1);
  const statistics = new Float64Array(factors.up.length);
  const threshold = 1 / options.alpha;
  const log_threshold = Math.log(threshold);
  let m = 0;
  for (let t = 0; t < x.length; t += 1) {
    checkObservation(x[t]!);
    m = stepEDetector(statistics, 0, x[t]!, factors);
    if (m >= threshold) return { alarm: t, log_statistic: Math.log(m), log_threshold };
  }
  return { alarm: null, log_statistic: m === 0 ? null : Math.log(m), log_threshold };
}

/**
 * Logarithm of the evidence that a rate has been above a limit since counting began, for comparison across communities (e-BH). While the rate is
 * within the limit, the mean of the e-value stays at most 1 at every time, however often it is checked. A Shiryaev–Roberts statistic cannot be used
 * here because its mean grows with time.
 *
 * Formula: ln E = ln mean over p1 of (p1/p0)^k ((1 − p1)/(1 − p0))^{n−k}.
 * Range: any real number, 0 at n = 0; rises with k. Fractional k (sums of probabilities) is valid: a^x b^{1−x} ≤ x a + (1 − x) b.
 * Undefined when: k outside 0..n, p0 outside (0, 1), a p1 not above p0: RangeError.
 * Differs from the paper: not in the paper.
 * @see Ramdas, Grünwald, Vovk and Shafer (2023), Statistical Science 38:576-601; `logOneSidedEValue` is the other direction
 * @example
 * productLogE(2, 2, 0.1, [0.5]) // => 3.2188758
 */
export function productLogE(k: number, n: number, p0: number, p1: readonly number[] = driftAlternatives(p0)): number {
  checkRate("p0", p0);
  if (!(n >= 0 && n < Infinity && k >= 0 && k <= n)) {
    throw new RangeError(`counts: outside 0 to n; got k = ${k} of n = ${n}, expected 0 ≤ k ≤ n`);
  }
  const terms = p1.map((rate) => {
    if (!(rate > p0 && rate < 1))
      throw new RangeError(`p1: nothing to detect; got ${rate}, expected above p0 = ${p0} and below 1`);
    return k * Math.log(rate / p0) + (n - k) * (Math.log1p(-rate) - Math.log1p(-p0));
  });
  return logSumExp(terms) - Math.log(terms.length);
}

/** A statistic is capped here instead of overflowing. A smaller statistic can only alarm later, so the guarantee holds. */
const LARGEST_REVIEW = 1e300;

export interface ReviewAlarm {
  /** Time of the thread that raised the alarm, in ms since 1970. */
  time: number;
  log_statistic: number;
  log_threshold: number;
  /** Threads up to the alarm, and how many had a bad review. */
  threads: number;
  bad: number;
}

/**
 * Detects, from reviewed threads in the order of routing, a realised risk above its limit.
 *
 * Formula: the e-detector's recursion M = (M + 1)·e with e = 1 + λu(x − p0), λ = (p1 − p0)/(p0(1 − p0)), averaged over the alternatives p1; alarm
 * at M ≥ `runLength`.
 * Why: E[e | past] ≤ 1 while E[u(x − p0) | past] ≤ 0, so on average at least `runLength` threads pass before a false alarm.
 * Range: an alarm, or null.
 * Undefined when: p0 outside (0, 1): RangeError.
 * Differs from the paper: not in the paper.
 * @see `eDetector`
 * @example
 * reviewAlarm([{ weight: 1, value: 1, time: 5 }], { p0: 0.01, runLength: 10 })!.time // => 5
 */
export function reviewAlarm(
  threads: readonly ReviewedThread[],
  { p0, runLength }: { p0: number; runLength: number },
): ReviewAlarm | null {
  checkRate("p0", p0);
  const { up, down } = eDetectorFactors(p0, driftAlternatives(p0));
  const statistics = new Float64Array(up.length);
  let bad = 0;
  for (const [i, { weight, value, time }] of threads.entries()) {
    if (value > 0) bad += 1;
    let mean = 0;
    for (let a = 0; a < up.length; a += 1) {
      const full = down[a]! + value * (up[a]! - down[a]!);
      const next = Math.min((statistics[a]! + 1) * (1 + weight * (full - 1)), LARGEST_REVIEW);
      statistics[a] = next;
      mean += next / up.length;
    }
    if (mean >= runLength) {
      return { time, log_statistic: Math.log(mean), log_threshold: Math.log(runLength), threads: i + 1, bad };
    }
  }
  return null;
}
