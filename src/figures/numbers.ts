import type { Estimate } from "../domain/estimate.js";

/** Made once: `toLocaleString` makes one for every number, which is most of the time that a long table takes. */
const GROUPED = new Intl.NumberFormat("en");

/** 0.785 -> "78.5 %". */
export function percent(value: number, digits = 1): string {
  return `${(100 * value).toFixed(digits)} %`;
}

/** Text whose numbers stay on one line with their sign or unit: "AI ≤ 15 %" is not torn apart. */
export function unbroken(text: string): string {
  return text.replace(/([≤≥=]) (?=\d)|(\d) (?=%|pp\b)/g, "$1$2\u00a0");
}

/** The value of a rate, or a dash for undefined. */
export function rateText(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : percent(estimate.estimate);
}

/** "71.0–84.2 %". */
export function intervalText(interval: { lower: number; upper: number } | undefined): string {
  if (!interval) return "–";
  return `${(100 * interval.lower).toFixed(1)}–${(100 * interval.upper).toFixed(1)} %`;
}

/** Interval of rows taken as independent. */
export function independentText(estimate: Estimate): string {
  return estimate.estimate === null ? estimate.reason : intervalText(estimate);
}

/** Interval with communities as clusters. */
export function clusterText(estimate: Estimate): string {
  return estimate.estimate === null ? "" : intervalText(estimate.cluster);
}

/** "300 of 382". */
export function countText(estimate: Estimate): string {
  if (estimate.estimate === null || estimate.k === undefined) return `n = ${estimate.n}`;
  return `${estimate.k} of ${estimate.n}`;
}

/** A signed difference of rates in percentage points. */
export function pointsText(estimate: Estimate): string {
  if (estimate.estimate === null) return "–";
  const points = 100 * estimate.estimate;
  return `${points >= 0 ? "+" : "−"}${Math.abs(points).toFixed(1)} pp`;
}

export function pointsInterval(interval: { lower: number; upper: number } | undefined): string {
  if (!interval) return "–";
  const side = (value: number) => `${value >= 0 ? "+" : "−"}${Math.abs(100 * value).toFixed(1)}`;
  return `${side(interval.lower)} to ${side(interval.upper)}`;
}

export function decimal(value: number | null, digits = 2): string {
  // Nothing that rounds to zero has a sign.
  return value === null
    ? "–"
    : value
        .toFixed(digits)
        .replace(/^-(?=0\.?0*$)/, "")
        .replace("-", "−");
}

/** "p = 0.031", "p < 0.001". */
export function pText(p: number | null): string {
  return p === null ? "p undefined" : p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

/** 12345 -> "12,345". */
export function whole(count: number): string {
  return GROUPED.format(count);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${GROUPED.format(count)} ${count === 1 ? one : many}`;
}

/** A row of a table of rates: label, rate, both intervals, counts. */
export function rateRow(label: string, estimate: Estimate): string[] {
  return [label, rateText(estimate), independentText(estimate), clusterText(estimate), countText(estimate)];
}
