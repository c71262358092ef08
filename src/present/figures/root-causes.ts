import type { Report } from "../../core/results/report.js";
import type { RootCause } from "../../measures/metrics/root-causes.js";
import type { ReportPage } from "../../measures/report-page.js";
import { boundsRow, percent, plural, whole } from "../words/numbers.js";
import { CAUSE_WORDS, CAUSES } from "../words/signs.js";
import type { MaybeFigure } from "./missing.js";

/** The cause of most disagreements; null without any, or where two share the place. */
export function leadingCause({ root_causes: causes }: Pick<Report, "root_causes">): RootCause | null {
  const ranked = CAUSES.map((cause) => ({ cause, share: causes[cause].estimate ?? 0 })).sort(
    (first, second) => second.share - first.share,
  );
  return ranked[0]!.share > ranked[1]!.share ? ranked[0]!.cause : null;
}

/** Why decider and people disagree, by the auditor's verdicts. */
export function rootCausesFigure({ report }: ReportPage): MaybeFigure {
  const { root_causes: causes, agreement } = report;
  if (causes.model_error.estimate === null) return { missing: whyNone(report) };
  const leading = leadingCause(report);
  const disagreements = causes.model_error.n;
  return {
    id: "root-causes",
    title: leading
      ? `${percent(causes[leading].estimate!)} of ${plural(disagreements, "disagreement")} with people ask to ${CAUSE_WORDS[leading].remedy}`
      : `No cause accounts for more of ${plural(disagreements, "disagreement")} with people than the others`,
    mark: "bar",
    x: { field: "share", label: "Share of disagreements", format: "percent", domain: [0, 1] },
    y: { field: "cause", label: "Cause", order: CAUSES.map((cause) => CAUSE_WORDS[cause].name) },
    series: "cause",
    series_order: CAUSES.map((cause) => CAUSE_WORDS[cause].name),
    interval: "x",
    caption: `Of ${plural(agreement.n_labelled, "decision")} that people labelled, decider and person differ in ${whole(disagreements)}. Agreement metrics count all three causes alike. Lines: 95 % intervals.`,
    paper: "root cause analysis (§5.2)",
    rows: CAUSES.map((cause) => {
      const estimate = causes[cause];
      const bounds = boundsRow(estimate);
      const disagreements = estimate.estimate === null ? null : (estimate.k ?? null);
      return { cause: CAUSE_WORDS[cause].name, share: estimate.estimate, ...bounds, disagreements, of: estimate.n };
    }),
  };
}

function whyNone({ counts, agreement }: Report): string {
  if (counts.verdicts === 0) return "There is no verdict yet, so no disagreement can be explained.";
  if (agreement.n_labelled === 0)
    return "No decision with a verdict has a person's label, so there is nothing to disagree with.";
  return `Decider and people agree on all ${plural(agreement.n_labelled, "labelled decision")}: there is no disagreement to explain.`;
}
