import { countOf, type DefinedEstimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { Report } from "../../core/results/report.js";
import type { RuleGain } from "../../experiments/rules/tiers/result.js";
import type { ReportPage } from "../../measures/report-page.js";
import { percent, plural, pText, whole, wideInterval } from "../words/numbers.js";
import { type RuleReference, referenceKey } from "../words/rule-texts.js";
import { isOfCohort, leftOutText, nameText, wordsOf } from "../words/vocabulary.js";
import { TIER_WORDS } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

const MOST_RULES = 15;
/** With fewer citations, a rule's share means little. */
export const FEWEST_CITATIONS = 5;

/** What the second point of a rule adds to the first. */
const BOTH_POINTS =
  "Pure ambiguity: the decision and its opposite both follow. Ambiguity also counts decisions that are wrong and whose opposite follows: errors of the decider, which clearer words do not fix.";

/** The rules cited by the most verdicts that could have gone either way. */
export function ruleAmbiguityFigure({ report }: ReportPage): MaybeFigure {
  const cited = mostOpen(report.rules, FEWEST_CITATIONS);
  const shown = cited.slice(0, MOST_RULES);
  const worst = shown[0];
  if (!worst) {
    return { missing: `No rule is cited by ${FEWEST_CITATIONS} verdicts or more, so their shares would say nothing.` };
  }
  const { n, estimate } = worst.ambiguity_pure;
  const open = openBothWays(worst);
  const of = plural(cited.length, "rule");
  const all = cited.length === 1 ? "The one rule" : `All ${of}`;
  const which = shown.length === cited.length ? all : `The ${shown.length} with most verdicts open both ways of ${of}`;
  return rulePoints(shown, true, {
    id: "rule-ambiguity",
    title:
      open === 0
        ? `No rule that ${FEWEST_CITATIONS} verdicts or more cite left one open both ways`
        : `${amongWhich(report.rules, open)} leaves more verdicts open than ${ruleName(worst)}: ${whole(open)} of ${whole(n)} that cite it could have gone either way (${percent(estimate, 0)})`,
    caption: `${which} that at least ${FEWEST_CITATIONS} verdicts cite, in the order of how many could have gone either way: the count before each name. ${BOTH_POINTS} Lines: 95% intervals.`,
  });
}

/** A rule that few verdicts cite may leave more open than the rules drawn. */
function amongWhich(rules: ReportPage["report"]["rules"], open: number): string {
  return rules.some((rule) => openBothWays(rule) > open)
    ? `No rule that ${FEWEST_CITATIONS} verdicts or more cite`
    : "No rule";
}

const MOST_OF_EACH = 10;
/** Lower for a community's own rules, which have few decisions each. */
const FEWEST_OWN = 2;

export function bindsCommunity(rule: Pick<ReportRule, "scope" | "community">, community: string): boolean {
  return rule.scope === "platform" || rule.community === community;
}

/** The rules that bind a community, its own first, with what they leave open. */
export function communityRulesFigure({ report }: ReportPage, community: string): MaybeFigure {
  const rules = report.rules.filter((rule) => bindsCommunity(rule, community));
  const own = mostOpen(
    rules.filter(({ scope }) => scope !== "platform"),
    FEWEST_OWN,
  ).slice(0, MOST_OF_EACH);
  const platform = mostOpen(
    rules.filter(({ scope }) => scope === "platform"),
    FEWEST_CITATIONS,
  ).slice(0, MOST_OF_EACH);
  const shown = [...own, ...platform];
  if (shown.length === 0) {
    return { missing: "No rule that binds this community is cited often enough for its share to say anything." };
  }
  return rulePoints(shown, false, {
    id: "community-rules",
    title: title(own[0], platform[0]!),
    caption: `Its own rules that at least ${FEWEST_OWN} verdicts cite, and the platform's with at least ${FEWEST_CITATIONS}, of which the citations in all communities count; before each name how many could have gone either way. ${BOTH_POINTS} Lines: 95% intervals.`,
  });
}

function title(own: CitedRule | undefined, platform: CitedRule): string {
  const rule = own ?? platform;
  const { n, estimate } = rule.ambiguity_pure;
  const open = openBothWays(rule);
  const whose = own ? "its own rules" : "the platform's rules";
  const share = `${whole(open)} of ${whole(n)} that cite it${own ? "" : " in all communities"} could have gone either way (${percent(estimate, 0)})`;
  const among = `${whose} that ${own ? FEWEST_OWN : FEWEST_CITATIONS} verdicts or more cite`;
  return open === 0
    ? `None of ${among} left one open both ways`
    : `None of ${among} leaves more verdicts open than ${ruleName(rule, false)}: ${share}`;
}

export type ReportRule = Report["rules"][number];
type CitedRule = ReportRule & { ambiguity_index: DefinedEstimate; ambiguity_pure: DefinedEstimate };

/** Rules with at least this many citations, the one to clarify first at the top. */
function mostOpen(rules: readonly ReportRule[], fewest: number): CitedRule[] {
  return rules.filter((rule): rule is CitedRule => rule.cited >= fewest && isCited(rule)).sort(byOpenBothWays);
}

/**
 * Verdicts that cite a rule, are defensible, and whose opposite is defensible too. Only these are due to the rule: where the decision is indefensible
 * and its opposite holds, the rule is clear and the decider was wrong.
 */
export function openBothWays({ ambiguity_pure: pure }: Pick<ReportRule, "ambiguity_pure">): number {
  return countOf(pure);
}

/** Verdicts that cite a rule and contradict it: indefensible, and the opposite holds. */
export function contradicted(rule: Pick<ReportRule, "ambiguity_index" | "ambiguity_pure">): number {
  return countOf(rule.ambiguity_index) - openBothWays(rule);
}

/** The order in which to clarify rules: by verdicts left open both ways, then by citations. */
export function byOpenBothWays(a: ReportRule, b: ReportRule): number {
  return openBothWays(b) - openBothWays(a) || b.cited - a.cited;
}

function isCited(rule: ReportRule): rule is CitedRule {
  return rule.ambiguity_index.estimate !== null && rule.ambiguity_pure.estimate !== null;
}

/** Pure ambiguity and ambiguity of rules, one below the other. `whose`: with the community's name, if rules of several are shown. */
function rulePoints(
  rules: readonly CitedRule[],
  whose: boolean,
  words: { id: string; title: string; caption: string },
): Figure {
  const highest = Math.max(...rules.map(({ ambiguity_index }) => wideInterval(ambiguity_index)?.upper ?? 1));
  // Rules are ordered by a count and placed by a share. The count comes first in the name, because a narrow screen cuts off the end.
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
    series_order: ["pure ambiguity", "ambiguity"],
    interval: "x",
    rows: rules.flatMap((rule, i) =>
      (["ambiguity_pure", "ambiguity_index"] as const).map((index) => {
        const { estimate, k = null, n } = rule[index];
        const bounds = wideInterval(rule[index]);
        return {
          rule: places[i]!,
          index: index === "ambiguity_index" ? "ambiguity" : "pure ambiguity",
          share: estimate,
          ...bounds,
          k,
          n,
        };
      }),
    ),
  };
}

