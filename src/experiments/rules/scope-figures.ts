import type { Figure, FigureRow } from "../../core/figure.js";
import { ABLATION_CLASSES, type Scopes } from "../../core/results/scopes.js";
import { estimateRow, rateWords } from "./words.js";

const ARM_NAMES: Record<string, string> = {
  "": "all rules",
  "scope=platform": "platform alone",
  "scope=community": "community alone",
};

/** The indices under each scope, what ambiguity rests on, and citation against ablation. */
export function scopeFigures(scopes: Scopes): Figure[] {
  return [indices(scopes), classes(scopes), agreement(scopes)];
}

function indices({ arms }: Scopes): Figure {
  const rows = arms.flatMap(({ arm, defensibility_index, ambiguity_index, ambiguity_pure }): FigureRow[] =>
    Object.entries({ DI: defensibility_index, AI: ambiguity_index, AI_pure: ambiguity_pure }).map(
      ([index, estimate]) => ({ rules: ARM_NAMES[arm] ?? arm, index, ...estimateRow(estimate) }),
    ),
  );
  const told = arms
    .filter((one) => one.defensibility_index.estimate !== null)
    .map((one) => `${rateWords(one.defensibility_index)} under ${ARM_NAMES[one.arm] ?? one.arm}`);
  return {
    id: "scopes-indices",
    title: told.length === 0 ? "No decision has a verdict under any rules" : `Defensibility is ${told.join(", ")}`,
    mark: "point",
    x: { field: "rules", label: "rules shown" },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    rows,
  };
}

function classes({ ambiguity, ambiguity_pure, agreement: { attributed } }: Scopes): Figure {
  const rows: FigureRow[] = [];
  for (const name of ABLATION_CLASSES) {
    rows.push({ class: name, measured: "AI", ...estimateRow(ambiguity.classes[name]) });
    rows.push({ class: name, measured: "AI_pure", ...estimateRow(ambiguity_pure.classes[name]) });
  }
  for (const [name, estimate] of Object.entries(attributed)) {
    rows.push({ class: name, measured: "AI by citation", ...estimateRow(estimate) });
  }
  return {
    id: "scopes-classes",
    title:
      ambiguity.both.estimate === null
        ? "No decision has a verdict under all rules and under each set alone"
        : `The ambiguity is ${rateWords(ambiguity.both)} of all decisions: ${rateWords(ambiguity.classes.either)} rest on either set of rules alone, ${rateWords(ambiguity.classes.platform)} on the platform's only, ${rateWords(ambiguity.classes.community)} on the community's only`,
    mark: "bar",
    x: { field: "value", label: "share of decisions", format: "percent" },
    y: { field: "class", label: "what the ambiguity rests on" },
    series: "measured",
    caption:
      "By ablation: platform and community alone, either of them, only both together. By citation: where the auditor's citation stands; mixed and none are its own.",
    rows,
  };
}

function agreement({ agreement: { table, agree } }: Scopes): Figure {
  const rows = table.flatMap(({ class: name, ...cited }): FigureRow[] =>
    Object.entries(cited).map(([scope, n]) => ({ class: name, cited: scope, n })),
  );
  return {
    id: "scopes-agreement",
    title:
      agree.estimate === null
        ? "Of no ambiguous decision do both citation and ablation name one scope"
        : `Citation and ablation name the same scope for ${rateWords(agree)} of the ambiguous decisions that both give to one scope`,
    mark: "cell",
    x: { field: "cited", label: "by citation" },
    y: { field: "class", label: "by ablation" },
    value: { field: "n", label: "ambiguous decisions", format: "whole" },
    rows,
  };
}
