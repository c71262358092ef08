import { countRulePatterns, countScopePatterns, type LabelledPattern } from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { undefinedEstimate } from "../../core/estimate.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import type { ArmSource, RareRule } from "../../core/results/compare.js";
import { shareEstimate } from "../../measures/metrics/indices.js";
import { AUDITED } from "../../measures/metrics/judge/counts.js";
import {
  type ArmPattern,
  type ArmPatterns,
  ablationClass,
  armPatterns,
  clusterShares,
  countPairs,
  FOLLOWED,
  isComplete,
  type Patterns,
  type ScopeArms,
  scopeAblation,
} from "../../measures/metrics/paired/arm-patterns.js";
import type { ChangeOptions } from "../../measures/metrics/paired/paired-change.js";
import type { TallyScope } from "../../measures/metrics/tally.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { cohenKappa } from "../../stats/ranks/raters.js";
import type { RulesShown } from "./build-tiers.js";
import { armRates, armStep, armWarnings, byName, byUse, pairedArms } from "./compare-arms.js";
import {
  ABLATION_CLASSES,
  type ScopeAgreement,
  type ScopeGroup,
  type ScopeRule,
  type Scopes,
} from "./scopes/result.js";
import { estimateRow, rateWords } from "./tier-figures.js";

const ARM_NAMES: Record<string, string> = {
  "": "all rules",
  "scope=platform": "platform alone",
  "scope=community": "community alone",
};

function scopeFigures(scopes: Scopes): Figure[] {
  return [indices(scopes), classes(scopes), agreement(scopes)];
}

function indices({ arms }: Scopes): Figure {
  const rows = arms.flatMap(({ arm, defensibility_index, ambiguity_index, ambiguity_pure }): FigureRow[] =>
    Object.entries({ DI: defensibility_index, AI: ambiguity_index, AI_pure: ambiguity_pure }).map(
      ([index, estimate]) => ({ rules: ARM_NAMES[arm] ?? arm, index, ...estimateRow(estimate) }),
    ),
  );
  const rates = arms
    .filter((one) => one.defensibility_index.estimate !== null)
    .map((one) => `${rateWords(one.defensibility_index)} under ${ARM_NAMES[one.arm] ?? one.arm}`);
  return {
    id: "scopes-indices",
    title: rates.length === 0 ? "No decision has a verdict under any rules" : `Defensibility is ${rates.join(", ")}`,
    mark: "point",
    x: { field: "rules", label: "rules shown" },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    rows,
  };
}

function classes({ ambiguity, ambiguity_pure, agreement: { attributed } }: Scopes): Figure {
  const rows: FigureRow[] = [];
  for (const name of ABLATION_CLASSES) {
    rows.push({ class: name, measured: "AI", ...estimateRow(ambiguity.classes[name]) });
    rows.push({ class: name, measured: "AI_pure", ...estimateRow(ambiguity_pure.classes[name]) });
  }
  for (const [name, estimate] of Object.entries(attributed)) {
    rows.push({ class: name, measured: "AI by citation", ...estimateRow(estimate) });
  }
  return {
    id: "scopes-classes",
    title:
      ambiguity.both.estimate === null
        ? "No decision has a verdict under all rules and under each set alone"
        : `The ambiguity is ${rateWords(ambiguity.both)} of all decisions: ${rateWords(ambiguity.classes.either)} rest on either set of rules alone, ${rateWords(ambiguity.classes.platform)} on the platform's only, ${rateWords(ambiguity.classes.community)} on the community's only`,
    mark: "bar",
    x: { field: "value", label: "share of decisions", format: "percent" },
    y: { field: "class", label: "what the ambiguity rests on" },
    series: "measured",
    caption:
      "By ablation: platform and community alone, either of them, only both together. By citation: where the auditor's citation is; mixed and none are its own.",
    rows,
  };
}

