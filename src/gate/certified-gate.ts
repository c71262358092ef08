import { inverseOfE } from "../stats/e-benjamini-hochberg.js";
import { adjustPValues, checkAdjustment, type GateAdjustment, type GateLook } from "./adjustment.js";
import { type CertifiedTests, certifiedTests } from "./certified-tests.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { indefensibleLimit, isEligible, LIMIT_SLACK } from "./limits.js";

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
   * Upper bound of the *true* indefensible rate of a cohort (judge error corrected, own or pooled), at a level the caller
   * chose. Where it is given, a cohort passes only if its bound is at most 1 − di as well; null (no bound) does not pass.
   */
  trueRateUpper?: ((key: string) => number | null) | undefined;
}

export interface CertifiedVerdict extends CertifiedTests {
  passes: boolean;
  /** Larger of the two fixed-n p-values: both limits have to be met, which costs no further penalty. */
  p: number;
  /** Smaller of the two ln E. */
  ln_e: number;
  /** Of p (one look) or of 1/E (repeated looks); null below the minimum of verdicts: not among the tests. */
  adjusted_p: number | null;
  /** The bound of the true rate that was asked for; null where none was, or none exists. */
  true_rate_upper: number | null;
  /** Whether that bound holds; true where none was asked for. */
  true_rate_holds: boolean;
}

/**
 * The certified gate: a community passes only when its verdicts prove, at an error rate for the whole fleet, that both
 * its rates lie below the limits.
 *
 * Formula: p_c = max{P(Bin(n, 1−di) ≤ k_L3), P(Bin(n, ai) ≤ k_Yes)} (intersection–union: the larger p-value is valid for
 * "at least one limit is broken"), or E_c = min of the two e-values, by the same argument; counts divided by the design
 * effect where one is given. Passes: adjusted p ≤ δ over the cohorts with n ≥ min. Fixed sequence: order n descending
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
  const { delta = DEFAULT_DELTA, adjust = "holm", look = "anytime", trueRateUpper } = options;
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta: not an error rate; got ${delta}, expected 0 to 1`);
  checkAdjustment(adjust, look);
  const verdicts = cohorts.map((cohort): CertifiedVerdict => {
    const tests = certifiedTests(cohort, limits);
    const true_rate_upper = trueRateUpper?.(cohort.key) ?? null;
    const true_rate_holds =
      trueRateUpper === undefined ||
      (true_rate_upper !== null && true_rate_upper <= indefensibleLimit(limits) + LIMIT_SLACK);
    return {
      ...tests,
      passes: false,
      p: Math.max(tests.p_indefensible, tests.p_ambiguity),
      ln_e: Math.min(tests.ln_e_indefensible, tests.ln_e_ambiguity),
      adjusted_p: null,
      true_rate_upper,
      true_rate_holds,
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
    verdict.passes = adjusted[place]! <= delta && verdict.true_rate_holds;
  });
  return verdicts;
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
