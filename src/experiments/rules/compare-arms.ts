import {
  countPatterns,
  type LabelledPattern,
  listArms,
  pairArms,
  type RulePatterns,
} from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { InputError } from "../../core/errors.js";
import type { Estimate } from "../../core/estimate.js";
import { sideNames } from "../../core/records/actions.js";
import { type Rule, type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type {
  ArmCounts,
  ArmRates,
  ArmSource,
  ArmStep,
  Changes,
  RareRule,
  RuleReference,
} from "../../core/results/compare.js";
import { shareEstimate } from "../../measures/metrics/indices.js";
import {
  type ArmPatterns,
  armPatterns,
  type Counted,
  clusterPairs,
  clusterShares,
  countPairs,
  FOLLOWED,
  onePool,
  type Patterns,
} from "../../measures/metrics/paired/arm-patterns.js";
import {
  type ChangeOptions,
  pairedChange,
  pairedDifference,
  worstCaseChange,
} from "../../measures/metrics/paired/paired-change.js";
import { transitions } from "../../measures/metrics/paired/transitions.js";
import { holm } from "../../stats/tests/multiple-testing.js";
import { mcnemar } from "../../stats/tests/two-proportion-test.js";
import { auditorNotes } from "../audits.js";
import type { RulesShown } from "./build-tiers.js";
import type { RuleGain, RuleGains } from "./tiers/result.js";

/** The newest wording of each rule, by its scope and community. */
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

/** How much each rule gains from each tier: the ambiguity of the decisions that cite it, tier by tier. Largest gain first. */
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

/** Rules cited by enough decisions for a rate, and the others, most cited first. */
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

/** Most cited first, then by name: an order independent of how the rows were read. */
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

/** The indices of an arm on the decisions with a verdict in every arm, with bounds for the others. */
export function armRates(patterns: Patterns, arm: number, name: string, { unit }: Required<ChangeOptions>): ArmRates {
  const table = armPatterns(patterns);
  const clustered = unit === "decision" ? onePool(table) : table;
  const rate = (counted: Counted): Estimate => {
    const estimate = shareEstimate(
      clusterShares(clustered, (verdicts) => counted(verdicts[arm]!)),
      "no decision has a verdict in every arm",
    );
    const worst = worstCaseChange(table, arm, arm, counted);
    return estimate.estimate === null || !worst ? estimate : { ...estimate, worst_case: worst.a };
  };
  const levels = {
    "1": rate(({ level }) => level === 1),
    "2": rate(({ level }) => level === 2),
    "3": rate(({ level }) => level === 3),
  };
  return {
    arm: name,
    defensibility_index: rate(FOLLOWED.defensibility_index),
    ambiguity_index: rate(FOLLOWED.ambiguity_index),
    ambiguity_pure: rate(FOLLOWED.ambiguity_pure),
    levels,
    indefensible: levels["3"].estimate === null ? 0 : levels["3"].k!,
  };
}

export function armStep(
  patterns: Patterns,
  from: { arm: number; name: string },
  to: { arm: number; name: string },
  options: Required<ChangeOptions>,
): ArmStep {
  return {
    from: from.name,
    to: to.name,
    changes: armChanges(patterns, from.arm, to.arm, options),
    transitions: transitions(patterns, from.arm, to.arm, options),
  };
}

export function armChanges(patterns: Patterns, from: number, to: number, options: Required<ChangeOptions>): Changes {
  const of = (counted: Counted) => pairedChange(patterns, from, to, counted, options);
  return {
    defensibility_index: of(FOLLOWED.defensibility_index),
    ambiguity_index: of(FOLLOWED.ambiguity_index),
    ambiguity_pure: of(FOLLOWED.ambiguity_pure),
    level_1: of(FOLLOWED.level_1),
    level_3: of(FOLLOWED.level_3),
  };
}

/** Pairs the arms. Every arm must exist, and some decision must have a verdict in all of them. */
export async function compareArms(table: AuditTable, arms: readonly string[], name: string): Promise<ArmCounts> {
  const found = await listArms(table);
  const missing = arms.filter((arm) => !found.some((one) => one.arm === arm));
  if (missing.length > 0) {
    const names = (list: readonly string[]) => list.map((arm) => `"${arm}"`).join(", ");
    throw new InputError(
      "missing_arms",
      `arms: ${name} has no audits with arm ${names(missing)}; got ${names(found.slice(0, 12).map(({ arm }) => arm)) || "none"}`,
      "Audit every condition in one run, or name another run or file.",
    );
  }
  const counts = await pairArms(table, arms);
  if (counts.paired > 0) return counts;
  const { decisions, different_action: other } = counts;
  if (other > 0) {
    const rest = decisions - other;
    throw new InputError(
      "nothing_paired",
      `arms: ${other} of the ${decisions} decisions of ${name} ${other === 1 ? "has" : "have"} a different action in another arm${rest === 0 ? "" : `, and the other ${rest} ${rest === 1 ? "has" : "have"} no verdict in every arm`}`,
      "Arms are compared on the same decision with the same action: fix the column `decision` of the audits.",
    );
  }
  throw new InputError(
    "nothing_paired",
    `arms: none of the ${counts.decisions} decisions of ${name} has a verdict in every arm`,
    "`defensible runs show ID` says how the audits of a run ended.",
  );
}

/** What experiments with arms share: the paired arms, and a way to repeat a computation for each action. */
export async function pairedArms(
  table: AuditTable,
  arms: readonly string[],
  { source, rules }: { source: ArmSource; rules: RulesShown },
) {
  const counts = await compareArms(table, arms, source.name);
  const patterns = await countPatterns(table.db, counts);
  const { positive, negative } = sideNames(table.actions);
  const of = (action: string) => patterns.filter((one) => one.positive === (action === positive));
  return {
    counts,
    patterns,
    options: { unit: counts.clusters.unit },
    known: new KnownRules("sets" in rules ? rules.sets : []),
    byDecision: <Group>(groupOf: (rows: LabelledPattern[]) => Group): Record<string, Group> =>
      Object.fromEntries([positive, negative].map((action) => [action, groupOf(of(action))])),
    head: { runs: source.run_id ? [source.run_id] : [], source, counts },
  };
}

/** Whether the auditor draws its own random numbers: arms with the same `draws` get the same ones, as all arms of these experiments do. */
function sharesDraws(auditor: string | null): boolean {
  return ["baseline", "simulated"].includes(auditor?.split(":")[0] ?? "");
}

/** What a reader must know about the audits before the figures. */
export function armWarnings(counts: ArmCounts, { auditor, temperature }: ArmSource): string[] {
  const warnings: string[] = [];
  const lacking = counts.decisions - counts.paired - counts.different_action - counts.no_rules;
  if (lacking > 0)
    warnings.push(`left out for lack of a verdict in an arm: ${lacking} of ${counts.decisions} decisions`);
  if (counts.no_rules > 0)
    warnings.push(`left out because an arm has no rule for them: ${counts.no_rules} of ${counts.decisions} decisions`);
  if (counts.different_action > 0) {
    warnings.push(
      `left out for another action in another arm: ${counts.different_action} of ${counts.decisions} decisions`,
    );
  }
  if (temperature) {
    warnings.push(
      sharesDraws(auditor)
        ? `audited at temperature ${temperature} with the same random numbers in every arm: a verdict changes only where what the auditor is shown does`
        : `audited at temperature ${temperature}: some verdicts change from arm to arm by chance alone, fewer at temperature 0`,
    );
  }
  warnings.push(...auditorNotes([auditor]));
  return warnings;
}
