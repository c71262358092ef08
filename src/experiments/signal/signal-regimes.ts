import type { RegimeRow, SignalExperiment, ValueSpan } from "../../core/results/signal-experiment.js";
import { type Block, table } from "../../present/document/document.js";
import { numberCell, reasonsText } from "../../present/words/experiments/estimate-cells.js";
import { decimal, whole } from "../../present/words/numbers.js";
import { wideInterval } from "../../present/words/wide-interval.js";

/** Signals where decider and people agree, and where they do not. */
export function regimeBlocks({ agreement, signals, output_confidence: confidence }: SignalExperiment): Block[] {
  const labels = new Map(signals.map(({ signal, label }) => [signal, label]));
  const shown = agreement.filter(({ agree, disagree }) => agree.estimate !== null || disagree.estimate !== null);
  const heading: Block = { kind: "heading", text: "Agreements against disagreements" };
  if (shown.length === 0) {
    return [heading, { kind: "text", text: reasonsText(agreement.map(({ ratio }) => ratio)) }];
  }
  const name = ({ signal, statistic }: RegimeRow) =>
    statistic === "sd" ? `sd of ${labels.get(signal)}` : labels.get(signal)!;
  return [
    heading,
    { kind: "text", text: sentence(shown) },
    table(
      ["mean", ">agreements", ">disagreements", ">ratio"],
      shown.map((row) => [name(row), numberCell(row.agree, 3), numberCell(row.disagree, 3), numberCell(row.ratio)]),
    ),
    {
      kind: "text",
      text: `${spanText(confidence.agree, "in agreements")} ${spanText(confidence.disagree, "in disagreements")} ${agreement.some(({ statistic }) => statistic === "sd") ? "Sd is the spread of a signal over the replicates of a decision (σ̂)." : "The spread of a signal over replicates (σ̂) is not shown: no decision was audited more than once."}`.trim(),
    },
  ];
}

function sentence(rows: readonly RegimeRow[]): string {
  const parts = rows.flatMap(({ signal, statistic, ratio }) => {
    if (ratio.estimate === null || !["pds", "inverse_yes_prob"].includes(signal)) return [];
    const { lower, upper } = wideInterval(ratio)!;
    const what = `${statistic === "sd" ? "the sd of " : ""}${signal === "pds" ? "S" : "σ(ρ)"}`;
    const percent = `${Math.abs(100 * (ratio.estimate - 1)).toFixed(0)} %`;
    if (lower <= 1 && upper >= 1) return [`${what} does not differ by more than chance explains`];
    return [`${what} is ${percent} ${ratio.estimate > 1 ? "higher" : "lower"}`];
  });
  return parts.length > 0 ? `Where decider and people disagree, ${parts.join("; ")}.` : "";
}

function spanText(span: ValueSpan | null, where: string): string {
  if (!span) return `Output confidence ${where}: none.`;
  return `Output confidence exp(λ) ${where} (${whole(span.n)}): median ${decimal(span.median, 3)}, nine in ten between ${decimal(span.p05, 3)} and ${decimal(span.p95, 3)}, all between ${decimal(span.least, 3)} and ${decimal(span.most, 3)}.`;
}
