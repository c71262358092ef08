import { type BoundedUnits, logBoundedEValue } from "../../stats/tests/bounded-e-value.js";
import { inverseOfE } from "../../stats/tests/e-benjamini-hochberg.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { indefensibleLimit } from "./limits.js";
import { threadUnits } from "./thread-units.js";

/** Evidence against "this community breaks a limit": logarithms of e-values, and p = min(1, 1/E). */
export interface CertifiedTests {
  p_indefensible: number;
  p_ambiguity: number;
  ln_e_indefensible: number;
  ln_e_ambiguity: number;
}

/** What people said of a random sample of a cohort's decisions. */
export interface LabelCounts {
  labels: number;
  /** Labels of level 3. */
  indefensible: number;
  /** Labels that were drawn with unequal chances, by weight: the smallest chance over their own. */
  cells?: { weight: number; labels: number; indefensible: number }[] | undefined;
}

/** Evidence, from people's labels, against "the true indefensible rate is above its limit". */
export interface TrueRateTests {
  p_true_rate: number;
  ln_e_true_rate: number;
}

/** Labels as units of evidence: with unequal chances by their weight, otherwise each is one. */
export function labelUnits({ labels, indefensible, cells }: LabelCounts): BoundedUnits[] {
  return (cells ?? [{ weight: 1, labels, indefensible }]).flatMap((cell) => [
    { weight: cell.weight, value: 1, count: cell.indefensible },
    { weight: cell.weight, value: 0, count: cell.labels - cell.indefensible },
  ]);
}

/** The test of the true rate. Without labels nothing is proven. It may be repeated as labels arrive. */
export function trueRateTests(counts: LabelCounts | null, limits: GateLimits): TrueRateTests {
  if (counts === null || counts.labels === 0) return { p_true_rate: 1, ln_e_true_rate: 0 };
  const ln_e_true_rate = logBoundedEValue(labelUnits(counts), indefensibleLimit(limits));
  return { p_true_rate: inverseOfE(ln_e_true_rate), ln_e_true_rate };
}

/** The tests of a cohort, with threads as units of evidence. */
export function certifiedTests(cohort: GateCohort, limits: GateLimits, cap: number): CertifiedTests {
  const ln_e_indefensible = logBoundedEValue(threadUnits(cohort, "indefensible", cap), indefensibleLimit(limits));
  const ln_e_ambiguity = logBoundedEValue(threadUnits(cohort, limits.variable, cap), limits.ai);
  return {
    p_indefensible: inverseOfE(ln_e_indefensible),
    p_ambiguity: inverseOfE(ln_e_ambiguity),
    ln_e_indefensible,
    ln_e_ambiguity,
  };
}
