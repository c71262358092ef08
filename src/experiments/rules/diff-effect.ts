import {
  countPatterns,
  countRulePatterns,
  type LabelledPattern,
  listMoved,
  type RulePatterns,
} from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { undefinedEstimate } from "../../core/estimate.js";
import { sideNames } from "../../core/records/actions.js";
import type { ArmSource } from "../../core/results/compare.js";
import { AUDITED, type AuditedCell } from "../../measures/metrics/judge/counts.js";
import {
  armPatterns,
  type Counted,
  countPairs,
  FOLLOWED,
  type Patterns,
} from "../../measures/metrics/paired/arm-patterns.js";
import { pairedChange } from "../../measures/metrics/paired/paired-change.js";
import { armRates, armStep, byName, compareArms, type KnownRules } from "./compare-arms.js";
import type { DiffChanges, DiffEffect, RuleEffect, RuleEffects } from "./diff/result.js";

export interface EffectInputs {
  source: ArmSource;
  arms: readonly [string, string];
  changes: DiffChanges | null;
  known: KnownRules;
  minDecisions: number;
  /** Most decisions listed of each kind. */
  listed: number;
}

const NAMES = ["before", "after"] as const;

/** The effect of the new text on decisions made under the old. */
export async function diffEffect(table: AuditTable, inputs: EffectInputs): Promise<DiffEffect> {
  const { db } = table;
  const { positive, negative } = sideNames(table.actions);
  const counts = await compareArms(table, inputs.arms, inputs.source.name);
  const options = { unit: counts.clusters.unit };
  const patterns = await countPatterns(db, counts);
  const step = (of: Patterns) =>
    armStep(armPatterns(of), { arm: 0, name: NAMES[0] }, { arm: 1, name: NAMES[1] }, options);
  const moved = (move: Parameters<typeof listMoved>[1]) => listMoved(db, move, inputs.listed);
  const cited = [await countRulePatterns(db, counts, 0), await countRulePatterns(db, counts, 1)] as const;
  const byRule = (arm: 0 | 1): RuleEffects => {
    const rules = cited[arm].map((rule) => ruleEffect(rule, inputs));
    const rare = (rule: RuleEffect) => rule.too_few && rule.change === null;
    const name = ({ scope, community, rule_id, title, n }: RuleEffect) => ({ scope, community, rule_id, title, n });
    return {
      rules: rules.filter((rule) => rule.n > 0 && !rare(rule)).sort(worstFirst),
      too_few: rules
        .filter((rule) => rule.n > 0 && rare(rule))
        .map(name)
        .sort(byName),
    };
  };
  return {
    source: inputs.source,
    counts,
    arms: inputs.arms.map((name, arm) => armRates(patterns, arm, name, options)),
    step: step(patterns),
    by_decision: Object.fromEntries(
      [positive, negative].map((action) => [
        action,
        step(patterns.filter((one) => one.positive === (action === positive))),
      ]),
    ),
    new_indefensible: await moved("new_indefensible"),
    new_indefensible_at_most: possiblyIndefensible(patterns),
    no_longer_indefensible: await moved("no_longer_indefensible"),
    settled: await moved("settled"),
    opened: await moved("opened"),
    opened_pure: await moved("opened_pure"),
    overturned: await moved("overturned"),
    opened_parts: openedParts(armPatterns(patterns)),
    changed_rules: changedRules(inputs.changes, ...cited),
    communities: communityEffects(patterns),
    rules: { min_decisions: inputs.minDecisions, by_old: byRule(0), by_new: byRule(1) },
  };
}

function communityEffects(patterns: readonly LabelledPattern[]): DiffEffect["communities"] {
  const groups = new Map<string, LabelledPattern[]>();
  for (const one of patterns) {
    const group = groups.get(one.community);
    if (group) group.push(one);
    else groups.set(one.community, [one]);
  }
  const rows = [...groups].map(([community, of]) => {
    const table = armPatterns(of);
    return {
      community,
      n: countPairs(table),
      new_indefensible: newIndefensible(table),
      defensibility: pairedChange(table, 0, 1, FOLLOWED.defensibility_index, { unit: "decision" }),
      ambiguity: pairedChange(table, 0, 1, FOLLOWED.ambiguity_index, { unit: "decision" }),
    };
  });
  return rows.sort((a, b) => b.new_indefensible - a.new_indefensible || (a.community < b.community ? -1 : 1));
}

