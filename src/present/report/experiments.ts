import { EXPERIMENT_COMMANDS, type ExperimentKind } from "../../core/results/experiment.js";
import type { Report } from "../../core/results/report.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { plural } from "../words/numbers.js";

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
