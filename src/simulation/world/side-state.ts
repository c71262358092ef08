import type { TrueVerdict } from "../../core/records/label.js";
import type { Level } from "../../core/records/level.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import type { SimulatedCohort } from "../../core/results/simulation.js";
import type { RuleRelation } from "../books/books.js";

/**
 * What rules imply for a piece of content, before the decision. `remove`, `approve`: only that outcome is derivable, from the
 * words; `remove_implied`, `approve_implied`: only that one, from a rule's purpose; `open`: both; `void`: neither.
 */
export const SIDE_STATES = ["approve", "approve_implied", "open", "remove_implied", "remove", "void"] as const;

export type SideState = (typeof SIDE_STATES)[number];
/** Restrict or allow; the workspace may use other names. */
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
 * The true verdict on a decision, given what the rules imply for its content.
 *
 * Formula: level 3 ⇔ the decision's side is not derivable; level 1: only it is, from the words; level 2: otherwise. inverse ⇔ the other side
 * is derivable.
 * Range: levels 1 to 3; level 1 never has inverse.
 * Undefined when: never.
 * Differs from the paper: the paper's level 1 fires the inverse check in 1.7–2.9%; by definition that is an auditor's error, not truth.
 * @see paper §3.1
 * @example verdictOf("open", "remove") // => { level: 2, inverse: true }
 */
export function verdictOf(state: SideState, side: Side): TrueVerdict {
  const [level, inverse] = VERDICTS[state][side];
  return { level, inverse };
}

/** The only derivable outcome of a state; null: both or none. */
export function onlySide(state: SideState): Side | null {
  if (state === "open" || state === "void") return null;
  return state === "remove" || state === "remove_implied" ? "remove" : "approve";
}

export function otherSide(side: Side): Side {
  return side === "remove" ? "approve" : "remove";
}

/** How content relates to the rules: to one of them, to two of different scope, or to none. */
export type Relation = RuleRelation | "neutral" | "unwelcome" | "forbidden" | "protected";

export type StatesByTier = Readonly<Record<Tier, SideState>>;

/** What the rules imply for content of each relation, reading titles, titles and descriptions, or everything. */
export const RELATIONS: Readonly<Record<Relation, StatesByTier>> = {
  core: { title: "remove", sidebar: "remove", wiki: "remove" },
  described: { title: "open", sidebar: "remove", wiki: "remove" },
  detailed: { title: "open", sidebar: "open", wiki: "remove" },
  implied: { title: "open", sidebar: "remove_implied", wiki: "remove_implied" },
  neutral: { title: "approve", sidebar: "approve", wiki: "approve" },
  unwelcome: { title: "approve", sidebar: "approve", wiki: "approve" },
  cleared: { title: "open", sidebar: "approve", wiki: "approve" },
  excepted: { title: "remove", sidebar: "remove", wiki: "approve" },
  spared: { title: "open", sidebar: "approve_implied", wiki: "approve_implied" },
  open: { title: "open", sidebar: "open", wiki: "open" },
  void: { title: "void", sidebar: "void", wiki: "void" },
  forbidden: { title: "remove", sidebar: "remove", wiki: "remove" },
  protected: { title: "approve", sidebar: "approve", wiki: "approve" },
};

/**
 * The first tier whose text settles a case: from that tier on, the one outcome that the whole text allows is the only derivable one.
 *
 * Formula: min {t: only(t') = only(wiki) for all t' ≥ t}, where only(·) is the one derivable outcome.
 * Range: a tier. An exception in the detail settles at `wiki` what title and description seemed to settle differently.
 * Undefined when: the whole text leaves both outcomes, or none: null.
 * Differs from the paper: the paper compares tiers in total only.
 * @see paper §6
 * @example settlingTier({ title: "open", sidebar: "remove", wiki: "remove" }) // => "sidebar"
 */
export function settlingTier(states: StatesByTier): Tier | null {
  const final = onlySide(states.wiki);
  if (final === null) return null;
  let settled: Tier = "wiki";
  for (const tier of [...TIERS].reverse()) {
    if (onlySide(states[tier]) !== final) break;
    settled = tier;
  }
  return settled;
}

/** The relation whose texts best show a course through the tiers: the same final outcome, settled at the same tier. */
export function relationOf(states: StatesByTier): Relation {
  const settled = settlingTier(states);
  switch (states.wiki) {
    case "void":
      return "void";
    case "open":
      return "open";
    case "remove_implied":
      return "implied";
    case "approve_implied":
      return "spared";
    case "remove":
      return settled === "title" ? "core" : settled === "sidebar" ? "described" : "detailed";
    case "approve":
      return settled === "title" ? "neutral" : settled === "sidebar" ? "cleared" : "excepted";
  }
}

/**
 * The share of content calling for one side that is decided the other way. Errors are divided between the sides by `missed`; what one side
 * cannot take, because it is too rare, goes to the other.
 *
 * Formula: min(error · missed, violating) of the clear content is removable and approved, min(error (1 − missed), 1 − violating) the reverse,
 * each plus what the other could not take; divided by the side's share.
 * Range: [0, 1].
 * Undefined when: never; a side without content has no errors: 0.
 * Differs from the paper: not in the paper.
 * @see docs/simulation.md
 * @example errorsBySide(0.1, { missed: 0.5, violating: 0.25 }).remove // => 0.2
 */
export function errorsBySide(
  error: number,
  { missed, violating }: Pick<SimulatedCohort, "missed" | "violating">,
): Record<Side, number> {
  const allowed = 1 - violating;
  const [approved, removed] = [error * missed, error * (1 - missed)];
  const beyond = { approved: Math.max(0, approved - violating), removed: Math.max(0, removed - allowed) };
  return {
    remove: rate(approved + beyond.removed, violating),
    approve: rate(removed + beyond.approved, allowed),
  };
}

function rate(errors: number, share: number): number {
  return share > 0 ? Math.min(errors, share) / share : 0;
}
