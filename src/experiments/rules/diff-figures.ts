import type { Figure, FigureRow } from "../../core/figure.js";
import type { DiffEffect } from "../../core/results/rules-diff.js";
import { transitionCells } from "./tier-figures.js";
import { estimateRow, pointWords, rateWords } from "./words.js";

const RULES_SHOWN = 40;

/** The indices before and after, the transitions, and the change of each rule. */
export function diffFigures(effect: DiffEffect): Figure[] {
  return [indices(effect), transitionCells("diff-transitions", [effect.step]), ruleBars(effect)];
}

function indices({ arms, step: { changes } }: DiffEffect): Figure {
  const rows = arms.flatMap((one, i): FigureRow[] =>
    Object.entries({
      DI: one.defensibility_index,
      AI: one.ambiguity_index,
      AI_pure: one.ambiguity_pure,
      L3: one.levels["3"],
    }).map(([index, estimate]) => ({ rules: i === 0 ? "before" : "after", index, ...estimateRow(estimate) })),
  );
  return {
    id: "diff-indices",
    title:
      changes.defensibility_index.difference.estimate === null
        ? "No decision has a verdict before and after, so no change can be told"
        : `Defensibility changes by ${pointWords(changes.defensibility_index.difference)} to ${rateWords(changes.defensibility_index.b)}, ambiguity by ${pointWords(changes.ambiguity_index.difference)} to ${rateWords(changes.ambiguity_index.b)}`,
    mark: "point",
    x: { field: "rules", label: "rules or precedents", order: ["before", "after"] },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    rows,
  };
}

function ruleBars({ rules: { by_old } }: DiffEffect): Figure {
  const told = by_old.rules.filter((rule) => !rule.too_few);
  const shown = told.slice(0, RULES_SHOWN);
  return {
    id: "diff-rules",
    title:
      told.length === 0
        ? "No rule is cited often enough to say what changed under it"
        : `Change of ambiguity under each of ${shown.length} rules`,
    mark: "bar",
    x: { field: "value", label: "change of ambiguity", format: "points" },
    y: { field: "rule", label: "rule cited before" },
    name: "title",
    rows: shown.map((rule) => ({
      rule: [rule.community ?? "platform", rule.rule_id].join(" / "),
      title: rule.title,
      change: rule.change,
      ...estimateRow(rule.ambiguity.difference),
      new_indefensible: rule.new_indefensible,
    })),
    ...(shown.length < told.length ? { of: told.length } : {}),
  };
}
