import { binomialCdf } from "../stats/binomial-cdf.js";
import { logBoundedEValue } from "../stats/bounded-e-value.js";
import { logOneSidedEValue } from "../stats/one-sided-e-value.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { indefensibleLimit } from "./limits.js";

/** Evidence against "this community breaks a limit", from counts that may be real numbers. */
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

/** Rows in threads tell less than independent ones; they never tell more. */
export function designEffect(cohort: GateCohort): number {
  return Math.max(1, cohort.design_effect ?? 1);
}

/**
 * p-value of "the rate is at least r": P(Bin(n, r) ≤ k). A limit of 1 excludes nobody (p = 0), one of 0 cannot be met
 * by any count (p = 1).
 */
export function limitPValue(k: number, n: number, r: number): number {
  if (r >= 1) return 0;
  return r <= 0 || n === 0 ? 1 : binomialCdf(k, n, r);
}

/** ln E of the same hypothesis. */
export function limitLogE(k: number, n: number, r: number): number {
  if (r >= 1) return Infinity;
  return r <= 0 || n === 0 ? 0 : logOneSidedEValue(k, n, r);
}

/**
 * The tests of the true rate, with labels divided by the same design effect as verdicts. Without labels nothing is proven. By the e-value every
 * number of labels may be looked at: labels drawn at random are trials of the true rate, whatever is known of the verdicts. Labels drawn by verdict
 * have the e-value of weighted units, and 1/E for a p-value.
 */
export function trueRateTests(counts: LabelCounts | null, cohort: GateCohort, limits: GateLimits): TrueRateTests {
  if (counts === null || counts.labels === 0) return { p_true_rate: 1, ln_e_true_rate: 0 };
  const effect = designEffect(cohort);
  const [k, n] = [counts.indefensible / effect, counts.labels / effect];
  const r = indefensibleLimit(limits);
  if (counts.cells) {
    const units = counts.cells.flatMap(({ weight, labels, indefensible: bad }) => [
      { weight, value: 1, count: bad / effect },
      { weight, value: 0, count: (labels - bad) / effect },
    ]);
    const ln_e_true_rate = logBoundedEValue(units, r);
    return { p_true_rate: Math.min(1, Math.exp(-ln_e_true_rate)), ln_e_true_rate };
  }
  return { p_true_rate: limitPValue(k, n, r), ln_e_true_rate: limitLogE(k, n, r) };
}

/** The four tests of a cohort, with its counts divided by the design effect. */
export function certifiedTests(cohort: GateCohort, limits: GateLimits): CertifiedTests {
  const effect = designEffect(cohort);
  const n = cohort.n / effect;
  const indefensible = cohort.indefensible / effect;
  const ambiguous = ambiguousCount(cohort, limits.variable) / effect;
  const r = indefensibleLimit(limits);
  return {
    p_indefensible: limitPValue(indefensible, n, r),
    p_ambiguity: limitPValue(ambiguous, n, limits.ai),
    ln_e_indefensible: limitLogE(indefensible, n, r),
    ln_e_ambiguity: limitLogE(ambiguous, n, limits.ai),
  };
}
