import type { Level } from "../../core/records/level.js";
import type { TrueVerdict } from "../../core/records/truth.js";

/**
 * What rules make of a piece of content, before anybody decides. `remove` and `approve`: only that outcome is derivable, from the words;
 * `remove_implied`, `approve_implied`: only that one, but from a rule's purpose; `open`: both; `void`: neither.
 */
export const SIDE_STATES = ["approve", "approve_implied", "open", "remove_implied", "remove", "void"] as const;

export type SideState = (typeof SIDE_STATES)[number];
/** Restrict or allow; the workspace may call them otherwise. */
export type Side = "remove" | "approve";

const VERDICTS: Readonly<Record<SideState, Readonly<Record<Side, readonly [Level, boolean]>>>> = {
  remove: { remove: [1, false], approve: [3, true] },
  remove_implied: { remove: [2, false], approve: [3, true] },
  open: { remove: [2, true], approve: [2, true] },
  approve_implied: { remove: [3, true], approve: [2, false] },
  approve: { remove: [3, true], approve: [1, false] },
  void: { remove: [3, false], approve: [3, false] },
};

/**
 * The true verdict on a decision, given what the rules make of its content.
 *
 * Formula: level 3 ⇔ the decision's side is not derivable; level 1: it alone is, from the words; level 2: otherwise. inverse ⇔ the other side is
 * derivable.
 * Range: levels 1 to 3; level 1 never has inverse.
 * Undefined when: never.
 * Differs from the paper: the paper's level 1 fires the inverse check in 1.7–2.9 %; by definition that is an auditor's error, not truth.
 * @see paper §3.1
 * @example verdictOf("open", "remove") // => { level: 2, inverse: true }
 */
export function verdictOf(state: SideState, side: Side): TrueVerdict {
  const [level, inverse] = VERDICTS[state][side];
  return { level, inverse };
}

/** The one outcome that a state leaves derivable; null: both or none. */
export function onlySide(state: SideState): Side | null {
  if (state === "open" || state === "void") return null;
  return state === "remove" || state === "remove_implied" ? "remove" : "approve";
}

export function otherSide(side: Side): Side {
  return side === "remove" ? "approve" : "remove";
}

/**
 * What two scopes' rules make of a content together: a community may be stricter than the platform, never laxer, and what must be referred to
 * others is decided by nobody here.
 *
 * Formula: the later of the two in the order approve < approve_implied < open < remove_implied < remove < void. A platform's *protection* (it
 * forbids communities to remove) is the one exception: then the platform's state counts.
 * Range: a state.
 * Undefined when: never.
 * Differs from the paper: the paper names two scopes, R_G and R_C, without an order of precedence.
 * @see paper §3.1
 * @example combineScopes("remove", "approve") // => "remove"
 */
export function combineScopes(platform: SideState, community: SideState, protectedByPlatform = false): SideState {
  if (protectedByPlatform) return platform;
  return SIDE_STATES.indexOf(platform) > SIDE_STATES.indexOf(community) ? platform : community;
}
