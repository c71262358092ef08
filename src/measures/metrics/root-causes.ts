import type { Estimate } from "../../core/estimate.js";
import type { Level } from "../../core/records/level.js";
import { rate } from "./indices.js";
import { type CellMask, cellMask, type Tally } from "./tally.js";
import { DISAGREES } from "./trap.js";

export type RootCause = "model_error" | "policy_ambiguity" | "implicit_norm";

/** Why decider and human disagree about a decision with this verdict; `rootCause` says why so. */
export function causeOf(level: Level, inverse: boolean): RootCause {
  if (level === 3) return "model_error";
  return inverse ? "policy_ambiguity" : "implicit_norm";
}

const cellsOf = (cause: RootCause) => cellMask(({ level, inverse }) => causeOf(level, inverse) === cause);
const CAUSES: Readonly<Record<RootCause, CellMask>> = {
  model_error: cellsOf("model_error"),
  policy_ambiguity: cellsOf("policy_ambiguity"),
  implicit_norm: cellsOf("implicit_norm"),
};

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
