import type { LabelledPattern } from "../../analysis/arm-pairs.js";
import type { Tier } from "../../core/records/rule-set.js";
import type { TextStep, Tiers } from "../../core/results/tiers.js";
import { armPatterns, countPairs } from "../../measures/metrics/arm-patterns.js";
import type { ChangeOptions } from "../../measures/metrics/paired-change.js";
import { armChanges } from "./arm-rates.js";
import { type RulesShown, TierTexts } from "./tier-texts.js";

/**
 * The effect among decisions whose rule text really differs. Where it is word for word the same under both tiers, nothing was changed:
 * what moves there is the auditor's own variation, which the effect has to be held against.
 */
export function textEffects(
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
