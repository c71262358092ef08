import type { RuleSet } from "../../core/records/rule-set.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { KnownRule } from "./build-report.js";

/** The newest wording of every rule of a workspace. */
export function knownRules(workspace: Workspace): KnownRule[] {
  return newestRules(loadRuleSets(workspace).map(({ set }) => set));
}

/** The newest wording of every rule. */
export function newestRules(sets: readonly RuleSet[]): KnownRule[] {
  const rules = new Map<string, KnownRule>();
  const byAge = [...sets].sort((a, b) => ((a.effective_from ?? "") < (b.effective_from ?? "") ? -1 : 1));
  for (const set of byAge) {
    const community = set.scope === "platform" ? null : set.community!;
    for (const rule of set.rules) {
      rules.set(JSON.stringify([set.scope, community, rule.id]), {
        scope: set.scope,
        community,
        rule_id: rule.id,
        title: rule.title,
      });
    }
  }
  return [...rules.values()];
}
