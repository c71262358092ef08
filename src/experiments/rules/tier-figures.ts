import type { Figure, FigureRow } from "../../domain/figure.js";
import type { ArmStep } from "../../domain/paired-change.js";
import type { RuleGain, Tiers } from "../../domain/tiers.js";
import { estimateRow, pointWords, rateWords } from "./words.js";

const PAPER_TABLE = "Table: Normative Underspecification (§6)";
const RULES_SHOWN = 40;

/** The ladder of tiers, the transitions, and the gain of each rule. */
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
    title: `AI is ${words} under ${tiers.map(({ tier }) => tier).join(", ")}; indefensible decisions: ${tiers.map(({ indefensible }) => indefensible).join(", ")}`,
    mark: "point",
    x: { field: "tier", label: "rule text", order: tiers.map(({ tier }) => tier) },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    choose: ["decisions"],
    caption:
      "The same decisions under each text. AI: the opposite can be derived too; pure AI: of these the defensible ones. L1, L3: decisions at level 1 and 3.",
    paper: PAPER_TABLE,
    rows,
  };
}

/** From level to level, a cell each. */
export function transitionCells(id: string, steps: readonly ArmStep[], paper?: string): Figure {
  // The whole way first: it is what the title tells and a still picture shows.
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
    title: `From ${whole.from} to ${whole.to}, ${whole.transitions.l2_to_l1.n} decisions went from level 2 to level 1 and ${whole.transitions.l1_to_l2.n} back`,
    mark: "cell",
    x: { field: "after", label: "level after" },
    y: { field: "before", label: "level before" },
    value: { field: "share", label: "share of decisions", format: "percent" },
    ...(steps.length > 1 ? { choose: ["step"] } : {}),
    ...(paper ? { paper } : {}),
    rows,
  };
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
      ? `${sure} of ${rules.length} rules gain by more text beyond chance; most, with ${best.n} decisions, ${best.rule_id}: ${pointWords(best.gain)} fewer are ambiguous`
      : "No rule is cited often enough to say what it gains",
    mark: "bar",
    x: { field: "value", label: "fall of AI", format: "points" },
    y: { field: "rule", label: "rule" },
    series: "step",
    name: "title",
    rows: shown.flatMap((rule) =>
      rule.gains.map(({ from, to, gain }) => ({
        rule: [rule.community ?? "platform", rule.rule_id].join(" / "),
        title: rule.title,
        step: `${from} to ${to}`,
        ...estimateRow(gain),
      })),
    ),
    ...(shown.length < rules.length ? { of: rules.length } : {}),
  };
}
