import type { GateTruth } from "./pass-probability.js";

/** How often the inverse check fires on indefensible decisions in the paper's runs: 86 to 90.5 %. */
export const YES_IF_INDEFENSIBLE = 0.88;

/** A community by its rates: what its Ambiguity Index leaves after the contradictions is ambiguity of defensible decisions. */
export function truthFromIndices(indefensible: number, ambiguity: number, share = YES_IF_INDEFENSIBLE): GateTruth {
  const contradictions = Math.min(share * indefensible, ambiguity);
  return {
    indefensible,
    yes_if_indefensible: indefensible === 0 ? share : contradictions / indefensible,
    yes_if_defensible: indefensible === 1 ? 0 : Math.min(1, (ambiguity - contradictions) / (1 - indefensible)),
  };
}

/** The Ambiguity Index that goes with a community's rates. */
export function ambiguityOf(truth: GateTruth): number {
  return truth.indefensible * truth.yes_if_indefensible + (1 - truth.indefensible) * truth.yes_if_defensible;
}
