import type { Report } from "../../domain/report.js";
import { type Block, table } from "../document.js";
import { plural } from "../numbers.js";
import { printable } from "../printable.js";

/** The command that makes each result, and shows it again. */
const COMMANDS: Record<string, string> = {
  gap: "experiment gap",
  signal: "experiment signal",
  circularity: "experiment circularity",
  dual: "experiment dual",
  tiers: "rules tiers",
  scopes: "rules scopes",
  diff: "rules diff",
  stability: "stability",
  attack: "attack run",
  humans: "humans report",
  validate: "validate",
  replicate: "replicate",
};

/** Which experiments the workspace has results of. Their numbers are in the JSON report. */
export function experimentsSection({ stability, experiments = {} }: Report): Block[] {
  const kept = [...(stability ? [["stability", stability] as const] : []), ...Object.entries(experiments)];
  if (kept.length === 0) return [];
  return [
    { kind: "heading", text: "Experiments of this workspace" },
    table(
      ["command", ">figures", "from"],
      kept.map(([kind, result]) => [
        `defensible ${COMMANDS[kind] ?? kind}`,
        String(result.figures.length),
        result.runs.length === 0
          ? "no run"
          : printable(result.runs.length > 2 ? plural(result.runs.length, "run") : result.runs.join(", "), 60),
      ]),
    ),
    { kind: "text", text: "Their newest results are in the JSON report, with the data of their figures." },
  ];
}
