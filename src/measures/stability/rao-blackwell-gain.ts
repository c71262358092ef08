import type { CellStats } from "./cell-stats.js";

/**
 * How much sooner a mean of probabilities is as sure as a share of draws: the factor by which replicates are saved.
 *
 * Formula: mean of [Var(p) + E p(1 − p)] / mean of Var(p), p the probability of a defensible level of each replicate at the
 * temperature of the draws; means over cases. A draw's variance is that of its probability plus that of the last token.
 * Range: [1, ∞); near 1 where the last token is nearly certain and all variance is in the reasoning before it.
 * Undefined when: the law of the draws is not known, or probabilities do not vary: null.
 * Differs from the paper: not in the paper.
 * @see Casella and Robert (1996), Biometrika 83:81-94
 */
export function raoBlackwellGain(cells: readonly Pick<CellStats, "drawn" | "token">[]): number | null {
  let [draws, traces] = [0, 0];
  for (const { drawn, token } of cells) {
    if (drawn.variance === null || token === null) continue;
    traces += drawn.variance;
    draws += drawn.variance + token;
  }
  return traces > 0 ? draws / traces : null;
}
