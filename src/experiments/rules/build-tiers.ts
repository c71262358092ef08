import { countRulePatterns, type LabelledPattern } from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type { ArmSource } from "../../core/results/compare.js";
import { armPatterns, countPairs, FOLLOWED, type Patterns } from "../../measures/metrics/paired/arm-patterns.js";
import type { ChangeOptions } from "../../measures/metrics/paired/paired-change.js";
import { underspecification } from "../../measures/metrics/paired/transitions.js";
import { armChanges, armRates, armStep, armWarnings, pairedArms, ruleGains } from "./compare-arms.js";
import { tierFigures } from "./tier-figures.js";
import type { TextStep, TierGroup, Tiers } from "./tiers/result.js";

/** Rules as they were shown, or why they are unknown. */
export type RulesShown = { sets: readonly RuleSet[] } | { reason: string };

/** Whose text differs between two tiers. `own`: the community's; null: it has no rules. */
interface TextDifference {
  platform: boolean;
  own: boolean | null;
}

/** Determines whether what an auditor read differs between two tiers. */
export class TierTexts {
  private readonly sets = new Map<string, RuleSet>();

  constructor(sets: readonly RuleSet[]) {
    for (const set of sets) this.sets.set(keyOf(set.scope === "platform" ? null : set.community!, set.version), set);
  }

  /** @param version `<platform>+<community>`, as in audits; null answer: these rules are unknown */
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

  /** null: there are no rules; undefined: there is no such version. */
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
  /** Fewest decisions for a rule's figures. */
  minDecisions: number;
}

/** The effect of more detailed rule text on the same decisions. */
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
 * The effect among decisions whose rule text really differs. If it is word for word the same under both tiers, nothing was changed: any
 * movement there is the auditor's own variation, with which the effect must be compared.
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
