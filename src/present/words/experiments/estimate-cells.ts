import type { Estimate } from "../../../core/estimate.js";
import type { Report } from "../../../core/results/report.js";
import type { Compared, Replicate } from "../../../experiments/study/result.js";
import { decimal, intervalText, percent, pointsInterval, pointsText, whole, wideInterval } from "../numbers.js";

type Scale = Pick<Compared, "unit" | "digits">;
type Bounds = Pick<Compared["ours"], "lower" | "upper">;

/** A value as the paper would print it. */
export function valueText(value: number | null, scale: Scale): string {
  if (value === null) return "–";
  return `${digitsOf(value, scale, scale.unit === "points" ? "+" : "")}${UNITS[scale.unit]}`;
}

/** The interval, without units: these are next to it. */
export function intervalCell({ ours: { lower, upper }, ...scale }: Scale & { ours: Bounds }): string {
  return lower === null || upper === null ? "" : `${digitsOf(lower, scale)} to ${digitsOf(upper, scale)}`;
}

/** ours − paper, signed. */
export function differenceCell({ difference, ...scale }: Compared): string {
  if (difference === null) return "";
  return `${digitsOf(difference, scale, "+")}${scale.unit === "share" ? " pp" : UNITS[scale.unit]}`;
}

const UNITS: Readonly<Record<Scale["unit"], string>> = { share: "%", points: " pp", number: "", count: "" };

/** A value without its unit; `plus` comes before values above zero. Nothing that rounds to zero has a sign. */
function digitsOf(value: number, { unit, digits }: Scale, plus = ""): string {
  const size = Math.abs(value);
  const text =
    unit === "count"
      ? whole(Math.round(size))
      : unit === "number"
        ? decimal(size, digits)
        : decimal(100 * size, Math.max(1, digits - 2));
  const sign = value < 0 ? "−" : plus;
  return /[1-9]/.test(text) ? `${sign}${text}` : text;
}

export function verdictCell({ verdict }: Compared): string {
  return verdict ?? "";
}

/** How many numbers are the same, different, undecided. */
export function verdictCounts(rows: readonly Compared[]): Record<NonNullable<Compared["verdict"]>, number> {
  const counts = { same: 0, different: 0, undecided: 0 };
  for (const { verdict } of rows) if (verdict) counts[verdict]++;
  return counts;
}

/** Numbers that say something: what was fed into a world proves nothing when it comes out again. */
export function tellingRows({ simulation, compared }: Pick<Replicate, "simulation" | "compared">): Compared[] {
  const judged = compared.filter(({ verdict }) => verdict);
  return simulation?.paper_rates ? judged.filter(({ role }) => role !== "input") : judged;
}

/** How far both are apart, in margins. */
export function distance({ difference, margin }: Compared): number {
  return difference === null || !margin ? 0 : Math.abs(difference) / margin;
}

/** Neither the gap to F1 nor that to accuracy is beyond chance. */
export function withinChance({ di_minus_f1, di_minus_accuracy }: Report["gap"]): boolean {
  return [di_minus_f1, di_minus_accuracy].every((difference) => {
    const interval = wideInterval(difference);
    return interval === null || (interval.lower <= 0 && interval.upper >= 0);
  });
}

/** Value and interval in brackets, or a dash. */
export function rateCell(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : `${percent(estimate.estimate)} (${intervalText(wideInterval(estimate))})`;
}

/** "+46.6 pp (+45.1 to +48.0)". */
export function pointsCell(estimate: Estimate): string {
  return estimate.estimate === null ? "–" : `${pointsText(estimate)} (${pointsInterval(wideInterval(estimate))})`;
}

/** The reasons for the dashes of a table, each once, as a sentence; empty without any. */
export function reasonsText(estimates: readonly Estimate[]): string {
  const reasons = new Set(estimates.flatMap((estimate) => (estimate.estimate === null ? [estimate.reason] : [])));
  return reasons.size === 0 ? "" : `A dash: ${[...reasons].join("; ")}.`;
}
