import { countOf, type DefinedEstimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { Report } from "../../core/results/report.js";
import { nameText } from "../words/name-text.js";
import { whole } from "../words/numbers.js";
import { wideInterval } from "../words/wide-interval.js";

export type ReportRule = Report["rules"][number];
export type CitedRule = ReportRule & { ambiguity_index: DefinedEstimate; ambiguity_pure: DefinedEstimate };

/** Rules with at least so many citations, the one to clarify first at the beginning. */
export function mostOpen(rules: readonly ReportRule[], fewest: number): CitedRule[] {
  return rules.filter((rule): rule is CitedRule => rule.cited >= fewest && isCited(rule)).sort(byOpenBothWays);
}

/**
 * Verdicts that cite a rule, are defensible, and whose opposite is too. Only these are the rule's: where the decision is indefensible and its
 * opposite holds, the rule is clear and the decider wrong.
 */
export function openBothWays({ ambiguity_pure: pure }: Pick<ReportRule, "ambiguity_pure">): number {
  return countOf(pure);
}

/** Verdicts that cite a rule and contradict it: indefensible, and the opposite holds. */
export function contradicted(rule: Pick<ReportRule, "ambiguity_index" | "ambiguity_pure">): number {
  return countOf(rule.ambiguity_index) - openBothWays(rule);
}

/** The order in which rules ask to be clarified: by verdicts left open both ways; of two alike the one cited more often. */
export function byOpenBothWays(a: ReportRule, b: ReportRule): number {
  return openBothWays(b) - openBothWays(a) || b.cited - a.cited;
}

function isCited(rule: ReportRule): rule is CitedRule {
  return rule.ambiguity_index.estimate !== null && rule.ambiguity_pure.estimate !== null;
}

/** Pure AI and AI of rules, one below the other. `whose`: with the community's name, where rules of several are shown. */
export function rulePoints(
  rules: readonly CitedRule[],
  whose: boolean,
  words: { id: string; title: string; caption: string },
): Figure {
  const highest = Math.max(...rules.map(({ ambiguity_index }) => wideInterval(ambiguity_index)?.upper ?? 1));
  // Rules stand in the order of a count and lie at a share. The count comes first: on a narrow screen the end of a name is cut.
  const places = unique(rules.map((rule) => ruleName(rule, whose))).map(
    (name, i) => `${whole(openBothWays(rules[i]!))}\u00a0of\u00a0${whole(rules[i]!.ambiguity_pure.n)}: ${name}`,
  );
  return {
    ...words,
    mark: "point",
    x: {
      field: "share",
      label: "Share of the verdicts that cite the rule",
      format: "percent",
      domain: [0, Math.min(1, Math.ceil(10 * highest) / 10)],
    },
    y: { field: "rule", label: "Rule", order: places },
    series: "index",
    series_order: ["pure AI", "AI"],
    interval: "x",
    rows: rules.flatMap((rule, i) =>
      (["ambiguity_pure", "ambiguity_index"] as const).map((index) => {
        const { estimate, k = null, n } = rule[index];
        const bounds = wideInterval(rule[index]);
        return {
          rule: places[i]!,
          index: index === "ambiguity_index" ? "AI" : "pure AI",
          share: estimate,
          ...bounds,
          k,
          n,
        };
      }),
    ),
  };
}

/** "R2 No links (film-club)", "P1 No threats (platform)"; without the community where there is only one. */
export function ruleName(rule: Pick<ReportRule, "scope" | "community" | "rule_id" | "title">, whose = true): string {
  const owner = rule.scope === "platform" ? "platform" : nameText(rule.community ?? "unknown", 24);
  const place = whose || rule.scope === "platform" ? ` (${owner})` : "";
  return `${nameText(rule.rule_id, 16)}${rule.title ? ` ${nameText(rule.title, 40)}` : ""}${place}`;
}

/** A place on the axis each, also for two rules that look alike once they are cut. */
function unique(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}
