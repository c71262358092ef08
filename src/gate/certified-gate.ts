import { clopperPearsonBound } from "../stats/clopper-pearson-bound.js";
import { inverseOfE } from "../stats/e-benjamini-hochberg.js";
import { adjustPValues, checkAdjustment, type GateAdjustment, type GateLook } from "./adjustment.js";
import {
  type CertifiedTests,
  certifiedTests,
  designEffect,
  type LabelCounts,
  trueRateTests,
} from "./certified-tests.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { isEligible } from "./limits.js";

/** Probability of a false pass (Holm, fixed sequence), or expected share of false passes (BH, BY, e-BH). */
export const DEFAULT_DELTA = 0.05;

export interface CertifiedOptions {
  /** Default 0.05. */
  delta?: number;
  /** Default `holm`. */
  adjust?: GateAdjustment;
  /** Default `anytime`: a gate is looked at again whenever data arrive, unless one look was declared. */
  look?: GateLook;
  /**
   * People's labels of a random sample of a cohort's decisions. Where they are given, a cohort passes only if they prove as
   * well, within the same error rate, that its *true* indefensible rate lies below the limit; null (too few) does not pass.
   */
  labelCounts?: ((key: string) => LabelCounts | null) | undefined;
}

export interface CertifiedVerdict extends CertifiedTests {
  passes: boolean;
  /** Largest of the fixed-n p-values: all limits have to be met, which costs no further penalty. */
  p: number;
  /** Smallest ln E. */
  ln_e: number;
  /** Of p (one look) or of 1/E (repeated looks); null below the minimum of verdicts: not among the tests. */
  adjusted_p: number | null;
  /** Tests of the true rate; null where labels were not asked for. */
  p_true_rate: number | null;
  ln_e_true_rate: number | null;
  /** One-sided exact bound of the true rate at 1 − δ, of this cohort alone, not adjusted; null without labels. */
  true_rate_upper: number | null;
}

/**
 * The certified gate: a community passes only when its verdicts prove, at an error rate for the whole fleet, that both
 * its rates lie below the limits.
 *
 * Formula: p_c = max{P(Bin(n, 1−di) ≤ k_L3), P(Bin(n, ai) ≤ k_Yes)} (intersection–union: the larger p-value is valid for
 * "at least one limit is broken"), or E_c = min of the two e-values, by the same argument; counts divided by the design
 * effect where one is given. With people's labels, h of m indefensible, P(Bin(m, 1−di) ≤ h) is a third p-value of the same
 * maximum, and its e-value of the same minimum: "the true rate breaks the limit" is one more way to be a false pass. Passes: adjusted p ≤ δ over the cohorts with n ≥ min. Fixed sequence: order n descending
 * (equal n by name), which does not look at verdicts; stop at the first failure.
 * Range: p, adjusted p in [0, 1]; one verdict for each cohort, in their order.
 * Undefined when: below the minimum: adjusted p null, does not pass. RangeError for delta outside (0, 1).
 * Differs from the paper: not in the paper. The design effect turns counts into effective ones, an approximation that no
 * exact test of dependent rows has.
 * @see Berger (1982), Technometrics 24:295-300 (intersection–union); `logOneSidedEValue` for the e-values
 * @example
 * certifiedGate([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => []
 */
export function certifiedGate(
  cohorts: readonly GateCohort[],
  limits: GateLimits,
  options: CertifiedOptions = {},
): CertifiedVerdict[] {
  const { delta = DEFAULT_DELTA, adjust = "holm", look = "anytime", labelCounts } = options;
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta: not an error rate; got ${delta}, expected 0 to 1`);
  checkAdjustment(adjust, look);
  const verdicts = cohorts.map((cohort): CertifiedVerdict => {
    const tests = certifiedTests(cohort, limits);
    const counts = labelCounts?.(cohort.key) ?? null;
    const truth = labelCounts === undefined ? null : trueRateTests(counts, cohort, limits);
    return {
      ...tests,
      passes: false,
      p: Math.max(tests.p_indefensible, tests.p_ambiguity, truth?.p_true_rate ?? 0),
      ln_e: Math.min(tests.ln_e_indefensible, tests.ln_e_ambiguity, truth?.ln_e_true_rate ?? Infinity),
      adjusted_p: null,
      p_true_rate: truth?.p_true_rate ?? null,
      ln_e_true_rate: truth?.ln_e_true_rate ?? null,
      true_rate_upper: trueRateUpper(counts, cohort, delta),
    };
  });
  const tested = testingOrder(cohorts, limits, adjust);
  const adjusted = adjustPValues(
    tested.map((index) => levelOf(verdicts[index]!, look)),
    adjust,
    look,
  );
  tested.forEach((index, place) => {
    const verdict = verdicts[index]!;
    verdict.adjusted_p = adjusted[place]!;
    verdict.passes = adjusted[place]! <= delta;
  });
  return verdicts;
}

function trueRateUpper(counts: LabelCounts | null, cohort: GateCohort, delta: number): number | null {
  if (counts === null || counts.labels === 0) return null;
  const effect = designEffect(cohort);
  return clopperPearsonBound(counts.indefensible / effect, counts.labels / effect, delta);
}

/** The p-value that the adjustment works on. */
export function levelOf(verdict: CertifiedVerdict, look: GateLook): number {
  return look === "once" ? verdict.p : inverseOfE(verdict.ln_e);
}

/** Positions of the cohorts under test; for a fixed sequence the largest first. */
export function testingOrder(cohorts: readonly GateCohort[], limits: GateLimits, adjust: GateAdjustment): number[] {
  const tested: number[] = [];
  cohorts.forEach((cohort, index) => {
    if (isEligible(cohort, limits)) tested.push(index);
  });
  if (adjust !== "fixed_sequence") return tested;
  const key = (index: number) => cohorts[index]!.key;
  return tested.sort((first, second) => cohorts[second]!.n - cohorts[first]!.n || (key(first) < key(second) ? -1 : 1));
}
