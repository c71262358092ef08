import type { Estimate } from "../../core/estimate.js";
import type { Level } from "../../core/records/level.js";
import { AGREEMENT_MASKS } from "./agreement.js";
import { DEFENSIBLE, rate } from "./indices.js";
import { type CellMask, cellMask, LABELLED, type Tally } from "./tally.js";

/** Decisions that differ from their human label. */
export const DISAGREES = cellMask((cell) => cell.humanPositive !== null && cell.humanPositive !== cell.positive);
const INDEFENSIBLE = cellMask((cell) => cell.level === 3);
const AGREED_INDEFENSIBLE = cellMask((cell) => cell.humanPositive === cell.positive && cell.level === 3);

/**
 * The signature of the Agreement Trap: decisions counted as misses that the rules support.
 *
 * P(level ∈ {1, 2} | decision negative, human label positive). Range 0 to 1. Undefined without false negatives.
 * Differs from the paper: the paper calls all disagreements "false negatives" in one place (80.6%); here false negatives, false positives and all
 * disagreements are separate.
 * @see paper §3.2, §5.2
 */
export function falseNegativesDefensible(tallies: readonly Tally[]): Estimate {
  return rate(tallies, AGREEMENT_MASKS.FALSE_NEGATIVE, DEFENSIBLE, { empty: "no false negatives" });
}

/** P(level ∈ {1, 2} | decision positive, human label negative). Undefined without false positives. */
export function falsePositivesDefensible(tallies: readonly Tally[]): Estimate {
  return rate(tallies, AGREEMENT_MASKS.FALSE_POSITIVE, DEFENSIBLE, { empty: "no false positives" });
}

/** P(level ∈ {1, 2} | decision and human label differ). Undefined without disagreements. */
export function disagreementsDefensible(tallies: readonly Tally[]): Estimate {
  return rate(tallies, DISAGREES, DEFENSIBLE, { empty: "no disagreements" });
}

/**
 * Agreement that hides a shared failure: human and decider agree on a decision that no rule supports.
 *
 * joint = #{ agree and level 3 } / labelled. Range 0 to 1; lower is better. Undefined without labels.
 * Differs from the paper: its printed 5.8% fits neither reading of its own counts; both readings are given.
 * @see paper §5.2
 */
export function accurateButIndefensible(tallies: readonly Tally[]): Estimate {
  return rate(tallies, LABELLED, AGREED_INDEFENSIBLE, { empty: "no verdict has a human label" });
}

/** P(level = 3 | decision and human label agree). Undefined without agreements. */
export function indefensibleGivenAgreement(tallies: readonly Tally[]): Estimate {
  return rate(tallies, AGREEMENT_MASKS.AGREES, INDEFENSIBLE, { empty: "no agreements" });
}

export type RootCause = "model_error" | "policy_ambiguity" | "implicit_norm";

/** Why decider and human disagree about a decision with this verdict; see `rootCause` for the rule. */
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
 * Why decider and human disagree, as shares of the disagreements that sum to 1.
 *
 * model_error: level 3. policy_ambiguity: level 1 or 2 and the opposite is also derivable: both chose a valid path. implicit_norm: level 1 or 2 and
 * the opposite is not derivable: the human applied an unwritten norm. Undefined without disagreements.
 * Differs from the paper: the paper gives no rule for the last two; this is the only one that its fields permit.
 * @see paper §5.2
 */
export function rootCause(tallies: readonly Tally[], cause: RootCause): Estimate {
  return rate(tallies, DISAGREES, CAUSES[cause], { empty: "no disagreements" });
}
