import { decimal, pCell, percent, points, whole } from "./numbers.js";

/**
 * How a number is written. `points` are signed percentage points of a difference of rates; `limit` a share as somebody set it, `risk` a
 * small one; `fine` and `finer` have three and four decimals; `probability` is for p-values.
 */
export type NumberForm =
  | "percent"
  | "limit"
  | "risk"
  | "points"
  | "whole"
  | "decimal"
  | "fine"
  | "finer"
  | "probability"
  | "dollars";

export function formatNumber(value: number, form: NumberForm): string {
  switch (form) {
    case "percent":
      return percent(value);
    case "limit":
      return `${+(100 * value).toPrecision(4)} %`;
    case "risk":
      return percent(value, 2);
    case "points":
      return points(value);
    case "whole":
      return whole(value);
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
