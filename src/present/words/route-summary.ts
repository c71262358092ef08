import { ROUTE_REASONS, type RouteReason } from "../../core/records/route.js";
import { ROUTE_SENTENCES } from "../../measures/gate/route-reasons.js";
import { plural, whole } from "./numbers.js";

interface Summary {
  decisions: number;
  automated: number;
  wouldAutomate: number;
  sampled: number;
  countOf(reason: RouteReason): number;
}

/** Lines for a person; every reason with how often it was given. A decision may have several. */
export function routeSummaryText(summary: Summary, shadow: boolean): string {
  const review = summary.decisions - summary.automated;
  const share = summary.sampled > 0 ? ` (${plural(summary.sampled, "decision")} by the random share)` : "";
  const first = shadow
    ? `${plural(summary.decisions, "decision")} in shadow: ${whole(summary.wouldAutomate)} would have been automated, nothing was${share}.`
    : `${plural(summary.decisions, "decision")}: ${whole(summary.automated)} automated, ${whole(review)} to review${share}.`;
  const told = ROUTE_REASONS.filter((reason) => summary.countOf(reason) > 0);
  const width = whole(summary.decisions).length;
  const longest = Math.max(0, ...told.map((reason) => reason.length));
  const lines = told.map(
    (reason) =>
      `  ${whole(summary.countOf(reason)).padStart(width)}  ${reason.padEnd(longest)}  ${ROUTE_SENTENCES[reason]}`,
  );
  return [first, ...lines].join("\n");
}

/** What may help where nothing was automated. `joined`: the audits were looked up; `calibration`: one was named. */
export function routeHints(summary: Summary, given: { joined: boolean; calibration: boolean }): string[] {
  const { decisions } = summary;
  const all = (reason: RouteReason) => decisions > 0 && summary.countOf(reason) === decisions;
  const hints: string[] = [];
  if (all("bad_decision")) {
    hints.push(
      "No line is a decision. Expected is JSONL: one object a line, as docs/formats.md has it and `defensible export --what decisions` writes it.",
    );
  }
  if (summary.countOf("no_audit") > 0 && !given.joined) {
    hints.push("Audits are looked for under `audit` of each decision; --run ID or --audits FILE finds them elsewhere.");
  }
  if (all("missing_calibration") && !given.calibration) {
    hints.push("Nothing can be automated without a calibrated score: `defensible calibrate`, then `defensible gate`.");
  }
  return hints;
}
