import type { DiffChanges, DiffEffect, RulesDiff } from "../../core/results/rules-diff.js";
import { armWarnings } from "./compare-arms.js";
import { checkDiff, type DiffLimits } from "./diff-checks.js";
import { diffFigures } from "./diff-figures.js";

export interface DiffParts {
  what: RulesDiff["what"];
  old: string;
  new: string;
  tier: string | null;
  changes: DiffChanges | null;
  effect: DiffEffect | null;
  limits: DiffLimits;
}

/** The arms by which a run of `rules diff` is known again, old first. */
export const DIFF_ARMS = [
  ["rules", "rules=old", "rules=new"],
  ["precedents", "precedents=old", "precedents=new"],
  ["precedents_off", "precedents=on", "precedents=off"],
] as const;

/** What a rewrite of rules or precedents does to past decisions, and whether that is within the limits. */
export function buildDiff({ limits, effect, ...parts }: DiffParts): RulesDiff {
  const warnings = effect ? armWarnings(effect.counts, effect.source) : [];
  const hidden = parts.changes?.rules.filter((rule) => !rule.shown).length ?? 0;
  if (hidden > 0) {
    warnings.push(
      `${hidden} ${hidden === 1 ? "rule is" : "rules are"} changed only in what the auditor does not read at tier ${parts.tier}`,
    );
  }
  if (!parts.changes && parts.what !== "precedents_off") {
    warnings.push("what was changed is not known here: only the audits are");
  }
  return {
    format: 1,
    experiment: "diff",
    runs: effect?.source.run_id ? [effect.source.run_id] : [],
    ...parts,
    effect,
    checks: { mode: limits.mode, results: checkDiff(effect, limits) },
    figures: effect ? diffFigures(effect) : [],
    warnings,
  };
}
