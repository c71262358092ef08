import type { Estimate } from "../../core/estimate.js";
import type { Report } from "../../core/results/report.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { independentText } from "../document/rate-row.js";
import { countText, decimal, rateText } from "../words/numbers.js";

/** The auditor measured against gold, people or another run. */
export function againstSection(report: Report): Block[] {
  const { against } = report;
  if (!against) return [];
  const name = printable(against.target, 40);
  const heading: Block = { kind: "heading", text: `The auditor against ${name}` };
  if (against.n === 0) return [heading, { kind: "text", text: `No verdict has a judgement by ${name} beside it.` }];
  const notes = against.sample ? labelNotes(against.sample) : [];
  const weighted = against.sample?.weighted === "by_verdict" || against.sample?.weighted === "by_stratum";
  return [
    heading,
    ...notes.map((text) => ({ kind: "text" as const, text: `Note: ${printable(text, 400)}.` })),
    ...(weighted
      ? [
          {
            kind: "text" as const,
            text: `The two tables count the labelled decisions; the rates are of ${against.sample?.frame ? "the population that they were drawn from" : "the whole run"}.`,
          },
        ]
      : []),
    table(
      [`${name} ↓  audit →`, ">level 1", ">level 2", ">level 3"],
      against.levels.map((row, index) => [`level ${index + 1}`, ...row.map(String)]),
    ),
    table(
      [`${name} ↓  audit →`, ">inverse Yes", ">inverse No"],
      against.inverse.map((row, index) => [index === 0 ? "Yes" : "No", ...row.map(String)]),
    ),
    table(
      ["", ">value", "95 % interval", ">decisions"],
      [
        rate(`Defensibility Index by ${name}`, against.defensibility_index),
        rate(`Ambiguity Index by ${name}`, against.ambiguity_index),
        rate("confirmed: disagreements that the audit defends", against.confirmed?.disagreements_defensible),
        rate("confirmed: agreements that the audit calls indefensible", against.confirmed?.agreed_indefensible),
        rate("level accuracy", against.level_accuracy),
        rate("balanced level accuracy (chance: 33 %)", against.level_balanced_accuracy),
        number("Cohen's κ of levels", against.level_kappa),
        number("AUROC of 1 − P(defensible) for level 3 (chance: 0.50)", against.level3_auroc),
        rate("inverse check accuracy", against.inverse_accuracy),
        number("Cohen's κ of the inverse check", against.inverse_kappa),
      ],
    ),
  ];
}

function rate(label: string, estimate: Estimate | undefined): string[] {
  if (!estimate) return [label, "–", "not in this report", ""];
  return [label, rateText(estimate), independentText(estimate), countText(estimate)];
}

function number(label: string, estimate: Estimate): string[] {
  if (estimate.estimate === null) return [label, "–", estimate.reason, `n = ${estimate.n}`];
  const range = `${decimal(estimate.lower)} to ${decimal(estimate.upper)}`;
  return [label, decimal(estimate.estimate), range, `n = ${estimate.n}`];
}
