import { type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";

/** Rules as they were shown, or why they are not known. */
export type RulesShown = { sets: readonly RuleSet[] } | { reason: string };

/** Whose text differs between two tiers. `own`: the community's; null: it has no rules. */
export interface TextDifference {
  platform: boolean;
  own: boolean | null;
}

/** Answers whether what an auditor read under two tiers differs at all. */
export class TierTexts {
  private readonly sets = new Map<string, RuleSet>();

  constructor(sets: readonly RuleSet[]) {
    for (const set of sets) this.sets.set(keyOf(set.scope === "platform" ? null : set.community!, set.version), set);
  }

  /** @param version `<platform>+<community>`, as audits have it; null answer: these rules are not known here */
  between(community: string, version: string | null, from: Tier, to: Tier): TextDifference | null {
    if (version === null) return null;
    for (let plus = version.indexOf("+"); plus >= 0; plus = version.indexOf("+", plus + 1)) {
      const platform = this.side(null, version.slice(0, plus));
      const own = this.side(community, version.slice(plus + 1));
      if (platform === undefined || own === undefined) continue;
      return { platform: platform !== null && differs(platform, from, to), own: own && differs(own, from, to) };
    }
    return null;
  }

  /** null: there are none; undefined: there is no such version. */
  private side(community: string | null, version: string): RuleSet | null | undefined {
    return version === "-" ? null : this.sets.get(keyOf(community, version));
  }
}

function keyOf(community: string | null, version: string): string {
  return JSON.stringify([community, version]);
}

function differs(set: RuleSet, from: Tier, to: Tier): boolean {
  return set.rules.some((rule) => ruleText(rule, from) !== ruleText(rule, to));
}
