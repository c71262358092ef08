import type { Tier } from "../../core/records/rule-set.js";
import { TIERS } from "../../core/records/rule-set.js";
import type { RuleRelation } from "../books/book.js";
import { onlySide, type SideState } from "./side-state.js";

/** How content stands to the rules: to one of them, to two of different scope, or to none. */
export type Relation = RuleRelation | "neutral" | "unwelcome" | "forbidden" | "protected";

export type StatesByTier = Readonly<Record<Tier, SideState>>;

/** What the rules make of content of each relation when one reads titles, titles and descriptions, or everything. */
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
 * The first tier whose text settles a case: from it on, the one outcome that the whole text allows is the only derivable one.
 *
 * Formula: min {t: only(t') = only(wiki) for all t' ≥ t}, where only(·) is the one derivable outcome.
 * Range: a tier. An exception in the detail settles at `wiki` what title and description seemed to settle otherwise.
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

/** The relation whose texts show a course through the tiers best: it has the same outcome at the end and settles at the same tier. */
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
