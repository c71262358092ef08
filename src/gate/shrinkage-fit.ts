import { type BetaBinomialFit, betaBinomialFit } from "../stats/beta-binomial-fit.js";
import { ambiguousCount, type GateCohort, type GateVariable } from "./gate-input.js";

/** How the two rates vary over the fleet; null where no cohort has a verdict. */
export interface ShrinkageFit {
  indefensible: BetaBinomialFit | null;
  ambiguity: BetaBinomialFit | null;
  variable: GateVariable;
}

/** Fits the distribution of both rates over all cohorts with a verdict, those below the minimum included: they inform too. */
export function fitShrinkage(cohorts: readonly GateCohort[], variable: GateVariable): ShrinkageFit {
  return {
    indefensible: betaBinomialFit(cohorts.map(({ indefensible, n }) => ({ k: indefensible, n }))),
    ambiguity: betaBinomialFit(cohorts.map((cohort) => ({ k: ambiguousCount(cohort, variable), n: cohort.n }))),
    variable,
  };
}
