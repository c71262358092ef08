import type { Estimate } from "../../core/estimate.js";
import type { Report } from "../../core/results/report.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { clusterToShow } from "../../measures/metrics/target.js";
import { printable } from "../../text/printable.js";
import { type Block, independentText, rateRow, table } from "../document/document.js";
import { leadingCause } from "../figures/levels.js";
import { countText, decimal, pointsInterval, pointsText, rateText } from "../words/numbers.js";
import { againstWords } from "../words/outcome-words.js";
import { CAUSE_NAMES, CAUSE_WORDS, CAUSES } from "../words/signs.js";

/** The auditor measured against gold, people or another run. */
export function againstSection(report: Report): Block[] {
  const { against } = report;
  if (!against) return [];
  const { title, by: name } = againstWords(against.target);
  const heading: Block = { kind: "heading", text: `The auditor against ${title}` };
  if (against.n === 0) return [heading, { kind: "text", text: `No verdict has a judgement by ${name} beside it.` }];
  const notes = against.sample ? labelNotes(against.sample, "defensible report --against human") : [];
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

/** The Agreement Trap: what agreement with labels hides, and why decider and moderator differ. */
export function agreementSection(report: Report): Block[] {
  const { agreement, gap, trap, root_causes: causes } = report;
  const blocks: Block[] = [{ kind: "heading", text: "The agreement trap" }];
  if (agreement.n_labelled === 0) {
    const text =
      report.counts.verdicts === 0
        ? "There is no verdict, so there is nothing to compare with moderators' decisions."
        : "No decision with a verdict has a moderator's decision (`human_label`), so there is nothing to agree with.";
    blocks.push({ kind: "text", text });
    return blocks;
  }
  const { tp, fp, fn, tn } = agreement.confusion;
  blocks.push(
    {
      kind: "text",
      text: `Decider and moderator both restrict ${tp}, both allow ${tn}; the decider alone restricts ${fp}, the moderator alone ${fn}. Agreement beyond chance: Cohen's κ ${kappaText(agreement.kappa)}.`,
    },
    table(
      ["", ">value", "95 % interval", "clustered 95 %", ">decisions"],
      [
        gapRow("DI − F1", gap.di_minus_f1),
        gapRow("DI − accuracy", gap.di_minus_accuracy),
        ...(gap.labelled
          ? [
              gapRow("the same, where labelled: DI − F1", gap.labelled.di_minus_f1),
              gapRow("the same, where labelled: DI − accuracy", gap.labelled.di_minus_accuracy),
            ]
          : []),
        rateRow("false negatives that are defensible", trap.fn_defensible),
        rateRow("false positives that are defensible", trap.fp_defensible),
        rateRow("all disagreements that are defensible", trap.disagreements_defensible),
        rateRow("agreed and indefensible, of all labelled", trap.accurate_but_indefensible.joint),
        rateRow("agreed and indefensible, of the agreements", trap.accurate_but_indefensible.conditional),
      ],
    ),
    {
      kind: "text",
      text: "A defensible disagreement is counted as an error by every agreement metric although a rule supports the decision. F1 ignores decisions that both allow, so where restricting is rare the gap to F1 is large by arithmetic alone: read the gap to accuracy beside it. An agreed but indefensible decision is counted as a success by every agreement metric.",
    },
  );
  if (causes.model_error.estimate !== null) {
    blocks.push(
      { kind: "heading", text: "Why decider and moderator disagree" },
      {
        kind: "bars",
        rows: CAUSES.map((name) => cause(CAUSE_NAMES[name], causes[name])),
      },
      { kind: "text", text: advice(report) },
    );
  }
  return blocks;
}

function advice(report: Report): string {
  const leading = leadingCause(report);
  const largest = leading
    ? `By the auditor's verdicts the largest part (${rateText(report.root_causes[leading])}) asks to ${CAUSE_WORDS[leading].remedy}.`
    : "By the auditor's verdicts no part is larger than all others.";
  return `${largest} Agreement metrics count all three alike.`;
}

function kappaText(kappa: Estimate): string {
  if (kappa.estimate === null) return `undefined (${kappa.reason})`;
  return `${decimal(kappa.estimate)} (95 % interval ${decimal(kappa.lower)} to ${decimal(kappa.upper)})`;
}

function gapRow(label: string, estimate: Estimate): string[] {
  if (estimate.estimate === null) return [label, "–", estimate.reason, "", `n = ${estimate.n}`];
  return [
    label,
    pointsText(estimate),
    pointsInterval(estimate),
    pointsInterval(clusterToShow(estimate)),
    `n = ${estimate.n}`,
  ];
}

function cause(label: string, estimate: Estimate): { label: string; share: number; text: string } {
  return { label, share: estimate.estimate ?? 0, text: `${rateText(estimate)}  (${countText(estimate)})` };
}
