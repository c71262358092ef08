import type { Estimate } from "../../core/estimate.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { FROM_HERE } from "../../measures/metrics/judge/correct-by-verdict.js";
import type { CorrectedRate, LabelDesign } from "../../measures/metrics/judge/correct-rate.js";
import type { JudgeErrorRow } from "../../measures/metrics/judge/judge-error.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { intervalText, plural, rateText } from "../words/numbers.js";
import { share } from "./verdict.js";

/** Audited rates beside what people's labels make of them. */
export function judgeSection({ judge_error: judged }: GateReport, rows: number): Block[] {
  if (!judged) return [];
  const { fleet } = judged;
  const { defensibility_index: di, indefensible_rate: indefensible } = fleet;
  const corrected = judged.communities.filter((one) => one.corrected !== null);
  return [
    { kind: "heading", text: "What people's labels make of it" },
    table(
      ["", "by", ">rate", "95 % interval", ">true ≤"],
      [
        ...lines("DI", di, null),
        ...lines("indefensible", indefensible, indefensible.upper_bound.exact),
        ...lines("AI", fleet.ambiguity_index, fleet.ambiguity_index.upper_bound.exact),
        ...lines("pure AI", fleet.ambiguity_pure, fleet.ambiguity_pure.upper_bound.exact),
      ],
    ),
    {
      kind: "text",
      text: `${plural(fleet.labels, "decision")} of ${plural(fleet.verdicts, "verdict")} have a person's label. "By labels" is the rate in people's eyes: ${HOW[judged.design] ?? "the audited rate corrected by the labels (prediction-powered)"}; Rogan–Gladen corrects by the auditor's sensitivity (${rateText(indefensible.sensitivity)} of what people call indefensible) and specificity (${rateText(indefensible.specificity)}). "true ≤" is an exact bound at ${share(1 - judged.delta, 0)} of the rate in people's eyes, of each rate by itself and for one look.`,
    },
    ...[...(judged.sample ? labelNotes(judged.sample, "defensible gate") : []), ...remarks(fleet)].map((text) => ({
      kind: "text" as const,
      text: `Note: ${printable(text, 400)}.`,
    })),
    ...(corrected.length > 0
      ? [
          table(
            ["community", ">labels", ">indefensible", ">by labels", ">true ≤"],
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

const HOW: Partial<Record<LabelDesign, string>> = {
  by_verdict: "each label stands for the decisions with the same verdict",
  by_stratum: "each label is weighted by the inverse of the chance that it had",
};

type Corrected = JudgeErrorRow["defensibility_index"];

function lines(name: string, rate: Corrected, bound: number | null): string[][] {
  return [
    [name, "audited", ...withInterval(rate.audited), ""],
    ["", "by labels", ...withInterval(rate.prediction_powered), bound === null ? "" : share(bound)],
    // Labels that were drawn from this run need no correction that is for labels from elsewhere.
    ...(rate.rogan_gladen.estimate === null && rate.rogan_gladen.reason === FROM_HERE
      ? []
      : [["", "Rogan–Gladen", ...withInterval(rate.rogan_gladen), ""]]),
  ];
}

/** Why a number is absent, and what makes one doubtful: each sentence once, with the rates it is about. */
function remarks(fleet: JudgeErrorRow): string[] {
  const rates: [string, CorrectedRate][] = [
    ["indefensible", fleet.indefensible_rate],
    ["AI", fleet.ambiguity_index],
    ["pure AI", fleet.ambiguity_pure],
  ];
  const about = new Map<string, string[]>();
  const note = (text: string, name: string) => {
    const names = about.get(text) ?? [];
    if (!names.includes(name)) names.push(name);
    about.set(text, names);
  };
  for (const [name, rate] of rates) {
    for (const estimate of [rate.prediction_powered, rate.rogan_gladen]) {
      if (estimate.estimate === null && estimate.reason === FROM_HERE) continue;
      if (estimate.estimate === null) note(`not corrected, because ${estimate.reason}`, name);
      else for (const warning of estimate.warnings ?? []) note(warning, name);
    }
    for (const warning of rate.warnings) note(warning, name);
  }
  return [...about].map(([text, names]) => `${names.join(", ")}: ${text}`);
}

function withInterval(estimate: Estimate): string[] {
  return [rateText(estimate), intervalText(estimate.estimate === null ? undefined : estimate)];
}
