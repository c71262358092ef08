import type { Rule, RuleSet } from "../../core/records/rule-set.js";
import type { RuleReference } from "../../core/results/paired-change.js";

/** The newest wording of each rule, by where it belongs. */
export class KnownRules {
  private readonly rules = new Map<string, Rule>();

  constructor(sets: readonly RuleSet[]) {
    const oldestFirst = [...sets].sort((a, b) => ((a.effective_from ?? "") < (b.effective_from ?? "") ? -1 : 1));
    for (const set of oldestFirst) {
      const community = set.scope === "platform" ? null : set.community!;
      for (const rule of set.rules) this.rules.set(JSON.stringify([community, rule.id]), rule);
    }
  }

  find({ scope, community, rule_id }: Omit<RuleReference, "title">): Rule | undefined {
    const rule = this.rules.get(JSON.stringify([community, rule_id]));
    // A citation of both scopes may name a rule of either.
    return rule ?? (scope === "mixed" ? this.rules.get(JSON.stringify([null, rule_id])) : undefined);
  }
}
