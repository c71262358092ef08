import type { Report } from "../../core/results/report.js";
import type { PageRuleSet } from "../../measures/report-page.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";

/** Every version of the platform's rules and of those of the report's communities, oldest first. */
export function pageRuleSets(workspace: Workspace, report: Report): PageRuleSet[] {
  const communities = new Set(report.communities.map(({ community }) => community));
  const sets = loadRuleSets(workspace)
    .map(({ set }) => set)
    .filter((set) => set.scope === "platform" || communities.has(set.community!));
  sets.sort(
    (a, b) => compare(a.community ?? "", b.community ?? "") || compare(a.effective_from ?? "", b.effective_from ?? ""),
  );
  return sets.map(({ scope, community, version, effective_from, rules }) => ({
    scope,
    community: scope === "platform" ? null : (community ?? null),
    version,
    effective_from: effective_from ?? null,
    rules: rules.map(({ id, title, description, detail, kind, never_automate }) => ({
      id,
      title,
      ...(description ? { description } : {}),
      ...(detail ? { detail } : {}),
      ...(kind ? { kind } : {}),
      ...(never_automate ? { never_automate } : {}),
    })),
  }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
