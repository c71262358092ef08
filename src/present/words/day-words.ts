import type { Usage } from "../../core/records/audit.js";
import type { RunCounts } from "../../core/records/manifest.js";
import { printable } from "../../text/printable.js";
import { plural, whole } from "./numbers.js";
import { type RouteCounts, reasonLines } from "./outcome-words.js";

/** What the steps of a day did: import, audit, route, log. */
export interface DayCounts {
  file: string;
  accepted: number;
  duplicates: number;
  rejected: number;
  run: string;
  audit: Pick<RunCounts, "verdicts" | "unscored" | "errors">;
  usage: Readonly<Usage> | null;
  route: RouteCounts;
}

/** Four lines, one a step. */
export function daySummaryText(day: DayCounts, { shadow, log }: { shadow: boolean; log: string }): string {
  const { accepted, duplicates, rejected, run, audit, usage, route } = day;
  const rejects = rejected > 0 ? `, ${whole(rejected)} rejected and not routed` : "";
  const outcomes = [
    plural(audit.verdicts, "verdict"),
    ...(audit.unscored > 0 ? [`${whole(audit.unscored)} unscored`] : []),
    ...(audit.errors > 0 ? [plural(audit.errors, "error")] : []),
  ];
  const cost = usage?.cost_usd ? `, $${usage.cost_usd.toFixed(2)}` : "";
  const automated = shadow
    ? `${whole(route.wouldAutomate)} would have been automated; in shadow all ${whole(route.decisions)} go to review`
    : `${whole(route.automated)} automated, ${whole(route.decisions - route.automated)} to review`;
  const sampled = route.sampled > 0 ? `, ${whole(route.sampled)} of these at random` : "";
  return [
    `${printable(day.file, 200)}: ${plural(route.decisions, "decision")}`,
    `  1 import  ${whole(accepted)} new, ${whole(duplicates)} already there${rejects}`,
    `  2 audit   ${outcomes.join(", ")}${cost} (run ${run})`,
    `  3 route   ${automated}${sampled}`,
    ...reasonLines(route).map((line) => `          ${line}`),
    `  4 log     ${log}`,
  ].join("\n");
}

/** Where the steps of a day ended early. */
export const STOPPED_AT_AUDIT =
  "Stopped at step 2 of 4 (audit): the decisions are imported, nothing was routed. Repeat the command to go on.";
