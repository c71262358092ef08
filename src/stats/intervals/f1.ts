import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount } from "../check-arguments.js";
import { wilsonInterval } from "./wilson-interval.js";

/**
 * F1 of the positive class, with an interval.
 *
 * Formula: F1 = 2TP / (2TP + FP + FN) = 2J / (1 + J), J = TP / (TP + FP + FN). J is a proportion and the map rises, so
 * the Wilson bounds of J mapped the same way are bounds of F1 at the same level.
 * Range: [0, 1], higher is better; 0 when nothing positive was found but errors were made.
 * Undefined when: TP + FP + FN = 0 (no positives, none claimed). `n` counts these rows; true negatives play no part.
 * Differs from the paper: the interval is added.
 * @see paper §5.2; `wilsonInterval`
 * @example
 * f1Estimate(40, 10, 20).estimate // => 0.7272727272727273
 */
export function f1Estimate(tp: number, fp: number, fn: number, level = CONFIDENCE_LEVEL): Estimate {
  checkCount("true positives", tp);
  checkCount("false positives", fp);
  checkCount("false negatives", fn);
  const n = tp + fp + fn;
  if (n === 0) return undefinedEstimate("no positives, true or claimed", 0);
  const { lower, upper } = wilsonInterval(tp, n, level);
  return {
    estimate: (2 * tp) / (n + tp),
    lower: (2 * lower) / (1 + lower),
    upper: (2 * upper) / (1 + upper),
    level,
    method: "wilson on TP/(TP+FP+FN)",
    n,
  };
}

/**
 * F1 that error rates give where positives are this frequent: what of a low F1 is class imbalance. With `falsePositiveRate` = 1 −
 * `truePositiveRate` it is the F1 of a decider that agrees with people at that rate, as often on positives as on negatives.
 *
 * Formula: F1 = 2 π t / (π t + π + (1 − π) f), π prevalence, t true positive rate, f false positive rate: the counts of
 * 2TP / (2TP + FP + FN) divided by the number of rows.
 * Range: [0, 1]; rises in t and in π, falls in f. With t = 0.9 and f = 0.1 it is 0.90 at π = ½ and 0.64 at π = 0.1.
 * Undefined when: no positives and no false ones (π = 0 and f = 0): null. RangeError when an argument is outside [0, 1].
 * Differs from the paper: not in the paper, which compares F1 of cohorts with different shares of removals.
 * @see paper §5.2
 * @example
 * f1AtPrevalence(0.9, 0.1, 0.1) // => 0.6428571428571429
 */
export function f1AtPrevalence(truePositiveRate: number, falsePositiveRate: number, prevalence: number): number | null {
  for (const rate of [truePositiveRate, falsePositiveRate, prevalence]) {
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`rate: outside its domain; got ${rate}, expected 0 to 1`);
  }
  const found = prevalence * truePositiveRate;
  const whole = found + prevalence + (1 - prevalence) * falsePositiveRate;
  return whole === 0 ? null : (2 * found) / whole;
}
