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
