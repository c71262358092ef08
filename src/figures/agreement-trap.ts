import type { Estimate } from "../domain/estimate.js";
import type { Figure, FigureRow } from "../domain/figure.js";
import type { CohortMetrics, Report } from "../domain/report.js";
import type { MaybeFigure } from "./missing.js";
import { countText, percent, plural, whole } from "./numbers.js";
import type { ReportPage } from "./report-page.js";
import { isSilent, wideInterval } from "./wide-interval.js";

/** How agreement and defensibility stand to each other, judged by the interval of their difference; `alike`: there is none to judge by. */
export type TrapSide = "above" | "below" | "close" | "alike" | "no_gap" | "no_labels" | "no_verdicts";

export function trapSide({ counts, agreement, gap }: Pick<CohortMetrics, "counts" | "agreement" | "gap">): TrapSide {
  if (counts.verdicts === 0) return "no_verdicts";
  const bounds = wideInterval(gap.di_minus_f1);
  if (agreement.n_labelled === 0) return "no_labels";
  if (agreement.f1.estimate === null || !bounds) return "no_gap";
  if (isSilent(gap.di_minus_f1)) return "alike";
  return bounds.lower > 0 ? "above" : bounds.upper < 0 ? "below" : "close";
}

/** More panels than this are a table. */
const MOST_COHORTS = 5;
const ALL = "all decisions";

/** The agreement trap in one picture: what agreement with people says, and what the rules say, of the same decisions. */
export function agreementTrapFigure({ report }: ReportPage): MaybeFigure {
  if (report.counts.verdicts === 0) {
    return { missing: "There is no verdict yet, so there is nothing to compare.", command: "defensible audit" };
  }
  const cohorts = cohortsBeside(report);
  const figure: Figure = {
    id: "agreement-trap",
    title: trapTitle(report),
    mark: "bar",
    x: { field: "value", label: "Share of decisions", format: "percent", domain: [0, 1] },
    y: { field: "measure", label: "Measure", order: ["F1", "accuracy", "Defensibility Index", "Ambiguity Index"] },
    series: "measure",
    series_order: ["F1", "accuracy", "Defensibility Index", "Ambiguity Index"],
    interval: "x",
    caption: caption(report),
    paper: "fig:agreement_gap",
    rows: [...rowsOf(ALL, report), ...cohorts.flatMap(([name, metrics]) => rowsOf(name, metrics))],
  };
  return cohorts.length > 0 ? { ...figure, facet: "cohort" } : figure;
}

export function trapTitle(report: Report): string {
  const { defensibility_index: index, agreement } = report;
  const rate = index.estimate === null ? "–" : percent(index.estimate);
  const f1 = agreement.f1.estimate === null ? "–" : percent(agreement.f1.estimate);
  switch (trapSide(report)) {
    case "above":
      return `F1 says ${f1}, yet ${rate} of the decisions can be derived from the rules`;
    case "below":
      return `F1 says ${f1}, but only ${rate} of the decisions can be derived from the rules`;
    case "close":
      return `Too close to call: F1 says ${f1}, and ${rate} of the decisions can be derived from the rules`;
    case "alike":
      return `F1 says ${f1}, and ${rate} of the decisions can be derived from the rules; they are all alike, so nothing says how sure that is`;
    case "no_gap":
      return agreement.f1.estimate === null
        ? `${rate} of the decisions can be derived from the rules; F1 is undefined, because people and decider restrict none`
        : `F1 says ${f1}, and ${rate} of the decisions can be derived from the rules; too few labels to compare the two`;
    case "no_labels":
      return `${rate} of the decisions can be derived from the rules; agreement with people is undefined`;
    case "no_verdicts":
      return "There is no verdict yet";
  }
}

/** A cohort that is the whole says nothing beside it; within one cohort the others are only overlaps with it. */
function cohortsBeside(report: Report): [string, CohortMetrics][] {
  if (report.run.cohort) return [];
  return Object.entries(report.by_cohort)
    .filter(([, { counts }]) => counts.verdicts > 0 && counts.verdicts < report.counts.verdicts)
    .sort(([, first], [, second]) => second.counts.verdicts - first.counts.verdicts)
    .slice(0, MOST_COHORTS);
}

function rowsOf(cohort: string, metrics: Pick<Report, "agreement" | "defensibility_index" | "ambiguity_index">) {
  return [
    row(cohort, "F1", metrics.agreement.f1),
    row(cohort, "accuracy", metrics.agreement.accuracy),
    row(cohort, "Defensibility Index", metrics.defensibility_index),
    row(cohort, "Ambiguity Index", metrics.ambiguity_index),
  ].filter((one) => one.value !== null);
}

function row(cohort: string, measure: string, estimate: Estimate): FigureRow {
  const { lower, upper } = wideInterval(estimate) ?? { lower: null, upper: null };
  return { cohort, measure, value: estimate.estimate, lower, upper, decisions: countText(estimate) };
}

function caption({ agreement, counts, defensibility_index: index }: Report): string {
  const clusters = index.estimate === null ? undefined : index.cluster?.clusters;
  const intervals =
    clusters === undefined
      ? "Lines: 95 % intervals."
      : `Lines: 95 % intervals, the wider of those with and without ${plural(clusters, "community", "communities")} as clusters.`;
  const indices = `Defensibility and Ambiguity Index over ${plural(counts.verdicts, "verdict")} of the auditor.`;
  if (agreement.n_labelled === 0) return `${intervals} ${indices} No decision has a person's label to agree with.`;
  const { n } = agreement.f1;
  return `${intervals} ${indices} Accuracy over ${plural(agreement.n_labelled, "decision")} that people labelled, F1 over the ${whole(n)} of them that people or decider restrict: it leaves out what both allow, so where restricting is rare it is low by arithmetic alone.`;
}
