import type { Estimate } from "../../core/estimate.js";
import { judgedInterval } from "../../measures/metrics/indices.js";
import { hasWidth } from "../../stats/intervals/proportion.js";
import { plural, whole } from "../../text/words.js";

export { plural, whole } from "../../text/words.js";

/** Smaller p-values are not distinguished. */
const SMALLEST_P = 0.001;

export function percent(value: number, digits = 1): string {
  return `${decimal(100 * value, digits)}%`;
}

/** "3 weeks", or days below two weeks. */
export function weeksText(weeks: number): string {
  return weeks < 2 ? plural(Math.max(1, Math.round(7 * weeks)), "day") : plural(Math.round(weeks), "week");
}

/** A rate, or a dash if it is undefined. */
export function rateText(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : percent(estimate.estimate);
}

/** An interval in percent, or a dash if it is missing. */
export function intervalText(interval: Bounds | null | undefined): string {
  if (!interval) return "–";
  return `${decimal(100 * interval.lower, 1)}–${decimal(100 * interval.upper, 1)}%`;
}

/** "300 of 382". */
export function countText(estimate: Estimate): string {
  if (estimate.estimate === null || estimate.k === undefined) return `n = ${estimate.n}`;
  return `${estimate.k} of ${estimate.n}`;
}

/** A difference of rates in signed percentage points: 0.032 -> "+3.2 pp". */
export function points(difference: number): string {
  return `${signed(100 * difference, 1)} pp`;
}

/** A difference of rates, or a dash if it is undefined. */
export function pointsText(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : points(estimate.estimate);
}

/** "−1.2 to +3.4", or a dash if it is missing. */
export function pointsInterval(interval: Bounds | null | undefined): string {
  return interval ? `${signed(100 * interval.lower, 1)} to ${signed(100 * interval.upper, 1)}` : "–";
}

/** A difference: "+3.20", "−0.40". A value that rounds to zero has no sign. */
export function signed(value: number, digits: number): string {
  const text = decimal(value, digits);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** A number with a true minus, or a dash if it is undefined. A value that rounds to zero has no sign. */
export function decimal(value: number | null, digits = 2): string {
  return value === null
    ? "–"
    : value
        .toFixed(digits)
        .replace(/^-(?=0\.?0*$)/, "")
        .replace("-", "−");
}

/** "p = 0.031", "p < 0.001". */
export function pText(p: number | null): string {
  return p === null ? "p undefined" : p < SMALLEST_P ? `p ${pCell(p)}` : `p = ${pCell(p)}`;
}

/** A p-value or other small probability named elsewhere, as in a table head: "0.031", "< 0.001", or a dash. */
export function pCell(p: number | null | undefined): string {
  return p === null || p === undefined ? "–" : p < SMALLEST_P ? `< ${SMALLEST_P}` : p.toFixed(3);
}

/** The word for a count printed elsewhere: "passes" for one, "pass" otherwise. */
export function byCount(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** A share with enough digits not to be shown as 0 or 100% when it is neither. */
export function shareText(share: number): string {
  const digits = isShownAsWhole(share) ? 2 : 1;
  return percent(share, digits);
}

/** A share in prose: "28%", with decimals only where whole percents would wrongly show 0 or 100%: "99.96%". */
export function roundedShare(share: number): string {
  for (let digits = 0; ; digits += 1) {
    const text = decimal(100 * share, digits);
    const hides = (Number(text) === 0 && share !== 0) || (Number(text) === 100 && share !== 1);
    if (!hides || digits === 4) return `${text}%`;
  }
}

/** Whether one decimal would wrongly show a share as 0 or 100%. */
export function isShownAsWhole(share: number): boolean {
  return share > 0 && share < 1 && /^(0|100)\.0$/.test(decimal(100 * share, 1));
}

/**
 * How a number is written. `points`: signed percentage points of a difference of rates; `limit`: a share as it was set; `risk`: a small share;
 * `rounded`: a share in prose, in whole percents; `fine` and `finer`: three and four decimals; `count`: a count that may have a fraction;
 * `probability`: a p-value.
 */
export type NumberForm =
  | "percent"
  | "rounded"
  | "limit"
  | "risk"
  | "points"
  | "apart"
  | "whole"
  | "count"
  | "decimal"
  | "fine"
  | "finer"
  | "probability"
  | "dollars";

export function formatNumber(value: number, form: NumberForm): string {
  switch (form) {
    case "percent":
      return percent(value);
    case "rounded":
      return roundedShare(value);
    case "limit":
      return `${+(100 * value).toPrecision(4)}%`;
    case "risk":
      return percent(value, 2);
    case "points":
      return points(value);
    // An unsigned difference of two shares.
    case "apart":
      return `${decimal(100 * value, 1)} points`;
    case "whole":
      return whole(value);
    case "count":
      return whole(Math.round(value) + 0).replace("-", "−");
    case "decimal":
      return decimal(value, 2);
    case "fine":
      return decimal(value, 3);
    case "finer":
      return decimal(value, 4);
    case "probability":
      return pCell(value);
    case "dollars":
      return `$${value.toFixed(2)}`;
  }
}

export interface Bounds {
  lower: number;
  upper: number;
}

/** The interval to show and to judge by: of independent rows, or with communities as clusters. Null: undefined. */
export function wideInterval(estimate: Estimate): Bounds | null {
  if (estimate.estimate === null) return null;
  const { lower, upper } = isClusterWider(estimate) ? estimate.cluster! : estimate;
  return { lower, upper };
}

/** The interval to show, as columns of a figure. */
export function boundsRow(estimate: Estimate): Bounds | { lower: null; upper: null } {
  return wideInterval(estimate) ?? { lower: null, upper: null };
}

/** Whether the interval to show is the one with communities as clusters. Both may begin or end at the same value, such as zero. */
export function isClusterWider(estimate: Estimate): boolean {
  return estimate.estimate !== null && judgedInterval(estimate) === "cluster";
}

/** Whether a value has no interval to show. Variance formulas give identical cases an interval of width zero, but two such cases are no certainty. */
export function isSilent(estimate: Estimate): boolean {
  const bounds = wideInterval(estimate);
  if (estimate.estimate === null || bounds === null || estimate.method === "by construction") return false;
  return !hasWidth(bounds);
}
