import type { Actions } from "../domain/actions.js";
import type { CaseFrame, CaseRule } from "../domain/case.js";
import { contentText } from "../domain/content.js";
import { detectLanguage } from "../domain/language.js";
import type { Precedent } from "../domain/precedent.js";
import { type RuleSet, ruleText, type Tier } from "../domain/rule-set.js";
import type { RulesInForce } from "./rules-in-force.js";

export interface FrameEntry {
  frame: CaseFrame;
  /** Languages of the community's precedents, as far as they can be told. */
  precedentLanguages: ReadonlySet<string>;
}

/** One frame for all decisions of a community under the same rule versions, so that auditors can prepare it once. */
export class Frames {
  private readonly entries = new Map<string, FrameEntry>();
  private readonly precedents = new Map<string, Precedent[]>();

  constructor(
    precedents: readonly Precedent[],
    private readonly tier: Tier,
    private readonly actions: Actions,
  ) {
    for (const precedent of precedents) {
      const known = this.precedents.get(precedent.community);
      if (known) known.push(precedent);
      else this.precedents.set(precedent.community, [precedent]);
    }
  }

  of(community: string, rules: RulesInForce): FrameEntry {
    const key = `${community}\u0000${rules.version}`;
    const known = this.entries.get(key);
    if (known) return known;
    const entry = this.build(community, rules);
    this.entries.set(key, entry);
    return entry;
  }

  private build(community: string, rules: RulesInForce): FrameEntry {
    const precedents = this.precedents.get(community) ?? [];
    const languages = new Set<string>();
    for (const precedent of precedents) {
      const own = typeof precedent.content === "string" ? null : precedent.content.language;
      const language = precedent.language ?? own ?? detectLanguage(contentText(precedent.content));
      if (language) languages.add(language);
    }
    return {
      precedentLanguages: languages,
      frame: {
        community,
        rulesetVersion: rules.version,
        tier: this.tier,
        rules: [...this.caseRules(rules.community), ...this.caseRules(rules.platform)],
        precedents: precedents.map((precedent) => ({
          id: precedent.id,
          text: contentText(precedent.content),
          decision: precedent.decision,
          ruleId: precedent.rule_id ?? null,
          rationale: precedent.rationale ?? null,
        })),
        actions: this.actions,
      },
    };
  }

  private caseRules(set: RuleSet | null): CaseRule[] {
    if (!set) return [];
    return set.rules.map((rule) => ({
      scope: set.scope,
      id: rule.id,
      title: rule.title,
      text: ruleText(rule, this.tier),
      kind: rule.kind ?? null,
    }));
  }
}
