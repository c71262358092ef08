import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { isEligible } from "./limits.js";

/**
 * Share of the indefensible decisions that the gate keeps from being automated: the paper's "risk reduction". A gate
 * that picks communities at random scores 1 − coverage, so it means nothing without that baseline beside it.
 *
 * Formula: 1 − (L3 automated) / (L3 eligible) = 1 − coverage · r_auto / r_base.
 * Range: [0, 1]; 1 when nothing indefensible is automated, also when nothing is automated at all.
 * Undefined when: there are no indefensible decisions among the eligible: null.
 * Differs from the paper: nothing; the paper's base rate of 6.09 % is implied by its table, not printed.
 * @see paper §9, Table "Governance Gate scenario sensitivity"
 * @example
 * exposureReduction({ eligible_indefensible: 10, automated_indefensible: 4 }) // => 0.6
 */
export function exposureReduction(
  counts: Pick<GateCounts, "eligible_indefensible" | "automated_indefensible">,
): number | null {
  if (counts.eligible_indefensible === 0) return null;
  return 1 - counts.automated_indefensible / counts.eligible_indefensible;
}

/**
 * How much lower the indefensible rate is among automated decisions than among all eligible ones: what a decision gains
 * from being in the automated part.
 *
 * Formula: 1 − r_auto / r_base; r_auto = L3 automated / automated, r_base = L3 eligible / eligible.
 * Range: at most 1; 0 for a gate that picks at random (on average), below 0 for one that picks the worse part.
 * Undefined when: nothing is automated, or there are no indefensible decisions among the eligible: null.
 * Differs from the paper: the paper prints 64.9 % (exposure) beside 5.66 % → 2.72 %, whose conditional reduction is 51.9 %.
 * @see paper §9
 * @example
 * conditionalRiskReduction({ eligible_decisions: 100, eligible_indefensible: 10, automated_decisions: 50, automated_indefensible: 2 }) // => 0.6
 */
export function conditionalRiskReduction(
  counts: Pick<
    GateCounts,
    "eligible_decisions" | "eligible_indefensible" | "automated_decisions" | "automated_indefensible"
  >,
): number | null {
  if (counts.automated_decisions === 0 || counts.eligible_indefensible === 0) return null;
  const automated = counts.automated_indefensible / counts.automated_decisions;
  return 1 - automated / (counts.eligible_indefensible / counts.eligible_decisions);
}

/** Numerators and denominators of everything a scenario reports. */
export interface GateCounts {
  communities: number;
  eligible_communities: number;
  passing_communities: number;
  /** Verdicts in all communities, in those with enough of them, and in those that pass. */
  decisions: number;
  eligible_decisions: number;
  automated_decisions: number;
  eligible_indefensible: number;
  automated_indefensible: number;
  /** Verdicts that count against the ambiguity limit, in passing communities. */
  automated_ambiguous: number;
  /** Audits without a verdict, in all communities; in none of the rates. */
  unscored: number;
}

/**
 * Counts behind a gate's coverage and risk, given who passes.
 *
 * Formula: sums over all cohorts, over the eligible (n ≥ min) and over the passing.
 * Range: counts; passing ≤ eligible ≤ all.
 * Undefined when: never. RangeError when a cohort passes that is not eligible, or the lists differ in length.
 * Differs from the paper: the paper prints one coverage; here are the counts of three.
 * @see paper §9
 * @example
 * gateCounts([], [], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).decisions // => 0
 */
export function gateCounts(cohorts: readonly GateCohort[], passes: readonly boolean[], limits: GateLimits): GateCounts {
  if (cohorts.length !== passes.length) {
    throw new RangeError(`passes: ${passes.length} of them; expected one for each of ${cohorts.length} cohorts`);
  }
  const counts: GateCounts = {
    communities: cohorts.length,
    eligible_communities: 0,
    passing_communities: 0,
    decisions: 0,
    eligible_decisions: 0,
    automated_decisions: 0,
    eligible_indefensible: 0,
    automated_indefensible: 0,
    automated_ambiguous: 0,
    unscored: 0,
  };
  cohorts.forEach((cohort, i) => {
    counts.decisions += cohort.n;
    counts.unscored += cohort.unscored;
    const eligible = isEligible(cohort, limits);
    if (passes[i] && !eligible) throw new RangeError("passes: a cohort below the minimum of decisions passes");
    if (!eligible) return;
    counts.eligible_communities += 1;
    counts.eligible_decisions += cohort.n;
    counts.eligible_indefensible += cohort.indefensible;
    if (!passes[i]) return;
    counts.passing_communities += 1;
    counts.automated_decisions += cohort.n;
    counts.automated_indefensible += cohort.indefensible;
    counts.automated_ambiguous += ambiguousCount(cohort, limits.variable);
  });
  return counts;
}