/** How many decisions cite the rules that were added or reworded: a rule that is never cited changes nothing by itself. */
function changedRules(
  changes: DiffChanges | null,
  before: readonly RulePatterns[],
  after: readonly RulePatterns[],
): DiffEffect["changed_rules"] {
  const count = (rules: readonly RulePatterns[], community: string | null, id: string) =>
    rules
      .filter((rule) => rule.community === community && rule.rule_id === id)
      .reduce((sum, { patterns }) => sum + countPairs(armPatterns(patterns)), 0);
  if (!changes || before.length + after.length === 0) return null;
  return changes.rules
    .filter(({ change, shown }) => shown && change !== "removed")
    .map(({ scope, community, rule_id, title, change, old_rule_id }) => ({
      ...{ scope, community, rule_id, title, change },
      cited_before: change === "added" ? null : count(before, community, old_rule_id ?? rule_id),
      cited_after: count(after, community, rule_id),
    }));
}

function newIndefensible(patterns: Patterns): number {
  return countPairs(patterns, ([before, after]) => before!.level !== 3 && after!.level === 3);
}

function openedParts(patterns: Patterns): DiffEffect["opened_parts"] {
  const settledOtherWay = ({ level, inverse }: AuditedCell) => level === 3 && inverse;
  return {
    either_way: countPairs(patterns, ([a, b]) => !a!.inverse && b!.inverse && b!.level !== 3),
    other_way: countPairs(patterns, ([a, b]) => !a!.inverse && settledOtherWay(b!)),
    open_before: countPairs(patterns, ([a, b]) => a!.inverse && a!.level !== 3 && settledOtherWay(b!)),
  };
}

/** Decisions that become indefensible, or may have done so undetected. */
function possiblyIndefensible(patterns: readonly LabelledPattern[]): number {
  const levelOf = (kind: number) => AUDITED[kind]?.level ?? null;
  return patterns
    .filter(({ kinds: [before, after] }) => levelOf(before!) !== 3 && [3, null].includes(levelOf(after!)))
    .reduce((sum, { n }) => sum + n, 0);
}

function ruleEffect(rule: RulePatterns, { changes, known, minDecisions }: EffectInputs): RuleEffect {
  const patterns = armPatterns(rule.patterns);
  const n = countPairs(patterns);
  const tooFew = n < minDecisions;
  const change = (counted: Counted): RuleEffect["ambiguity"] => {
    const none = undefinedEstimate(`fewer than ${minDecisions} decisions cite it`, n);
    if (tooFew) return { before: none, after: none, difference: none };
    const { a, b, difference } = pairedChange(patterns, 0, 1, counted);
    return { before: a, after: b, difference };
  };
  const found = changes?.rules.find(
    (one) => one.community === rule.community && (one.rule_id === rule.rule_id || one.old_rule_id === rule.rule_id),
  );
  return {
    scope: rule.scope,
    community: rule.community,
    rule_id: rule.rule_id,
    title: known.find(rule)?.title ?? null,
    change: found?.change ?? null,
    n,
    too_few: tooFew,
    new_indefensible: newIndefensible(patterns),
    defensibility: change(FOLLOWED.defensibility_index),
    ambiguity: change(FOLLOWED.ambiguity_index),
  };
}

/** Changed rules first, then those under which most decisions become indefensible. */
function worstFirst(a: RuleEffect, b: RuleEffect): number {
  const changed = (one: RuleEffect) => (one.change === null ? 1 : 0);
  return changed(a) - changed(b) || b.new_indefensible - a.new_indefensible || byName(a, b);
}
