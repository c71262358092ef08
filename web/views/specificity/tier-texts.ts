import type { Tier } from "../../../src/domain/rule-set.js";

/** What the auditor reads of each rule. */
export const TIER_TEXTS: Readonly<Record<Tier, string>> = {
  title: "titles alone",
  sidebar: "titles and descriptions",
  wiki: "all of the text",
};

/** The same of a name that a file of another tool may hold. */
export function tierText(tier: string): string {
  return Object.hasOwn(TIER_TEXTS, tier) ? TIER_TEXTS[tier as Tier] : tier;
}
