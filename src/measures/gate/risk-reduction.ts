import type { GateCounts } from "./coverage.js";

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
