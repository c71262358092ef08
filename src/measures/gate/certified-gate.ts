import { type BoundedUnits, boundedUpperBound, logBoundedEValue } from "../../stats/tests/bounded-e-value.js";
import { inverseOfE } from "../../stats/tests/multiple-testing.js";
import { type JudgeErrorReport, LEAST_LABELS } from "../metrics/judge/judge-error.js";
import { adjustPValues, checkAdjustment, type GateAdjustment, type GateLook } from "./adjustment.js";
import { checkThreadCap, DEFAULT_THREAD_CAP, type GateCohort, type GateLimits, threadUnits } from "./gate-input.js";
import { type HarmLimit, harmShareLimit, harmUnits } from "./harm.js";
import { indefensibleLimit, isEligible, meetsLimits } from "./limits.js";

/** Probability of a false pass (Holm, fixed sequence), or expected share of false passes (BH, BY, e-BH). */
export const DEFAULT_DELTA = 0.05;

export interface CertifiedOptions {
  /** Default 0.05. */
  delta?: number;
  /** Default `holm`. */
  adjust?: GateAdjustment;
  /** Default `anytime`: a gate is recomputed whenever data arrive, unless a single look was declared. */
  look?: GateLook;
  /** A thread counts as at most this many decisions. Fix it before any verdicts are known. Default 5. */
  threadCap?: number;
  /**
   * Human labels of a random sample of a cohort's decisions. If given, a cohort passes only if they also prove, within the same error rate, that
   * its *true* indefensible rate is below the limit; null (too few labels) does not pass.
   */
  labelCounts?: ((key: string) => LabelCounts | null) | undefined;
}

export interface CertifiedVerdict extends CertifiedTests {
  passes: boolean;
  /** min(1, 1/E) of the smallest e-value: requiring all limits to be met costs no further penalty. */
  p: number;
  /** Smallest ln E. */
  ln_e: number;
  /** Adjusted p; null below the minimum of verdicts, where the cohort is not tested. */
  adjusted_p: number | null;
  /** Tests of the true rate; null where labels were not required. */
  p_true_rate: number | null;
  ln_e_true_rate: number | null;
  /** The test of expected harm; absent: harm is not limited. */
  harm?: { p: number; ln_e: number };
  /** Upper bound of the true rate at 1 − δ that holds at every look, for this cohort alone, not adjusted; null without labels. */
  true_rate_upper: number | null;
}

/**
 * The certified gate: a community passes only when its verdicts prove, at an error rate for the whole fleet, that both its rates are below the
 * limits.
 *
 * Formula: E_c = min{E(1−di), E(ai)} (and E of harm, where that is limited) over the cohort's threads, E of `logBoundedEValue` with the units of
 * `threadUnits` (intersection–union: the smaller e-value is valid for "at least one limit is broken"), p_c = min(1, 1/E_c). With human labels, the
 * e-value of the true rate joins the same minimum. Passes: adjusted p ≤ δ over the cohorts with n ≥ min, and the observed rates of all verdicts
 * meet the limits. Fixed sequence: order n descending (equal n by name), an order that does not depend on verdicts; stop at the first failure.
 * Why threads: verdicts of one thread are correlated, and the strength is unknown before the first wave of bad decisions. A guarantee therefore
 * cannot rest on an estimated design effect; it can rest on counting each thread once.
 * Range: p, adjusted p in [0, 1]; one verdict for each cohort, in their order.
 * Undefined when: below the minimum: adjusted p null, does not pass. RangeError for delta outside (0, 1) or a thread cap below 1.
 * Differs from the paper: not in the paper.
 * @see Berger (1982), Technometrics 24:295-300 (intersection–union); `logBoundedEValue` for the e-values
 * @example
 * certifiedGate([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => []
 */
