import type { Estimate } from "../../core/estimate.js";
import type { Report } from "../../core/results/report.js";
import { clusterToShow } from "../../measures/metrics/judged-interval.js";
import { type Block, table } from "../document/document.js";
import { rateRow } from "../document/rate-row.js";
import { leadingCause } from "../figures/root-causes.js";
import { CAUSE_NAMES, CAUSE_WORDS, CAUSES } from "../words/cause-words.js";
import { countText, decimal, pointsInterval, pointsText, rateText } from "../words/numbers.js";

/** The Agreement Trap: what agreement with labels hides, and why decider and human differ. */
export function agreementSection(report: Report): Block[] {
  const { agreement, gap, trap, root_causes: causes } = report;
  const blocks: Block[] = [{ kind: "heading", text: "The agreement trap" }];
  if (agreement.n_labelled === 0) {
    const text =
      report.counts.verdicts === 0
        ? "There is no verdict, so there is nothing to compare with human labels."
        : "No decision with a verdict has a human label, so there is nothing to agree with.";
    blocks.push({ kind: "text", text });
    return blocks;
  }
  const { tp, fp, fn, tn } = agreement.confusion;
  blocks.push(
    {
      kind: "text",
      text: `Decider and human both restrict ${tp}, both allow ${tn}; the decider alone restricts ${fp}, the human alone ${fn}. Agreement beyond chance: Cohen's κ ${kappaText(agreement.kappa)}.`,
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
      { kind: "heading", text: "Why decider and human disagree" },
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
