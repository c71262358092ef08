import { decimal, percent, whole } from "../../src/figures/numbers.js";

/** How a number is written. `points` are signed percentage points of a difference of rates. */
export type NumberForm = "percent" | "points" | "whole" | "decimal" | "fine" | "dollars";

export function formatNumber(value: number, form: NumberForm): string {
  switch (form) {
    case "percent":
      return percent(value);
    case "points":
      return `${value >= 0 ? "+" : "−"}${Math.abs(100 * value).toFixed(1)} pp`;
    case "whole":
      return whole(value);
    case "decimal":
      return decimal(value, 2);
    case "fine":
      return decimal(value, 3);
    case "dollars":
      return `$${value.toFixed(2)}`;
  }
}
