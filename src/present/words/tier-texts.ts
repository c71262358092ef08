import type { Tier } from "../../core/records/rule-set.js";
import { wordOr } from "./word-table.js";

/** What the auditor reads of each rule. */
const TIER_TEXTS: Readonly<Record<Tier, string>> = {
  title: "titles alone",
  sidebar: "titles and descriptions",
  wiki: "all of the text",
};

/** The same of a name that a file of another tool may hold. */
export function tierText(tier: string): string {
  return wordOr(TIER_TEXTS, tier);
}

/** With its code, where it is met first: "titles alone (title)". */
export function tierWithCode(tier: string): string {
  return Object.hasOwn(TIER_TEXTS, tier) ? `${tierText(tier)} (${tier})` : tierText(tier);
}

/** "title to wiki" in the same words; anything else as it is. */
export function stepText(step: string): string {
  const tiers = step.split(" to ");
  return tiers.every((tier) => Object.hasOwn(TIER_TEXTS, tier)) ? tiers.map(tierText).join(" to ") : step;
}
