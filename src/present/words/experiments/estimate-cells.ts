import type { Estimate } from "../../../core/estimate.js";
import { decimal, intervalText, pCell, percent, pointsInterval, pointsText } from "../numbers.js";
import { wideInterval } from "../wide-interval.js";

/** "92.3 % (91.9–92.6 %)", or a dash. */
export function rateCell(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : `${percent(estimate.estimate)} (${intervalText(wideInterval(estimate))})`;
}

/** "+46.6 pp (+45.1 to +48.0)". */
export function pointsCell(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : `${pointsText(estimate)} (${pointsInterval(wideInterval(estimate))})`;
}

/** "0.59 (0.57 to 0.61)". */
export function numberCell(estimate: Estimate, digits = 2): string {
  if (estimate.estimate === null) return "–";
  const { lower, upper } = wideInterval(estimate)!;
  return `${decimal(estimate.estimate, digits)} (${decimal(lower, digits)} to ${decimal(upper, digits)})`;
}

/** A correlation with its interval, and its p in a cell of its own. */
export function correlationCells(estimate: Estimate & { p_value?: number | null }): [string, string] {
  if (estimate.estimate === null) return ["–", "–"];
  return [numberCell(estimate), pCell(estimate.p_value)];
}

/** The reasons for the dashes of a table, each once, as a sentence; empty without any. */
export function reasonsText(estimates: readonly Estimate[]): string {
  const reasons = new Set(estimates.flatMap((estimate) => (estimate.estimate === null ? [estimate.reason] : [])));
  return reasons.size === 0 ? "" : `A dash means undefined: ${[...reasons].join("; ")}.`;
}
