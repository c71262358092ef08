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
  /** Default `anytime`: a gate is looked at again whenever data arrive, unless one look was declared. */
  look?: GateLook;
  /** A thread counts as at most this many decisions; to be fixed before verdicts are seen. Default 5. */
  threadCap?: number;
  /**
   * People's labels of a random sample of a cohort's decisions. Where they are given, a cohort passes only if they prove as
   * well, within the same error rate, that its *true* indefensible rate lies below the limit; null (too few) does not pass.
   */
  labelCounts?: ((key: string) => LabelCounts | null) | undefined;
}

export interface CertifiedVerdict extends CertifiedTests {
  passes: boolean;
  /** min(1, 1/E) of the smallest e-value: all limits have to be met, which costs no further penalty. */
  p: number;
  /** Smallest ln E. */
  ln_e: number;
  /** Of p; null below the minimum of verdicts: not among the tests. */
  adjusted_p: number | null;
  /** Tests of the true rate; null where labels were not asked for. */
  p_true_rate: number | null;
  ln_e_true_rate: number | null;
  /** The test of expected harm; absent: harm is not limited. */
  harm?: { p: number; ln_e: number };
  /** Upper bound of the true rate at 1 − δ that holds at every look, of this cohort alone, not adjusted; null without labels. */
  true_rate_upper: number | null;
}

/**
 * The certified gate: a community passes only when its verdicts prove, at an error rate for the whole fleet, that both
 * its rates lie below the limits.
 *
 * Formula: E_c = min{E(1−di), E(ai)} (and E of harm, where that is limited) over the cohort's threads, E of `logBoundedEValue` with the units of `threadUnits`
 * (intersection–union: the smaller e-value is valid for "at least one limit is broken"), p_c = min(1, 1/E_c). With people's
 * labels, their e-value of the true rate is one more of the same minimum. Passes: adjusted p ≤ δ over the cohorts with
 * n ≥ min, and the observed rates of all verdicts meet the limits. Fixed sequence: order n descending (equal n by name),
 * which does not look at verdicts; stop at the first failure.
 * Why threads: verdicts of one thread resemble each other, and how much is unknown before the first bad wave. An estimated
 * design effect therefore cannot keep a promise; a thread that counts once as a whole can.
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

/** People's labels of a cohort's decisions. */
export interface CohortLabels extends LabelCounts {
  key: string;
}

/**
 * The labels that certified mode was given, of every cohort that has any; few enough to be kept with a gate. Labels whose design is not known, or that
 * were drawn from another population, certify nothing, and neither do labels of a cohort with a verdict that was never labelled.
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

/** The labels of a cohort, for `certifiedGate`; none where they are too few. */
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

/** What people said of a random sample of a cohort's decisions. */
export interface LabelCounts {
  labels: number;
  /** Labels of level 3. */
  indefensible: number;
  /** Labels that were drawn with unequal chances, by weight: the smallest chance over their own. */
  cells?: { weight: number; labels: number; indefensible: number }[] | undefined;
}

/** Evidence, from people's labels, against "the true indefensible rate is above its limit". */
interface TrueRateTests {
  p_true_rate: number;
  ln_e_true_rate: number;
}

/** Labels as units of evidence: with unequal chances by their weight, otherwise each is one. */
function labelUnits({ labels, indefensible, cells }: LabelCounts): BoundedUnits[] {
  return (cells ?? [{ weight: 1, labels, indefensible }]).flatMap((cell) => [
    { weight: cell.weight, value: 1, count: cell.indefensible },
    { weight: cell.weight, value: 0, count: cell.labels - cell.indefensible },
  ]);
}

/** The test of the true rate. Without labels nothing is proven. It may be repeated as labels arrive. */
function trueRateTests(counts: LabelCounts | null, limits: GateLimits): TrueRateTests {
  if (counts === null || counts.labels === 0) return { p_true_rate: 1, ln_e_true_rate: 0 };
  const ln_e_true_rate = logBoundedEValue(labelUnits(counts), indefensibleLimit(limits));
  return { p_true_rate: inverseOfE(ln_e_true_rate), ln_e_true_rate };
}

/** Evidence against "expected harm is above its limit": x = h·bad/h_max, r = limit/h_max. Where harm was not counted nothing is proven. */
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
