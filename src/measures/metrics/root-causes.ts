import type { Estimate } from "../../core/estimate.js";
import { rate } from "./rate.js";
import { cellMask, type Tally } from "./tally.js";
import { DISAGREES } from "./trap.js";

const CAUSES = {
  model_error: cellMask((cell) => cell.level === 3),
  policy_ambiguity: cellMask((cell) => cell.level !== 3 && cell.inverse),
  implicit_norm: cellMask((cell) => cell.level !== 3 && !cell.inverse),
};

export type RootCause = keyof typeof CAUSES;

/**
 * Why decider and human disagree, as shares of the disagreements that add up to 1.
 *
 * model_error: level 3. policy_ambiguity: level 1 or 2 and the opposite is derivable too: both chose a valid path.
 * implicit_norm: level 1 or 2 and the opposite is not derivable: the human applied something that is written nowhere.
 * Undefined without disagreements.
 * Differs from the paper: it gives no rule for the last two; this is the only one that its fields permit.
 * @see paper §5.2
 */
export function rootCause(tallies: readonly Tally[], cause: RootCause): Estimate {
  return rate(tallies, DISAGREES, CAUSES[cause], { empty: "no disagreements" });
}
