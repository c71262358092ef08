import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import type { ArmStep } from "../../core/results/compare.js";
import { boundsRow, whole as count, percent, points } from "../../present/words/numbers.js";
import { tierText, tierWithCode } from "../../present/words/rule-texts.js";
import type { RuleGain, Tiers } from "./tiers/result.js";

const PAPER_TABLE = "Table: Normative Underspecification (§6)";
const RULES_SHOWN = 40;

export function tierFigures(tiers: Tiers): Figure[] {
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

export function transitionCells(id: string, steps: readonly ArmStep[], paper?: string): Figure {
  // The full step comes first: the title reports it and a static picture shows it.
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

/** With its owner, since many communities have a rule R2: "home-cooking / R2". */
const ruleName = ({ community, rule_id }: RuleGain) => `${community ?? "platform"} / ${rule_id}`;

/** The number of level changes in each direction, and the most frequent one. */
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

export function rateWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : percent(estimate.estimate);
}

/** "−9.4 pp". */
export function pointWords(estimate: Estimate): string {
  return estimate.estimate === null ? "undefined" : points(estimate.estimate);
}

/** Value and interval as columns of a figure; if there are two intervals, the wider one. */
export function estimateRow(estimate: Estimate): Record<string, number | string | null> {
  return {
    value: estimate.estimate,
    ...boundsRow(estimate),
    n: estimate.n,
    ...(estimate.estimate === null ? { reason: estimate.reason } : {}),
  };
}
