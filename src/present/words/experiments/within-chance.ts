import type { Report } from "../../../core/results/report.js";
import { wideInterval } from "../wide-interval.js";

/** Neither the gap to F1 nor that to accuracy is beyond chance. */
export function withinChance({ di_minus_f1, di_minus_accuracy }: Report["gap"]): boolean {
  return [di_minus_f1, di_minus_accuracy].every((difference) => {
    const interval = wideInterval(difference);
    return interval === null || (interval.lower <= 0 && interval.upper >= 0);
  });
}
