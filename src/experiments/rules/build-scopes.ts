import {
  countPatterns,
  countRulePatterns,
  countScopePatterns,
  type LabelledPattern,
} from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import type { ArmSource, RareRule } from "../../core/results/paired-change.js";
import type { ScopeGroup, ScopeRule, Scopes } from "../../core/results/scopes.js";
import {
  type ArmPatterns,
  armPatterns,
  clusterShares,
  countPairs,
  FOLLOWED,
  type Patterns,
} from "../../measures/metrics/arm-patterns.js";
import type { ChangeOptions } from "../../measures/metrics/paired-change.js";
import { type ScopeArms, scopeAblation } from "../../measures/metrics/scope-ablation.js";
import { shareEstimate } from "../../measures/metrics/share.js";
import { armRates, armStep } from "./arm-rates.js";
import { armWarnings, compareArms } from "./compare-arms.js";
import { KnownRules } from "./known-rules.js";
import { byName, byUse } from "./rule-gains.js";
import { scopeAgreement } from "./scope-agreement.js";
import { scopeFigures } from "./scope-figures.js";
import type { RulesShown } from "./tier-texts.js";

export interface ScopesInputs {
  source: ArmSource;
  rules: RulesShown;
  minDecisions: number;
}

/** The arms in their order. */
export const SCOPE_ARMS = ["", "scope=platform", "scope=community"] as const;
const NAMES = ["all rules", "platform alone", "community alone"] as const;
const PLACES: ScopeArms = { both: 0, platform: 1, community: 2 };

/** What the platform's rules and the community's rules each do to the same decisions. */
export async function buildScopes(table: AuditTable, inputs: ScopesInputs): Promise<Scopes> {
  const counts = await compareArms(table, SCOPE_ARMS, inputs.source.name);
  const options = { unit: counts.clusters.unit };
  const patterns = await countPatterns(table.db, counts);
  const { positive, negative } = table.actions;
  const known = new KnownRules("sets" in inputs.rules ? inputs.rules.sets : []);
  const cited = await countRulePatterns(table.db, counts, PLACES.both);
  const { often, rarely } = byUse(cited, known, inputs.minDecisions);
  const place = (arm: number) => ({ arm, name: NAMES[arm]! });
  const result: Scopes = {
    format: 1,
    experiment: "scopes",
    runs: inputs.source.run_id ? [inputs.source.run_id] : [],
    source: inputs.source,
    counts,
    arms: SCOPE_ARMS.map((name, arm) => armRates(patterns, arm, name, options)),
    steps: [armStep(patterns, place(1), place(0), options), armStep(patterns, place(2), place(0), options)],
    ...groupOf(patterns, options),
    with_both: whereBothHaveRules(patterns, options),
    by_decision: Object.fromEntries(
      [positive, negative].map((action) => [
        action,
        groupOf(
          patterns.filter((one) => one.positive === (action === positive)),
          options,
        ),
      ]),
    ),
    agreement: scopeAgreement(await countScopePatterns(table.db, counts, PLACES.both), PLACES),
    rules: {
      min_decisions: inputs.minDecisions,
      cited: often.map(({ rule, patterns }) => ruleRow(rule, patterns)).sort(mostAmbiguousFirst),
      too_few: rarely,
    },
    figures: [],
    warnings: [],
  };
  return { ...result, figures: scopeFigures(result), warnings: armWarnings(counts, inputs.source) };
}

function groupOf(rows: Patterns, options: Required<ChangeOptions>): ScopeGroup {
  const patterns = armPatterns(rows);
  return {
    n: countPairs(patterns),
    defensibility: scopeAblation(patterns, PLACES, FOLLOWED.defensibility_index, options),
    ambiguity: scopeAblation(patterns, PLACES, FOLLOWED.ambiguity_index, options),
    ambiguity_pure: scopeAblation(patterns, PLACES, FOLLOWED.ambiguity_pure, options),
  };
}

/** An arm whose scope has no rules shows the auditor none at all: such decisions say nothing about those rules. */
function whereBothHaveRules(
  patterns: readonly LabelledPattern[],
  options: Required<ChangeOptions>,
): Scopes["with_both"] {
  const versions = patterns.map(({ versions }) => versions[PLACES.both]);
  if (versions.some((version) => version === null)) return null;
  const noPlatform = (one: LabelledPattern) => one.versions[PLACES.both]!.startsWith("-+");
  const noCommunity = (one: LabelledPattern) => one.versions[PLACES.both]!.endsWith("+-");
  return {
    ...groupOf(
      patterns.filter((one) => !noPlatform(one) && !noCommunity(one)),
      options,
    ),
    without_community_rules: countPairs(patterns.filter(noCommunity)),
    without_platform_rules: countPairs(patterns.filter(noPlatform)),
  };
}

function ruleRow(rule: RareRule, patterns: ArmPatterns): ScopeRule {
  const open = FOLLOWED.ambiguity_index;
  const { patterns: eight } = scopeAblation(patterns, PLACES, open);
  const count = (platform: boolean, community: boolean) =>
    eight.find((one) => one.both && one.platform === platform && one.community === community)!.n;
  return {
    ...rule,
    ambiguity: shareEstimate(
      clusterShares(patterns, (verdicts) => open(verdicts[PLACES.both]!)),
      "no decision cites it",
    ),
    classes: {
      platform: count(true, false),
      community: count(false, true),
      either: count(true, true),
      together: count(false, false),
    },
  };
}

function mostAmbiguousFirst(a: ScopeRule, b: ScopeRule): number {
  const rate = ({ ambiguity }: ScopeRule) => ambiguity.estimate ?? -1;
  return rate(b) - rate(a) || byName(a, b);
}
