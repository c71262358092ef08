import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import type { CohortMetrics, Report, ReportGap } from "../../core/results/report.js";
import { FEW_CLUSTERS } from "../../measures/metrics/indices.js";
import type { ReportPage } from "../../measures/report-page.js";
import {
  boundsRow,
  countText,
  percent,
  plural,
  points,
  pointsText,
  rateText,
  shareText,
  whole,
  wideInterval,
} from "../words/numbers.js";
import type { MaybeFigure } from "./missing.js";

/**
 * How agreement and defensibility compare, judged by the interval of their difference. `by_f1`: significantly different from F1 but not, in the same
 * direction, from accuracy, so the gap may come from how F1 counts. `same`: significant, but too small to show.
 */
export type TrapSide = "above" | "below" | "by_f1" | "same" | "close" | "no_gap" | "no_labels" | "no_verdicts";

export function trapSide(report: Report): TrapSide {
  const { counts, agreement } = report;
  if (counts.verdicts === 0) return "no_verdicts";
  if (agreement.n_labelled === 0) return "no_labels";
  const { index, gap } = comparedWith(report);
  const bounds = wideInterval(gap.di_minus_f1);
  const plain = wideInterval(gap.di_minus_accuracy);
  const f1 = agreement.f1.estimate;
  if (f1 === null || index.estimate === null || !bounds || !plain) return "no_gap";
  if (bounds.lower <= 0 && bounds.upper >= 0) return "close";
  if (bounds.lower > 0 ? plain.lower <= 0 : plain.upper >= 0) return "by_f1";
  if (percent(f1) === percent(index.estimate) || pointsText(gap.di_minus_f1) === points(0)) return "same";
  return bounds.lower > 0 ? "above" : "below";
}

/** What agreement is compared with: if only part of the decisions is labelled, that part, since a gap to all may come from which were labelled. */
export function comparedWith({ defensibility_index, gap }: Report): {
  index: Estimate;
  gap: ReportGap;
  isPart: boolean;
} {
  return gap.labelled
    ? { index: gap.labelled.defensibility_index, gap: gap.labelled, isPart: true }
    : { index: defensibility_index, gap, isPart: false };
}

/** With more panels than this, a table is shown. */
const MOST_COHORTS = 5;
const ALL = "all decisions";
/** DI over the decisions that agreement is measured on. */
const LABELLED_DI = "DI, where labelled";

/** The agreement trap in one picture: agreement with people and defensibility by the rules, for the same decisions. */
export function agreementTrapFigure({ report }: ReportPage): MaybeFigure {
  if (report.counts.verdicts === 0) {
    return { missing: "There is no verdict yet, so there is nothing to compare.", command: "defensible audit" };
  }
  const cohorts = cohortsBeside(report);
  // The first of two similar measures gets the full colour, and the index of all decisions keeps it.
  const measures = ["F1", "accuracy", "Defensibility Index", LABELLED_DI, "Ambiguity Index"].filter(
    (measure) => measure !== LABELLED_DI || report.gap.labelled !== undefined,
  );
  const figure: Figure = {
    id: "agreement-trap",
    title: trapTitle(report),
    mark: "bar",
    x: { field: "value", label: "Share of decisions", format: "percent", domain: [0, 1] },
    y: { field: "measure", label: "Measure", order: measures },
    series: "measure",
    series_order: measures,
    interval: "x",
    caption: caption(report),
    paper: "fig:agreement_gap",
    rows: [
      ...rowsOf(ALL, report, report.gap.labelled?.defensibility_index),
      ...cohorts.flatMap(([name, metrics]) => rowsOf(name, metrics)),
    ],
  };
  return cohorts.length > 0 ? { ...figure, facet: "cohort" } : figure;
}

export function trapTitle(report: Report): string {
  const { defensibility_index: all, agreement } = report;
  const { index, isPart } = comparedWith(report);
  const derived = (of: Estimate, which: string) =>
    `${of.estimate === null ? "–" : shareText(of.estimate)} of ${which} can be derived from the rules`;
  const rules = derived(index, isPart ? "the labelled decisions" : "the decisions");
  const f1 = agreement.f1.estimate === null ? "–" : shareText(agreement.f1.estimate);
  switch (trapSide(report)) {
    case "above":
      return `F1 says ${f1}, yet ${rules}`;
    case "below":
      return `F1 says ${f1}, but only ${rules}`;
    case "by_f1":
      return `F1 says ${f1} and accuracy ${rateText(agreement.accuracy)}; ${rules}`;
    case "same":
      return `F1 says ${f1}, and about as many, ${rules}`;
    case "close":
      return `Too close to call: F1 says ${f1}, and ${rules}`;
    case "no_gap":
      return agreement.f1.estimate === null
        ? `${derived(all, "the decisions")}; F1 is undefined, because people and decider restrict none`
        : `F1 says ${f1}, and ${rules}; too few labels to compare the two`;
    case "no_labels":
      return `${derived(all, "the decisions")}; agreement with people is undefined`;
    case "no_verdicts":
      return "There is no verdict yet";
  }
}

/** A cohort equal to the whole adds nothing; within one cohort, the others are only overlaps with it. */
function cohortsBeside(report: Report): [string, CohortMetrics][] {
  if (report.run.cohort) return [];
  return Object.entries(report.by_cohort)
    .filter(([, { counts }]) => counts.verdicts > 0 && counts.verdicts < report.counts.verdicts)
    .sort(([, first], [, second]) => second.counts.verdicts - first.counts.verdicts)
    .slice(0, MOST_COHORTS);
}

function rowsOf(
  cohort: string,
  metrics: Pick<Report, "agreement" | "defensibility_index" | "ambiguity_index">,
  labelled?: Estimate,
) {
  return [
    row(cohort, "F1", metrics.agreement.f1),
    row(cohort, "accuracy", metrics.agreement.accuracy),
    row(cohort, "Defensibility Index", metrics.defensibility_index),
    ...(labelled ? [row(cohort, LABELLED_DI, labelled)] : []),
    row(cohort, "Ambiguity Index", metrics.ambiguity_index),
  ].filter((one) => one.value !== null);
}

function row(cohort: string, measure: string, estimate: Estimate): FigureRow {
  return { cohort, measure, value: estimate.estimate, ...boundsRow(estimate), decisions: countText(estimate) };
}

function caption({ agreement, counts, defensibility_index: index }: Report): string {
  const clusters = index.estimate === null ? undefined : index.cluster?.clusters;
  const intervals =
    clusters === undefined
      ? "Lines: 95% intervals."
      : clusters < FEW_CLUSTERS
        ? `Lines: 95% intervals, of the decisions of these ${plural(clusters, "community", "communities")} alone.`
        : `Lines: 95% intervals, the wider of those with and without ${plural(clusters, "community", "communities")} as clusters.`;
  const indices = `Defensibility and Ambiguity Index over ${plural(counts.verdicts, "verdict")} of the auditor.`;
  if (agreement.n_labelled === 0) return `${intervals} ${indices} No decision has a person's label to agree with.`;
  const { n } = agreement.f1;
  const part =
    agreement.n_labelled < counts.verdicts
      ? ` People labelled ${whole(agreement.n_labelled)} of the ${whole(counts.verdicts)} decisions, so agreement says nothing of the others, and is compared with the index of those that they labelled.`
      : "";
  return `${intervals} ${indices}${part} Accuracy over ${plural(agreement.n_labelled, "decision")} that people labelled, F1 over the ${whole(n)} of them that people or decider restrict: it leaves out what both allow, so where restricting is rare it is low by arithmetic alone.`;
}
