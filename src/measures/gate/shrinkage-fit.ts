import { type BetaBinomialFit, betaBinomialFit } from "../../stats/distributions/beta-binomial-fit.js";
import { ambiguousCount, effectiveShare, type GateCohort, type GateVariable } from "./gate-input.js";

/** How the two rates vary over the fleet; null where no cohort has a verdict. */
export interface ShrinkageFit {
  indefensible: BetaBinomialFit | null;
  ambiguity: BetaBinomialFit | null;
  variable: GateVariable;
}

/**
 * Fits the distribution of both rates over all cohorts with a verdict, those below the minimum included: they inform too.
 * Verdicts in threads count as n* = (Σn_t)² / Σn_t² of them, at the same rate.
 */
export function fitShrinkage(cohorts: readonly GateCohort[], variable: GateVariable): ShrinkageFit {
  const fitOf = (count: (cohort: GateCohort) => number) =>
    betaBinomialFit(
      cohorts.map((cohort) => ({ k: count(cohort) * effectiveShare(cohort), n: cohort.n * effectiveShare(cohort) })),
    );
  return {
    indefensible: fitOf((cohort) => cohort.indefensible),
    ambiguity: fitOf((cohort) => ambiguousCount(cohort, variable)),
    variable,
  };
}
