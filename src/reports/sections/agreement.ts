import type { Estimate } from "../../domain/estimate.js";
import type { Report } from "../../domain/report.js";
import { countText, decimal, percent, pointsInterval, pointsText, rateRow, rateText } from "../../figures/numbers.js";
import { type Block, table } from "../document.js";

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
        rows: [
          cause("the decider was wrong", causes.model_error),
          cause("the rules allow both", causes.policy_ambiguity),
          cause("the human applied an unwritten norm", causes.implicit_norm),
        ],
      },
      { kind: "text", text: advice(causes) },
    );
  }
  return blocks;
}

function advice(causes: Report["root_causes"]): string {
  const share = (estimate: Estimate) => estimate.estimate ?? 0;
  const ranked = [
    { share: share(causes.model_error), text: "retrain or correct the decider" },
    { share: share(causes.policy_ambiguity), text: "clarify the rules or develop precedents" },
    { share: share(causes.implicit_norm), text: "write the unwritten norm down, or stop enforcing it" },
  ].sort((a, b) => b.share - a.share);
  const [first, second] = ranked;
  const largest =
    first!.share > second!.share
      ? `By the auditor's verdicts the largest part (${percent(first!.share)}) asks to ${first!.text}.`
      : "By the auditor's verdicts no part is larger than all others.";
  return `${largest} Agreement metrics count all three alike.`;
}

function kappaText(kappa: Estimate): string {
  if (kappa.estimate === null) return `undefined (${kappa.reason})`;
  return `${decimal(kappa.estimate)} (95 % interval ${decimal(kappa.lower)} to ${decimal(kappa.upper)})`;
}

function gapRow(label: string, estimate: Estimate): string[] {
  if (estimate.estimate === null) return [label, "–", estimate.reason, "", `n = ${estimate.n}`];
  return [label, pointsText(estimate), pointsInterval(estimate), pointsInterval(estimate.cluster), `n = ${estimate.n}`];
}

function cause(label: string, estimate: Estimate): { label: string; share: number; text: string } {
  return { label, share: estimate.estimate ?? 0, text: `${rateText(estimate)}  (${countText(estimate)})` };
}
