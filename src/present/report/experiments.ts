import { EXPERIMENT_COMMANDS, type ExperimentKind } from "../../core/results/experiment.js";
import type { Report } from "../../core/results/report.js";
import { clusterToShow } from "../../measures/metrics/target.js";
import { printable } from "../../text/printable.js";
import { type Block, rateRow, table } from "../document/document.js";
import { plural, pointsInterval, pointsText } from "../words/numbers.js";

/** Model and moderators by the same measure, where `audit --humans` was run. */
export function humansSection(report: Report): Block[] {
  if (!report.humans) return [];
  const { human_defensibility_index: human, model_defensibility_index: model, difference } = report.humans;
  return [
    { kind: "heading", text: "Decider and human moderators by the same measure" },
    table(
      ["", ">DI", "95 % interval", "clustered 95 %", ">decisions"],
      [
        rateRow("the decider", model),
        rateRow("the human moderators", human),
        [
          "difference",
          pointsText(difference),
          difference.estimate === null ? difference.reason : pointsInterval(difference),
          difference.estimate === null ? "" : pointsInterval(clusterToShow(difference)),
          `n = ${difference.n}`,
        ],
      ],
    ),
    {
      kind: "text",
      text: "Both on the same labelled decisions: where they differ, the human's decision was audited as well. The auditor does not know whose decision it reads.",
    },
  ];
}

/** Which experiments the workspace has results of. Their numbers are in the JSON report. */
export function experimentsSection({ stability, experiments = {} }: Report): Block[] {
  const kept = [...(stability ? [["stability", stability] as const] : []), ...Object.entries(experiments)];
  if (kept.length === 0) return [];
  return [
    { kind: "heading", text: "Experiments of this workspace" },
    table(
      ["command", ">figures", "from"],
      kept.map(([kind, result]) => [
        `defensible ${EXPERIMENT_COMMANDS[kind as ExperimentKind] ?? kind}`,
        String(result.figures.length),
        result.runs.length === 0
          ? "no run"
          : printable(result.runs.length > 2 ? plural(result.runs.length, "run") : result.runs.join(", "), 60),
      ]),
    ),
    { kind: "text", text: "Their newest results are in the JSON report, with the data of their figures." },
  ];
}
