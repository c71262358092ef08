import type { ReviewedThread } from "../realised-risk.js";
import { checkRate, driftAlternatives, eDetectorFactors } from "./e-detector.js";

/** A statistic stops here instead of overflowing: a smaller one can only alarm later, so the promise stands. */
const LARGEST = 1e300;

export interface ReviewAlarm {
  /** Time of the thread that raised it, in ms since 1970. */
  time: number;
  log_statistic: number;
  log_threshold: number;
  /** Threads up to the alarm, and how many of them had a bad review. */
  threads: number;
  bad: number;
}

/**
 * Watches reviewed threads, in the order of routing, for a realised risk above its limit.
 *
 * Formula: the e-detector's recursion M = (M + 1)·e with e = 1 + λu(x − p0), λ = (p1 − p0)/(p0(1 − p0)), averaged over the alternatives p1; alarm at M ≥ `runLength`.
 * Why: E[e | past] ≤ 1 while E[u(x − p0) | past] ≤ 0, so that on average at least `runLength` threads pass before a false alarm.
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
      const next = Math.min((statistics[a]! + 1) * (1 + weight * (full - 1)), LARGEST);
      statistics[a] = next;
      mean += next / up.length;
    }
    if (mean >= runLength) {
      return { time, log_statistic: Math.log(mean), log_threshold: Math.log(runLength), threads: i + 1, bad };
    }
  }
  return null;
}
