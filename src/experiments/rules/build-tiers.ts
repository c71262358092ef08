import { countRulePatterns, type LabelledPattern } from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import { type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type { ArmSource, ArmStep } from "../../core/results/compare.js";
import { armPatterns, countPairs, FOLLOWED, type Patterns } from "../../measures/metrics/paired/arm-patterns.js";
import type { ChangeOptions } from "../../measures/metrics/paired/paired-change.js";
import { underspecification } from "../../measures/metrics/paired/transitions.js";
import { boundsRow, whole as count, percent, points } from "../../present/words/numbers.js";
import { tierText, tierWithCode } from "../../present/words/rule-texts.js";
import { armChanges, armRates, armStep, armWarnings, pairedArms, ruleGains } from "./compare-arms.js";
import type { RuleGain, TextStep, TierGroup, Tiers } from "./tiers/result.js";

/** Rules as they were shown, or why they are not known. */
export type RulesShown = { sets: readonly RuleSet[] } | { reason: string };

/** Whose text differs between two tiers. `own`: the community's; null: it has no rules. */
interface TextDifference {
  platform: boolean;
  own: boolean | null;
}

/** Answers whether what an auditor read under two tiers differs at all. */
export class TierTexts {
  private readonly sets = new Map<string, RuleSet>();

  constructor(sets: readonly RuleSet[]) {
    for (const set of sets) this.sets.set(keyOf(set.scope === "platform" ? null : set.community!, set.version), set);
  }

  /** @param version `<platform>+<community>`, as audits have it; null answer: these rules are not known here */
  between(community: string, version: string | null, from: Tier, to: Tier): TextDifference | null {
    if (version === null) return null;
    for (let plus = version.indexOf("+"); plus >= 0; plus = version.indexOf("+", plus + 1)) {
      const platform = this.side(null, version.slice(0, plus));
      const own = this.side(community, version.slice(plus + 1));
      if (platform === undefined || own === undefined) continue;
      return { platform: platform !== null && differs(platform, from, to), own: own && differs(own, from, to) };
    }
    return null;
  }

  /** null: nothing is there; undefined: there is no such version. */
  private side(community: string | null, version: string): RuleSet | null | undefined {
    return version === "-" ? null : this.sets.get(keyOf(community, version));
  }
}

function keyOf(community: string | null, version: string): string {
  return JSON.stringify([community, version]);
}

function differs(set: RuleSet, from: Tier, to: Tier): boolean {
  return set.rules.some((rule) => ruleText(rule, from) !== ruleText(rule, to));
}

export interface TiersInputs {
  source: ArmSource;
  /** Coarsest first. */
  tiers: readonly Tier[];
  rules: RulesShown;
  /** Decisions that a rule's figures need at least. */
  minDecisions: number;
}

/** What more detailed rule text does to the same decisions. */
export async function buildTiers(table: AuditTable, inputs: TiersInputs): Promise<Tiers> {
  const { tiers } = inputs;
  const arms = tiers.map((tier) => `tier=${tier}`);
  const { counts, patterns, options, known, byDecision, head } = await pairedArms(table, arms, inputs);
  const byRule = async (arm: number) =>
    ruleGains(await countRulePatterns(table.db, counts, arm), tiers, known, inputs.minDecisions);
  const result: Tiers = {
    format: 1,
    experiment: "tiers",
    ...head,
    ...groupOf(patterns, tiers, options),
    by_decision: byDecision((rows) => groupOf(rows, tiers, options)),
    text: textEffects(patterns, tiers, inputs.rules, options),
    rules: {
      min_decisions: inputs.minDecisions,
      by_finest: await byRule(tiers.length - 1),
      by_coarsest: await byRule(0),
    },
    figures: [],
    warnings: [],
  };
  return { ...result, figures: tierFigures(result), warnings: warningsOf(result) };
}

function warningsOf({ counts, text, source }: Tiers): string[] {
  const unknown = text.known ? [] : [`whether the texts of the tiers differ is not known: ${text.reason}`];
  return [...armWarnings(counts, source), ...unknown];
}

function groupOf(rows: Patterns, tiers: readonly Tier[], options: Required<ChangeOptions>): TierGroup {
  const patterns = armPatterns(rows);
  const last = tiers.length - 1;
  const place = (arm: number) => ({ arm, name: tiers[arm]! });
  const steps = tiers.slice(1).map((_, i) => armStep(patterns, place(i), place(i + 1), options));
  if (tiers.length > 2) steps.push(armStep(patterns, place(0), place(last), options));
  const unclear = (open: (typeof FOLLOWED)["ambiguity_index" | "ambiguity_pure"]) =>
    underspecification(patterns, 0, last, open, options);
  return {
    n: countPairs(patterns),
    tiers: tiers.map((tier, arm) => ({ tier, ...armRates(patterns, arm, `tier=${tier}`, options) })),
    steps,
    underspecification: unclear(FOLLOWED.ambiguity_index),
    underspecification_pure: unclear(FOLLOWED.ambiguity_pure),
  };
}

/**
 * The effect among decisions whose rule text really differs. Where it is word for word the same under both tiers, nothing was changed:
 * what moves there is the auditor's own variation, which the effect has to be held against.
 */
function textEffects(
  patterns: readonly LabelledPattern[],
  tiers: readonly Tier[],
  rules: RulesShown,
  options: Required<ChangeOptions>,
): Tiers["text"] {
  if ("reason" in rules) return { known: false, reason: rules.reason };
  const texts = new TierTexts(rules.sets);
  const last = tiers.length - 1;
  const steps = tiers.slice(1).map((_, i): [number, number] => [i, i + 1]);
  if (last > 1) steps.push([0, last]);
  const found: TextStep[] = [];
  for (const [from, to] of steps) {
    const step = textStep(patterns, texts, [tiers[from]!, tiers[to]!], [from, to], options);
    if (!step) return { known: false, reason: "the audits name versions of rules that are not there" };
    found.push(step);
  }
  return { known: true, steps: found };
}

function textStep(
  patterns: readonly LabelledPattern[],
  texts: TierTexts,
  [from, to]: [Tier, Tier],
  [a, b]: [number, number],
  options: Required<ChangeOptions>,
): TextStep | null {
  const groups = { differs: [] as LabelledPattern[], own: [] as LabelledPattern[], same: [] as LabelledPattern[] };
  const communities = { same: new Set<string>(), without: new Set<string>(), differ: new Set<string>() };
  for (const pattern of patterns) {
    const version = pattern.versions[a] ?? pattern.versions[b] ?? null;
    const text = texts.between(pattern.community, version, from, to);
    if (!text) return null;
    const changed = text.platform || text.own === true;
    groups[changed ? "differs" : "same"].push(pattern);
    if (text.own) groups.own.push(pattern);
    communities[text.own === null ? "without" : text.own ? "differ" : "same"].add(pattern.community);
  }
  const group = (of: readonly LabelledPattern[]) => {
    const table = armPatterns(of);
    return { n: countPairs(table), changes: armChanges(table, a, b, options) };
  };
  // A community with several versions of its rules counts as the same only if none of them differs.
  for (const name of communities.differ) communities.same.delete(name);
  return {
    from,
    to,
    communities_same: communities.same.size,
    communities_without_rules: communities.without.size,
    differs: group(groups.differs),
    own_differs: group(groups.own),
    same: group(groups.same),
  };
}

const PAPER_TABLE = "Table: Normative Underspecification (§6)";
const RULES_SHOWN = 40;

/** The ladder of tiers, the transitions, and the gain of each rule. */
function tierFigures(tiers: Tiers): Figure[] {
  return [
    ladder(tiers),
    transitionCells("tiers-transitions", tiers.steps, PAPER_TABLE),
    gainBars(tiers.rules.by_finest.rules),
  ];
}

function ladder({ tiers, by_decision }: Tiers): Figure {
  const rows: FigureRow[] = [];
  const groups = [
    ["all", tiers] as const,
    ...Object.entries(by_decision).map(([name, one]) => [name, one.tiers] as const),
  ];
  for (const [decisions, ladder] of groups) {
    for (const { tier, defensibility_index, ambiguity_index, ambiguity_pure, levels } of ladder) {
      const indices = {
        DI: defensibility_index,
        AI: ambiguity_index,
        AI_pure: ambiguity_pure,
        L1: levels["1"],
        L3: levels["3"],
      };
      for (const [index, estimate] of Object.entries(indices))
        rows.push({ decisions, tier, index, ...estimateRow(estimate) });
    }
  }
  const words = tiers.map((one) => rateWords(one.ambiguity_index)).join(", ");
  return {
    id: "tiers-ladder",
    title: `The ambiguity of all decisions is ${words} where the auditor reads ${tiers.map(({ tier }) => tierWithCode(tier)).join(", ")}; indefensible ones: ${tiers.map(({ indefensible }) => count(indefensible)).join(", ")}`,
    mark: "point",
    x: { field: "tier", label: "what the auditor reads of the rules", order: tiers.map(({ tier }) => tier) },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    choose: ["decisions"],
    caption:
      "The same decisions under each text. Ambiguity: the opposite can be derived; pure ambiguity: the decision itself can be, too. L1, L3: decisions at level 1 and 3.",
    paper: PAPER_TABLE,
    rows,
  };
}

/** From level to level, a cell each. */
export function transitionCells(id: string, steps: readonly ArmStep[], paper?: string): Figure {
  // The whole way first: it is what the title reports and a still picture shows.
  const rows = [...steps.slice(-1), ...steps.slice(0, -1)].flatMap(({ from, to, transitions: { table, n } }) =>
    table.flatMap((row, i) =>
      row.map((count, j) => ({
        step: `${from} to ${to}`,
        before: `level ${i + 1}`,
        after: `level ${j + 1}`,
        n: count,
        share: n === 0 ? null : count / n,
      })),
    ),
  );
  const whole = steps.at(-1)!;
  return {
    id,
    title: moves(whole),
    mark: "cell",
    x: { field: "after", label: "level after" },
    y: { field: "before", label: "level before" },
    value: { field: "share", label: "share of decisions", format: "percent" },
    ...(steps.length > 1 ? { choose: ["step"] } : {}),
    ...(paper ? { paper } : {}),
    rows,
  };
}

/** Many communities have a rule R2: "home-cooking / R2". */
const ruleName = ({ community, rule_id }: RuleGain) => `${community ?? "platform"} / ${rule_id}`;

/** Every move of level, for the better and the worse, and the commonest of them. */
function moves({ from, to, transitions: { table, n, less_severe, more_severe } }: ArmStep): string {
  const changed = less_severe + more_severe;
  if (changed === 0)
    return `From ${tierText(from)} to ${tierText(to)}, none of ${count(n)} decisions changed its level`;
  const cells = table.flatMap((row, i) => row.map((count, j) => ({ count: i === j ? 0 : count, i, j })));
  const most = cells.reduce((top, cell) => (cell.count > top.count ? cell : top));
  return `From ${tierText(from)} to ${tierText(to)}, ${count(changed)} of ${count(n)} decisions changed level, ${count(less_severe)} for the better and ${count(more_severe)} for the worse; most often from level ${most.i + 1} to ${most.j + 1} (${count(most.count)})`;
}

/** "41.7 pp fewer have a derivable opposite". */
function fewer({ gain: { estimate } }: RuleGain): string {
  if (estimate === null) return "undefined";
  const size = `${Math.abs(100 * estimate).toFixed(1)} pp`;
  return estimate === 0 ? "none fewer" : `${size} ${estimate > 0 ? "fewer" : "more"} have a derivable opposite`;
}

function gainBars(rules: readonly RuleGain[]): Figure {
  const half = RULES_SHOWN / 2;
  const shown = rules.length > RULES_SHOWN ? [...rules.slice(0, half), ...rules.slice(-half)] : rules;
  const best = rules[0];
  const sure = rules.filter(
    ({ gain, adjusted_p }) => adjusted_p !== null && adjusted_p < 0.05 && (gain.estimate ?? 0) > 0,
  ).length;
  return {
    id: "tiers-rule-gain",
    title: best
      ? `${sure} of ${rules.length} rules gain by more text beyond chance; most, with ${count(best.n)} decisions, ${ruleName(best)}: ${fewer(best)}`
      : "No rule is cited often enough to say what it gains",
    mark: "bar",
    x: { field: "value", label: "fall of ambiguity", format: "points" },
    y: { field: "rule", label: "rule" },
    caption:
      "Each interval is for its rule alone; of many rules some look clear by chance. The title counts those that remain after Holm's correction for their number.",
    series: "step",
    name: "title",
    rows: shown.flatMap((rule) =>
      rule.gains.map(({ from, to, gain }) => ({
        rule: ruleName(rule),
        title: rule.title,
        step: `${from} to ${to}`,
        ...estimateRow(gain),
      })),
    ),
    ...(shown.length < rules.length ? { of: rules.length } : {}),
  };
}

/** "18.2%", or that it is undefined. */
export function rateWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : percent(estimate.estimate);
}

/** "−9.4 pp". */
export function pointWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : points(estimate.estimate);
}

/** Value and interval as columns of a figure; the wider interval where there are two. */
export function estimateRow(estimate: Estimate): Record<string, number | string | null> {
  return {
    value: estimate.estimate,
    ...boundsRow(estimate),
    n: estimate.n,
    ...(estimate.estimate === null ? { reason: estimate.reason } : {}),
  };
}
