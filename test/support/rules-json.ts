import { loadRuleSets } from "../../src/store/files/rule-files.js";
import { openWorkspace } from "../../src/store/files/workspace.js";

/** The rules of a workspace as `test/recount.py` reads them: Python has no YAML in its standard library. */
export function rulesJson(workspace: string): string {
  return JSON.stringify(
    loadRuleSets(openWorkspace(workspace)).flatMap(({ set }) =>
      set.rules.map((rule) => ({
        scope: set.scope,
        community: set.community ?? null,
        rule_id: rule.id,
        title: rule.title,
      })),
    ),
  );
}
