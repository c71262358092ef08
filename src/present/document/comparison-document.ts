import type { ComparedAuditors } from "../../app/compare/build-compare.js";
import type { Estimate } from "../../core/estimate.js";
import type { CalibrationComparison } from "../../measures/calibration/compare-calibrations.js";
import type { ScoreEvaluation } from "../../measures/calibration/errors/evaluate-score.js";
import { printable } from "../../text/printable.js";
import { methodName, targetName } from "../words/calibration-words.js";
import { decimal, plural, signed, whole } from "../words/numbers.js";
import { type Block, type Document, table } from "./document.js";

/** Two auditors next to each other. */
export function comparisonDocument({ target, notes, a, b, comparison }: ComparedAuditors): Document {
  const { skipped, agreement, difference } = comparison;
  const measures: [string, (evaluation: ScoreEvaluation) => number | null, Estimate | null][] = [
    ["log-loss, nats (lower is better)", (one) => one.log_loss.value, difference.log_loss],
    ["Brier (lower is better)", (one) => one.brier.value, difference.brier],
    ["AUROC (higher is better)", (one) => one.auroc.estimate, difference.auroc],
    ["ECE", (one) => one.ece.equal_frequency.value, null],
    ["ECE of a perfect score, 95% limit", (one) => one.ece.equal_frequency.null_95, null],
    ["mean P(defensible)", (one) => one.mean_score.all, null],
    ["… of defensible decisions", (one) => one.mean_score.defensible, null],
    ["… of indefensible ones", (one) => one.mean_score.indefensible, null],
  ];
  const [evaluationA, evaluationB] = [comparison.a.evaluation, comparison.b.evaluation];
  const blocks: Block[] = [
    {
      kind: "text",
      text: `A: ${printable(comparison.a.name, 80)}, ${methodName(a.method)}. B: ${printable(comparison.b.name, 80)}, ${methodName(b.method)}. Each row is scored by a model that has not seen it.`,
    },
    table(
      ["measure", ">A", ">B", ">B − A"],
      measures.map(([name, read, estimate]) => [
        name,
        decimal(read(evaluationA), 4),
        decimal(read(evaluationB), 4),
        estimate ? differenceText(estimate) : "",
      ]),
    ),
    {
      kind: "text",
      text: `Intervals are of the same rows, whole communities resampled ${whole(comparison.draws)} times. The two rank decisions alike to ${agreementText(agreement)}.`,
    },
  ];
  const left = skipped.a + skipped.b + skipped.both;
  if (left > 0) {
    blocks.push({
      kind: "text",
      text: `Left out: ${plural(left, "verdict")} of A that ${skipped.a > 0 ? "A or B" : "B"} has no score for, or that have no label.`,
    });
  }
  for (const text of [...notes, ...comparison.warnings]) {
    blocks.push({ kind: "text", text: `Note: ${printable(text, 400)}.` });
  }
  return {
    title: "Two auditors, calibrated to the same labels",
    subtitle: `target: ${printable(targetName(target), 80)} · ${plural(comparison.n, "shared decision")} in ${plural(comparison.communities, "community", "communities")}`,
    blocks,
  };
}

function differenceText(estimate: Estimate): string {
  if (estimate.estimate === null) return estimate.reason;
  return `${signed(estimate.estimate, 4)} (${signed(estimate.lower, 4)} to ${signed(estimate.upper, 4)})`;
}

function agreementText(agreement: CalibrationComparison["agreement"]): string {
  const { estimate } = agreement as { estimate: number | null };
  return estimate === null ? "an unknown degree" : `ρ = ${decimal(estimate, 2)} (Spearman)`;
}
