import type { Estimate } from "../../domain/estimate.js";
import type { CorrectedRate } from "../../metrics/correct-rate.js";
import { type Block, table } from "../document.js";
import type { GateReport } from "../gate-report.js";
import { plural, rateText } from "../numbers.js";
import { printable } from "../printable.js";
import { share } from "./words.js";

/** Audited rates beside what people's labels make of them. */
export function judgeSection({ judge_error: judged }: GateReport, rows: number): Block[] {
  if (!judged) return [];
  const { fleet } = judged;
  const line = (name: string, rate: CorrectedRate) => [
    name,
    ...[rate.audited, rate.prediction_powered, rate.rogan_gladen].flatMap(withInterval),
    share(rate.upper_bound.exact),
  ];
  const { defensibility_index: di } = fleet;
  const warnings = [...new Set([fleet.indefensible_rate, fleet.ambiguity_index].flatMap((rate) => rate.warnings))];
  const corrected = judged.communities.filter((one) => one.corrected !== null);
  return [
    { kind: "heading", text: "What people's labels make of it" },
    table(
      ["", ">audited", "95 % interval", ">PPI", "95 % interval", ">Rogan–Gladen", "95 % interval", ">true ≤"],
      [
        ["DI", ...[di.audited, di.prediction_powered, di.rogan_gladen].flatMap(withInterval), ""],
        line("indefensible", fleet.indefensible_rate),
        line("AI", fleet.ambiguity_index),
        line("pure AI", fleet.ambiguity_pure),
      ],
    ),
    {
      kind: "text",
      text: `${plural(fleet.labels, "decision")} of ${plural(fleet.verdicts, "verdict")} have a person's label. PPI corrects the audited rate by the labels (prediction-powered); Rogan–Gladen by the auditor's sensitivity (${rateText(fleet.indefensible_rate.sensitivity)} of what people call indefensible) and specificity (${rateText(fleet.indefensible_rate.specificity)}). "true ≤" is an exact bound at ${share(1 - judged.delta, 0)} of the rate in people's eyes. Labels are taken for a random sample of the decisions.`,
    },
    ...warnings.map((text) => ({ kind: "text" as const, text: `Note: ${printable(text, 300)}.` })),
    ...(corrected.length > 0
      ? [
          table(
            ["community", ">labels", ">indefensible", ">PPI", ">true ≤"],
            corrected
              .slice(0, rows)
              .map((one) => [
                printable(one.key, 40),
                String(one.labels),
                rateText(one.corrected!.indefensible_rate.audited),
                rateText(one.corrected!.indefensible_rate.prediction_powered),
                share(one.corrected!.indefensible_rate.upper_bound.exact),
              ]),
          ),
        ]
      : []),
    {
      kind: "text",
      text: `${corrected.length} of ${plural(judged.communities.length, "community", "communities")} ${corrected.length === 1 ? "has" : "have"} the ${judged.least_labels} labels that a correction of one community takes.`,
    },
  ];
}

function withInterval(estimate: Estimate): string[] {
  if (estimate.estimate === null) return ["–", "–"];
  return [rateText(estimate), `${(100 * estimate.lower).toFixed(1)}–${(100 * estimate.upper).toFixed(1)} %`];
}