function agreement({ agreement: { table, agree } }: Scopes): Figure {
  const rows = table.flatMap(({ class: name, ...cited }): FigureRow[] =>
    Object.entries(cited).map(([scope, n]) => ({ class: name, cited: scope, n })),
  );
  return {
    id: "scopes-agreement",
    title:
      agree.estimate === null
        ? "Of no ambiguous decision do both citation and ablation name one scope"
        : `Citation and ablation name the same scope for ${rateWords(agree)} of the ambiguous decisions that both give to one scope`,
    mark: "cell",
    x: { field: "cited", label: "by citation" },
    y: { field: "class", label: "by ablation" },
    value: { field: "n", label: "ambiguous decisions", format: "whole" },
    rows,
  };
}

export interface ScopesInputs {
  source: ArmSource;
  rules: RulesShown;
  minDecisions: number;
}

export const SCOPE_ARMS = ["", "scope=platform", "scope=community"] as const;
const NAMES = ["all rules", "platform alone", "community alone"] as const;
const PLACES: ScopeArms = { both: 0, platform: 1, community: 2 };

/** How the platform's rules and the community's rules each affect the same decisions. */
export async function buildScopes(table: AuditTable, inputs: ScopesInputs): Promise<Scopes> {
  const { counts, patterns, options, known, byDecision, head } = await pairedArms(table, SCOPE_ARMS, inputs);
  const cited = await countRulePatterns(table.db, counts, PLACES.both);
  const { often, rarely } = byUse(cited, known, inputs.minDecisions);
  const place = (arm: number) => ({ arm, name: NAMES[arm]! });
  const result: Scopes = {
    format: 1,
    experiment: "scopes",
    ...head,
    arms: SCOPE_ARMS.map((name, arm) => armRates(patterns, arm, name, options)),
    steps: [armStep(patterns, place(1), place(0), options), armStep(patterns, place(2), place(0), options)],
    ...groupOf(patterns, options),
    with_both: whereBothHaveRules(patterns, options),
    by_decision: byDecision((rows) => groupOf(rows, options)),
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

/** If a scope has no rules, its arm shows the auditor no rules at all, so such decisions say nothing about those rules. */
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

/** The source of ambiguity by citation, compared with its source by ablation. */
function scopeAgreement(all: readonly (ArmPattern & { rests: TallyScope })[], arms: ScopeArms): ScopeAgreement {
  const patterns = all.filter(({ kinds }) => isComplete(kinds));
  const n = countPairs(patterns);
  const fires = ({ kinds }: ArmPattern, arm: number) => FOLLOWED.ambiguity_index(AUDITED[kinds[arm]!]!);
  const table = ABLATION_CLASSES.map((name) => ({
    class: name,
    platform: 0,
    community: 0,
    mixed: 0,
    none: 0,
    unknown: 0,
  }));
  for (const pattern of patterns) {
    if (!fires(pattern, arms.both)) continue;
    const name = ablationClass(fires(pattern, arms.platform), fires(pattern, arms.community));
    table.find((row) => row.class === name)![pattern.rests] += pattern.n;
  }
  const cited = (name: Exclude<TallyScope, "unknown">) => {
    const k = table.reduce((sum, row) => sum + row[name] + (name === "none" ? row.unknown : 0), 0);
    const known = patterns.some(({ rests }) => rests !== "unknown");
    return known ? proportion(k, n) : undefinedEstimate("no audit says which rule it cites", n);
  };
  const [platform, community] = [table[0]!, table[1]!];
  const alike = platform.platform + community.community;
  const compared = alike + platform.community + community.platform;
  return {
    table,
    attributed: {
      platform: cited("platform"),
      community: cited("community"),
      mixed: cited("mixed"),
      none: cited("none"),
    },
    agree:
      compared === 0
        ? undefinedEstimate("no ambiguous decision is one scope's alone by both ways of telling", 0)
        : proportion(alike, compared),
    kappa: cohenKappa([
      [platform.platform, platform.community],
      [community.platform, community.community],
    ]),
  };
}
