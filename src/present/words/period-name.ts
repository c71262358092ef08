import type { ReportPage } from "../../measures/report-page.js";

type TimeUnit = NonNullable<ReportPage["timeline"]>["unit"];

/**
 * A stretch of time by the day it begins with, as short as it can be told apart.
 * @example periodName("quarter", "2025-04-01") // => "2025 Q2"
 */
export function periodName(unit: TimeUnit, start: string): string {
  const [year = start, month = ""] = start.split("-");
  if (unit === "year") return year;
  if (unit === "month") return `${year}-${month}`;
  return unit === "quarter" ? `${year} Q${Math.ceil(Number(month) / 3)}` : start;
}
