import { type Estimate, undefinedEstimate } from "../core/estimate.js";
import { meanEstimate } from "../stats/intervals/mean-estimate.js";

/** Mean of values with its t interval; `empty`: why it is undefined without any. */
export function meanOf(values: readonly number[], empty = "no rows"): Estimate {
  const n = values.length;
  if (n === 0) return undefinedEstimate(empty, 0);
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return meanEstimate(
    n,
    mean,
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0),
  );
}
