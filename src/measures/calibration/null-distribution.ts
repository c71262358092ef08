import { quantile } from "../../stats/ranks/quantile.js";

/** A measure and what a perfectly calibrated score would show at this n and these scores. */
export interface AgainstNull {
  value: number | null;
  /** Why there is no value. */
  reason?: string;
  /** Mean and 95 % quantile over draws of y ~ Bernoulli(score). */
  null_mean: number | null;
  null_95: number | null;
  /** Share of draws at least as large, the data counted among them: a p-value of perfect calibration. */
  p: number | null;
}

/** Where a value stands among the draws. Draws in which the measure is undefined (NaN) say nothing. */
export function againstNull(value: number | null, draws: Float64Array, reason = "no rows"): AgainstNull {
  if (value === null) return { value, reason, null_mean: null, null_95: null, p: null };
  const sorted = draws.filter((draw) => !Number.isNaN(draw)).sort();
  if (sorted.length === 0) return { value, null_mean: null, null_95: null, p: null };
  let sum = 0;
  let asLarge = 1;
  for (const draw of sorted) {
    sum += draw;
    // Slack for values that are equal but for rounding.
    if (draw >= value * (1 - 1e-12)) asLarge += 1;
  }
  return {
    value,
    null_mean: sum / sorted.length,
    null_95: quantile(sorted, 0.95),
    p: asLarge / (sorted.length + 1),
  };
}
