import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../core/estimate.js";
import { wilsonInterval } from "./intervals/wilson-interval.js";

/**
 * A share of rows with weights, as labels that were drawn with unequal chances.
 *
 * Formula: p = Σw·y/Σw; Wilson's interval at p and n_eff = (Σw)²/Σw².
 * Range: [0, 1].
 * Undefined when: no rows.
 * Differs from the paper: not in the paper.
 * @see Kish (1965), Survey Sampling, §8.2 (effective size)
 * @example
 * weightedProportion(0.5, 10, 40) // => { estimate: 0.5, lower: 0.2365931, upper: 0.7634069, n: 40 }
 */
export function weightedProportion(share: number, effective: number, n: number, level = CONFIDENCE_LEVEL): Estimate {
  if (n === 0) return undefinedEstimate("no rows", 0);
  const estimate = Math.min(1, share);
  const interval = wilsonInterval(estimate * effective, effective, level);
  return { estimate, ...interval, level, method: "weighted Wilson", n };
}
