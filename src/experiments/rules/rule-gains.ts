import type { RulePatterns } from "../../analysis/arm-pairs.js";
import { type Rule, type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type { RareRule, RuleReference } from "../../core/results/paired-change.js";
import {
  type ArmPatterns,
  armPatterns,
  clusterPairs,
  clusterShares,
  countPairs,
  FOLLOWED,
} from "../../measures/metrics/paired/arm-patterns.js";
import { pairedDifference } from "../../measures/metrics/paired/paired-change.js";
import { shareEstimate } from "../../measures/metrics/rate.js";
import { mcnemar } from "../../stats/tests/mcnemar.js";
import { holm } from "../../stats/tests/multiple-testing.js";
import type { RuleGain, RuleGains } from "./tiers/result.js";

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

const open = FOLLOWED.ambiguity_index;

/** Which rule gains from which tier: the ambiguity of the decisions that cite it, tier by tier. Most gain first. */
export function ruleGains(
  cited: readonly RulePatterns[],
  tiers: readonly Tier[],
  known: KnownRules,
  minDecisions: number,
): RuleGains {
  const { often, rarely } = byUse(cited, known, minDecisions);
  const rules = often.map(({ rule, patterns }) => gainOf(rule, patterns, tiers, known));
  const tested = rules.filter(({ mid_p }) => mid_p !== null);
  const adjusted = holm(tested.map(({ mid_p }) => mid_p!));
  tested.forEach((row, i) => {
    row.adjusted_p = adjusted[i]!;
  });
  const gain = (row: RuleGain) => row.gain.estimate ?? Number.NEGATIVE_INFINITY;
  return { rules: rules.sort((a, b) => gain(b) - gain(a) || byName(a, b)), too_few: rarely };
}

interface UsedRule {
  rule: RareRule;
  patterns: ArmPatterns;
}

/** Rules that enough decisions cite for a rate, and the others, most cited first. */
export function byUse(
  cited: readonly RulePatterns[],
  known: KnownRules,
  minDecisions: number,
): { often: UsedRule[]; rarely: RareRule[] } {
  const often: UsedRule[] = [];
  const rarely: RareRule[] = [];
  for (const { scope, community, rule_id, patterns: rows } of cited) {
    const patterns = armPatterns(rows);
    const n = countPairs(patterns);
    if (n === 0) continue;
    const rule = { scope, community, rule_id, title: known.find({ scope, community, rule_id })?.title ?? null, n };
    if (n < minDecisions) rarely.push(rule);
    else often.push({ rule, patterns });
  }
  return { often, rarely: rarely.sort(byName) };
}

/** Most cited first, then by name: an order that does not depend on how the rows were read. */
export function byName(a: RareRule, b: RareRule): number {
  const name = ({ scope, community, rule_id }: RareRule) => JSON.stringify([scope, community, rule_id]);
  return b.n - a.n || (name(a) < name(b) ? -1 : 1);
}

function gainOf(rule: RareRule, patterns: ArmPatterns, tiers: readonly Tier[], known: KnownRules): RuleGain {
  const text = known.find(rule);
  const gain = (from: number, to: number) => pairedDifference(clusterPairs(patterns, to, from, open));
  const last = tiers.length - 1;
  let [settled, opened] = [0, 0];
  for (const pairs of clusterPairs(patterns, 0, last, open)) {
    settled += pairs.onlyA;
    opened += pairs.onlyB;
  }
  return {
    ...rule,
    ambiguity: tiers.map((_, arm) =>
      shareEstimate(
        clusterShares(patterns, (verdicts) => open(verdicts[arm]!)),
        "no decision cites it",
      ),
    ),
    gains: tiers.slice(1).map((to, i) => ({
      from: tiers[i]!,
      to,
      gain: gain(i, i + 1),
      text_differs: text ? ruleText(text, tiers[i]!) !== ruleText(text, to) : null,
    })),
    gain: gain(0, last),
    mid_p: mcnemar(settled, opened).mid_p,
    adjusted_p: null,
  };
}
