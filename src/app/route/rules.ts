import type { Actions } from "../../core/records/actions.js";
import type { CaseFrame } from "../../core/records/case.js";
import { type RuleSet, ruleText } from "../../core/records/rule-set.js";
import { markedRules, type NeverAutomate, type RulesRead } from "../../measures/gate/route/never-automate.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";

const REMEMBERED = 1000;

/** Rules, and which of them must never be applied without a person. */
export function neverAutomateOf(sets: readonly RuleSet[], actions: Actions): NeverAutomate {
  return markedRules(sets, readerOf(sets, actions));
}

/**
 * Reads the rules that a text names. An audit records only the first rule it cites, and the decider's `cited_rule` is free text. The
 * frame has the rules that are not marked too: that `Rules 1 and 2` names rule 2 is seen only by one who knows rule 1.
 */
function readerOf(sets: readonly RuleSet[], actions: Actions): NeverAutomate["read"] {
  const known = new Map<string, { frame: CaseFrame; answers: Map<string, RulesRead> }>();
  return (community, text) => {
    let entry = known.get(community);
    if (!entry) {
      entry = { frame: wholeFrame(sets, community, actions), answers: new Map() };
      if (known.size >= REMEMBERED) known.clear();
      known.set(community, entry);
    }
    let answer = entry.answers.get(text);
    if (answer === undefined) {
      answer = rulesInText(text, entry.frame);
      if (entry.answers.size >= REMEMBERED) entry.answers.clear();
      entry.answers.set(text, answer);
    }
    return answer;
  };
}

/** The rules of the platform and of one community, of every version. */
function wholeFrame(sets: readonly RuleSet[], community: string, actions: Actions): CaseFrame {
  const rules = sets
    .filter((set) => set.scope === "platform" || set.community === community)
    .flatMap(({ scope, rules }) =>
      rules.map((rule) => ({ scope, id: rule.id, title: rule.title, text: ruleText(rule, "wiki"), kind: null })),
    );
  return { community, rulesetVersion: "", tier: "wiki", rules, precedents: [], actions };
}
