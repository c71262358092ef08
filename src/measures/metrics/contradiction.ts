import type { Estimate } from "../../core/estimate.js";
import { rate } from "./rate.js";
import { ALL_CELLS, cellMask, type Tally } from "./tally.js";

const ONLY_OPPOSITE = cellMask((cell) => cell.inverse && cell.level === 3);

/**
 * Share of decisions that are indefensible while their opposite is defensible: the part of AI that is error and not ambiguity.
 *
 * AI_contra = #{ level = 3 and inverse = Yes } / N = AI − AI_pure.
 * Range 0 to 1; lower is better. Undefined when there is no verdict.
 * Differs from the paper: the paper has no such split.
 * @see paper §3.1
 */
export function contradiction(tallies: readonly Tally[]): Estimate {
  return rate(tallies, ALL_CELLS, ONLY_OPPOSITE, { empty: "no verdicts", worstCase: true });
}