/** "R2 No links (film-club)", "P1 No threats (platform)"; without the community if there is only one. */
function ruleName(rule: Pick<ReportRule, "scope" | "community" | "rule_id" | "title">, whose = true): string {
  const owner = rule.scope === "platform" ? "platform" : nameText(rule.community ?? "unknown", 24);
  const place = whose || rule.scope === "platform" ? ` (${owner})` : "";
  return `${nameText(rule.rule_id, 16)}${rule.title ? ` ${nameText(rule.title, 40)}` : ""}${place}`;
}

/** Distinct axis labels, even for two rules that look alike once cut. */
function unique(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}

const COMMAND = "defensible rules tiers";

/** Ambiguity of the decisions that cite a rule when the auditor reads only its title, also its description, and also its detail. */
export function ruleTiersFigure({ report }: ReportPage, rule: RuleReference): MaybeFigure {
  const tiers = report.experiments?.tiers;
  if (!tiers && isOfCohort(report)) return { missing: leftOutText("Experiments are") };
  if (!tiers) {
    return {
      missing: "The workspace has not audited its decisions under shorter and longer rule texts.",
      command: COMMAND,
    };
  }
  const { by_finest, min_decisions } = tiers.rules;
  const gain = by_finest.rules.find((one) => referenceKey(one) === referenceKey(rule));
  if (!gain) {
    const rare = by_finest.too_few.find((one) => referenceKey(one) === referenceKey(rule));
    const why = rare ? `only ${rare.n} did` : "none did";
    return {
      missing: `In the experiment with shorter and longer rule texts at least ${min_decisions} decisions must cite a rule; ${why}.`,
    };
  }
  const names = tiers.tiers.map(({ tier }) => wordsOf(TIER_WORDS, tier).name.toLowerCase());
  return {
    id: "rule-tiers",
    title: tiersTitle(gain),
    mark: "line",
    x: { field: "text", label: "The auditor reads up to the rule's", order: names },
    y: { field: "share", label: "Ambiguity Index", format: "percent", domain: [0, 1] },
    series: "index",
    interval: "y",
    caption: `The same decisions under each text; 95% intervals of each share. Ambiguity also counts decisions that the rules contradict, whose opposite alone can be derived. ${chance(gain)}`,
    rows: gain.ambiguity.flatMap((share, i) =>
      share.estimate === null
        ? []
        : [
            {
              text: names[i]!,
              index: "AI",
              share: share.estimate,
              lower: share.lower,
              upper: share.upper,
              k: share.k ?? null,
              n: share.n,
            },
          ],
    ),
  };
}

function tiersTitle({ ambiguity, n }: RuleGain): string {
  const [first, last] = [ambiguity[0]?.estimate ?? null, ambiguity.at(-1)?.estimate ?? null];
  if (first === null || last === null) return `What the text settles is undefined for the ${n} decisions that cite it`;
  const change = `${percent(first, 0)} to ${percent(last, 0)} of ${n} decisions`;
  if (first > last) return `With more of the text, the share whose opposite could be derived falls from ${change}`;
  return first === last
    ? `With more of the text, the share whose opposite could be derived stays at ${percent(first, 0)} of ${n} decisions`
    : `With more of the text, the share whose opposite could be derived rises from ${change}`;
}

/** Many rules are tested, so some would change by chance. */
function chance({ adjusted_p: p }: RuleGain): string {
  if (p === null) return "No decision changed.";
  return p < 0.05
    ? `The change is beyond chance, also among all rules that were looked at (${pText(p)}, after Holm's correction).`
    : `Among all rules that were looked at such a change may come by chance (${pText(p)}, after Holm's correction).`;
}
