import type { Estimate } from "../../core/estimate.js";
import { clusterToShow } from "../../measures/metrics/judged-interval.js";
import { countText, intervalText, rateText } from "../words/numbers.js";
import { wideInterval } from "../words/wide-interval.js";

/** Interval of rows taken as independent. */
export function independentText(estimate: Estimate): string {
  return estimate.estimate === null ? estimate.reason : intervalText(estimate);
}

/** Interval with communities as clusters; a dash where they are too few or all alike. */
export function clusterText(estimate: Estimate): string {
  return estimate.estimate === null ? "" : intervalText(clusterToShow(estimate));
}

/** The interval to rely on, where a table has room for one. */
export function wideText(estimate: Estimate): string {
  return estimate.estimate === null ? estimate.reason : intervalText(wideInterval(estimate));
}

/** A row of a table of rates: label, rate, both intervals, counts. */
export function rateRow(label: string, estimate: Estimate): string[] {
  return [label, rateText(estimate), independentText(estimate), clusterText(estimate), countText(estimate)];
}
