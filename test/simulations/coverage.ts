import type { Row } from "../../scripts/guarantees.mjs";
import { incompleteBeta } from "../../src/stats/distributions/incomplete-beta.js";
import { normalQuantile } from "../../src/stats/distributions/normal.js";
import type { Interval } from "../../src/stats/intervals/proportion.js";
import type { Rng } from "../../src/stats/random/create-rng.js";

export const EXACT = { draws: null, seed: null };

/** A promise of the nominal coverage that may be missed by a little: the approximate intervals. */
export const about = (nominal: number, at_least: number): Row["promise"] => ({
  kind: "approximate",
  nominal,
  at_least,
});
export const atLeast = (at_least: number): Row["promise"] => ({ kind: "guaranteed", at_least });
export const atMost = (at_most: number): Row["promise"] => ({ kind: "guaranteed", at_most });

export const holds = ({ lower, upper }: Interval, truth: number): boolean => lower <= truth && truth <= upper;

/** Share of simulated intervals that hold the truth. */
export function coverage(draws: number, truth: number, draw: () => Interval): number {
  let hits = 0;
  for (let i = 0; i < draws; i += 1) if (holds(draw(), truth)) hits += 1;
  return hits / draws;
}

/** Mean and standard error. */
export function summary(values: readonly number[]): { mean: number; se: number } {
  const mean = values.reduce((a, b) => a + b) / values.length;
  const se = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1) / values.length);
  return { mean, se };
}

/** A standard normal number. */
export const drawNormal = (rng: Rng): number => normalQuantile(rng.next() + 2 ** -54);

/** P(Bin(n, p) = k) for every k, from the mode outwards. */
export function binomialTable(n: number, p: number): Float64Array {
  const table = new Float64Array(n + 1);
  const mode = Math.floor((n + 1) * p);
  table[Math.min(n, mode)] = 1;
  for (let k = Math.min(n, mode) + 1; k <= n; k += 1) table[k] = (table[k - 1]! * (n - k + 1) * p) / (k * (1 - p));
  for (let k = Math.min(n, mode) - 1; k >= 0; k -= 1) table[k] = (table[k + 1]! * (k + 1) * (1 - p)) / ((n - k) * p);
  const sum = table.reduce((total, value) => total + value, 0);
  return table.map((value) => value / sum);
}

/**
 * Coverage of an interval of one rate, exactly: the mean over true rates `from` to `to`, and the worst of them. Between two
 * neighbouring ends of intervals the same k are covered, and the probability of a range of k has one peak in the rate: the worst rate
 * lies beside an end.
 */
export function rateCoverage(intervals: readonly Interval[], [from, to]: readonly [number, number]) {
  const n = intervals.length - 1;
  let mean = 0;
  intervals.forEach(({ lower, upper }, k) => {
    const [low, high] = [Math.max(from, lower), Math.min(to, upper)];
    if (high > low) mean += incompleteBeta(high, k + 1, n - k + 1) - incompleteBeta(low, k + 1, n - k + 1);
  });
  const beside = intervals.flatMap(({ lower, upper }) => [lower - 1e-9, lower + 1e-9, upper - 1e-9, upper + 1e-9]);
  let worst = 1;
  for (const p of [from, to, ...beside]) {
    if (p < from || p > to) continue;
    const probability = binomialTable(n, p);
    const held = intervals.reduce((sum, interval, k) => sum + (holds(interval, p) ? probability[k]! : 0), 0);
    worst = Math.min(worst, held);
  }
  return { mean: mean / ((n + 1) * (to - from)), worst };
}

const THREAD_SIZES = [
  { n: 1, share: 0.5 },
  { n: 2, share: 0.25 },
  { n: 5, share: 0.13 },
  { n: 10, share: 0.07 },
  { n: 20, share: 0.05 },
];

/**
 * Threads of which the larger are worse: a decision of a thread of n is bad with a probability in proportion to √n. If a thread counts as at most
 * `cap` decisions, the rate is exactly `limit`; `rate` is that of all decisions.
 */
export function worseLargeThreads(limit: number, cap: number) {
  const badness = (n: number) => Math.sqrt(n);
  const mean = (of: (n: number) => number) => THREAD_SIZES.reduce((sum, { n, share }) => sum + share * of(n), 0);
  const scale = (limit * mean((n) => Math.min(n, cap))) / mean((n) => Math.min(n, cap) * badness(n));
  const rate = (scale * mean((n) => n * badness(n))) / mean((n) => n);
  const drawThread = (rng: Rng): { n: number; own: number } => {
    let u = rng.next();
    const size = THREAD_SIZES.find(({ share }) => {
      u -= share;
      return u < 0;
    });
    const { n } = size ?? THREAD_SIZES[0]!;
    return { n, own: scale * badness(n) };
  };
  return { rate, drawThread };
}
