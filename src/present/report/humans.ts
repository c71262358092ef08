import type { Report } from "../../core/results/report.js";
import { clusterToShow } from "../../measures/metrics/judged-interval.js";
import { type Block, table } from "../document/document.js";
import { rateRow } from "../document/rate-row.js";
import { pointsInterval, pointsText } from "../words/numbers.js";

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
