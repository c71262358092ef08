import { normalQuantile } from "../distributions/normal-quantile.js";

/** Whether two studies found the same. */
export type StudyVerdict = "same" | "different" | "undecided";

/**
 * Compares a number of two independent studies.
 *
 * Formula: d = θ₁ − θ₂, Var d = Var θ₁ + Var θ₂. *Same* if the 90 % interval of d lies within ±margin (two one-sided tests at 5 %), also where a
 * tiny difference is significant; *different* if the 95 % interval excludes 0; otherwise *undecided*. Unlike "θ₂ lies in the interval of θ₁", a less
 * precise study never agrees more often: it is undecided more often.
 * Range: one of three words.
 * Undefined when: an argument is not finite, or variance or margin is negative: RangeError.
 * Differs from the paper: not in the paper.
 * @see Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15:657-680
 * @example
 * compareStudies({ difference: 0.001, variance: 1e-6, margin: 0.02 }) // => "same"
 */
export function compareStudies(study: { difference: number; variance: number; margin: number }): StudyVerdict {
  const { difference, variance, margin } = study;
  if (!Number.isFinite(difference)) throw new RangeError(`difference: not a number; got ${difference}`);
  if (!(variance >= 0 && variance < Infinity)) throw new RangeError(`variance: got ${variance}, expected 0 or more`);
  if (!(margin >= 0 && margin < Infinity)) throw new RangeError(`margin: got ${margin}, expected 0 or more`);
  const se = Math.sqrt(variance);
  if (Math.abs(difference) + normalQuantile(0.95) * se <= margin) return "same";
  return Math.abs(difference) > normalQuantile(0.975) * se ? "different" : "undecided";
}
