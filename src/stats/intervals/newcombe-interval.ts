import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import { squareAndAdd } from "../optimise/cosine-transform.js";
import type { Interval } from "./proportion.js";
import { wilsonInterval } from "./wilson-interval.js";

/**
 * Newcombe interval of a difference of two independent proportions, p1 − p2: for comparing the same rate in two sets of
 * rows.
 *
 * Formula: with Wilson bounds l, u of each and d = p1 − p2:
 * lower = d − √((p1−l1)² + (u2−p2)²), upper = d + √((u1−p1)² + (p2−l2)²).
 * Range: within [−1, 1], encloses d; mirrored when the two samples change places.
 * Undefined when: either sample is empty or has k outside 0..n, or level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals. Not for paired rows: use `mcnemar`.
 * @see Newcombe (1998), Statistics in Medicine 17:873-890, method 10
 * @example
 * newcombeInterval(56, 70, 48, 80) // => { lower: 0.0524314724023649, upper: 0.333872654036906 }
 */
export function newcombeInterval(k1: number, n1: number, k2: number, n2: number, level = CONFIDENCE_LEVEL): Interval {
  const [first, second] = [wilsonInterval(k1, n1, level), wilsonInterval(k2, n2, level)];
  return squareAndAdd({ estimate: k1 / n1, ...first }, { estimate: k2 / n2, ...second });
}
