/** What a community's decisions come to in the long run. */
export interface ExpectedRates {
  defensibility_index: number;
  ambiguity_index: number;
  ambiguity_pure: number;
}

/**
 * The rates that a community's latent rates stand for: what its DI and AI would be with decisions without end and an auditor without error.
 *
 * Formula: s = 1 − open − void of its content has one derivable outcome; DI = open + s (1 − error), AI = open + s · error, AI_pure = open.
 * Range: [0, 1].
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 * @example expectedRates({ open: 0.1, void: 0, error: 0.1 }).defensibility_index // => 0.91
 */
export function expectedRates(rates: { open: number; void: number; error: number }): ExpectedRates {
  const settled = 1 - rates.open - rates.void;
  return {
    defensibility_index: rates.open + settled * (1 - rates.error),
    ambiguity_index: rates.open + settled * rates.error,
    ambiguity_pure: rates.open,
  };
}
