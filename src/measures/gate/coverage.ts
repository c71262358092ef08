import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { isEligible } from "./limits.js";

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