export function certifiedGate(
  cohorts: readonly GateCohort[],
  limits: GateLimits,
  options: CertifiedOptions = {},
): CertifiedVerdict[] {
  const { delta = DEFAULT_DELTA, adjust = "holm", look = "anytime", labelCounts } = options;
  const { threadCap = DEFAULT_THREAD_CAP } = options;
  checkThreadCap(threadCap);
  if (!(delta > 0 && delta < 1)) throw new RangeError(`delta: not an error rate; got ${delta}, expected 0 to 1`);
  checkAdjustment(adjust, look);
  const verdicts = cohorts.map((cohort): CertifiedVerdict => {
    const tests = certifiedTests(cohort, limits, threadCap);
    const counts = labelCounts?.(cohort.key) ?? null;
    const truth = labelCounts === undefined ? null : trueRateTests(counts, limits);
    const harm = limits.harm_limit && harmTest(cohort, limits.harm_limit, threadCap);
    const ln_e = Math.min(
      tests.ln_e_indefensible,
      tests.ln_e_ambiguity,
      truth?.ln_e_true_rate ?? Infinity,
      harm?.ln_e ?? Infinity,
    );
    return {
      ...(harm ? { harm } : {}),
      ...tests,
      passes: false,
      p: inverseOfE(ln_e),
      ln_e,
      adjusted_p: null,
      p_true_rate: truth?.p_true_rate ?? null,
      ln_e_true_rate: truth?.ln_e_true_rate ?? null,
      true_rate_upper: counts === null || counts.labels === 0 ? null : boundedUpperBound(labelUnits(counts), delta),
    };
  });
  const tested = testingOrder(cohorts, limits, adjust);
  const adjusted = adjustPValues(
    tested.map((index) => verdicts[index]!.p),
    adjust,
  );
  tested.forEach((index, place) => {
    const verdict = verdicts[index]!;
    verdict.adjusted_p = adjusted[place]!;
    verdict.passes = adjusted[place]! <= delta && meetsLimits(cohorts[index]!, limits);
  });
  return verdicts;
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

/** Human labels of a cohort's decisions. */
export interface CohortLabels extends LabelCounts {
  key: string;
}

/**
 * The labels given to certified mode, for every cohort that has any. They are few enough to be stored with a gate. Labels of unknown design, labels
 * drawn from another population, and labels of a cohort in which some kind of verdict was never labelled certify nothing.
 */
export function cohortLabels(judged: Pick<JudgeErrorReport, "communities" | "sample"> | null): CohortLabels[] {
  if (!judged || (judged.sample && judged.sample.flags.length > 0)) return [];
  return judged.communities
    .filter(({ labels, label_cells }) => labels > 0 && label_cells !== null)
    .map(({ key, labels, indefensible_labels, label_cells }) => ({
      key,
      labels,
      indefensible: indefensible_labels,
      ...(label_cells ? { cells: label_cells } : {}),
    }));
}

/** The labels of a cohort, for `certifiedGate`; null where they are too few. */
export function labelCountsOf(cohorts: readonly CohortLabels[]): (key: string) => LabelCounts | null {
  const counts = new Map(
    cohorts.filter(({ labels }) => labels >= LEAST_LABELS).map(({ key, ...counts }) => [key, counts]),
  );
  return (key) => counts.get(key) ?? null;
}

/** Evidence against "this community breaks a limit": logarithms of e-values, and p = min(1, 1/E). */
interface CertifiedTests {
  p_indefensible: number;
  p_ambiguity: number;
  ln_e_indefensible: number;
  ln_e_ambiguity: number;
}

/** Human labels of a random sample of a cohort's decisions, counted. */
export interface LabelCounts {
  labels: number;
  /** Labels of level 3. */
  indefensible: number;
  /** Labels drawn with unequal probabilities, by weight: the smallest probability divided by their own. */
  cells?: { weight: number; labels: number; indefensible: number }[] | undefined;
}

/** Evidence, from human labels, against "the true indefensible rate is above its limit". */
interface TrueRateTests {
  p_true_rate: number;
  ln_e_true_rate: number;
}

/** Labels as units of evidence: weighted if drawn with unequal probabilities, otherwise each counts as one. */
function labelUnits({ labels, indefensible, cells }: LabelCounts): BoundedUnits[] {
  return (cells ?? [{ weight: 1, labels, indefensible }]).flatMap((cell) => [
    { weight: cell.weight, value: 1, count: cell.indefensible },
    { weight: cell.weight, value: 0, count: cell.labels - cell.indefensible },
  ]);
}

/** The test of the true rate, valid when repeated as labels arrive. Without labels it proves nothing. */
function trueRateTests(counts: LabelCounts | null, limits: GateLimits): TrueRateTests {
  if (counts === null || counts.labels === 0) return { p_true_rate: 1, ln_e_true_rate: 0 };
  const ln_e_true_rate = logBoundedEValue(labelUnits(counts), indefensibleLimit(limits));
  return { p_true_rate: inverseOfE(ln_e_true_rate), ln_e_true_rate };
}

/** Evidence against "expected harm is above its limit": x = h·bad/h_max, r = limit/h_max. It proves nothing where harm was not counted. */
function harmTest(cohort: GateCohort, limit: HarmLimit, cap: number): { p: number; ln_e: number } {
  const ln_e = cohort.harm ? logBoundedEValue(harmUnits(cohort, cap), harmShareLimit(limit)) : 0;
  return { p: inverseOfE(ln_e), ln_e };
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
