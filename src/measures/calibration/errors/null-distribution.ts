import { drawBinomial } from "../../../stats/random/draw-binomial.js";
import type { FastUniform } from "../../../stats/random/fast-uniform.js";
import { quantile } from "../../../stats/ranks/quantile.js";
import type { ScoreCells } from "./score-cells.js";

/** Cells with at most this many rows are drawn row by row. */
const FEW = 12;

/**
 * How many rows of each cell would be defensible if the scores were true probabilities: one draw of y ~ Bernoulli(score).
 *
 * Formula: a cell's count is Σ Bernoulli(s_i). A cell of more than 12 rows draws Binomial(n, s̄) instead: the same mean, and a
 * variance too large by Σ(s_i − s̄)², which cells of width w = 1/2048 keep below a share w of it (the distributions differ
 * by at most w²/(4 s̄(1 − s̄)) in total variation). It makes 200 draws of a million rows a matter of milliseconds.
 * Rows with weights are drawn one by one.
 * Range: 0 … n of each cell.
 * Undefined when: never; no cells, no counts.
 * Differs from the paper: not in the paper.
 * @see Ehm (1991), Statistics & Probability Letters 11:7-16 (the bound)
 */
export function drawOutcomes(
  cells: Pick<ScoreCells, "starts" | "n" | "scores">,
  sorted: Float64Array,
  uniform: FastUniform,
  out: Float64Array,
  weights: Float64Array | null = null,
): void {
  const { starts, n, scores } = cells;
  for (let c = 0; c < n.length; c += 1) {
    const rows = n[c]!;
    if (rows > FEW && !weights) {
      // A sum of scores may exceed the number of rows by rounding.
      out[c] = drawBinomial(rows, Math.min(1, scores[c]! / rows), uniform);
      continue;
    }
    let count = 0;
    for (let i = starts[c]!; i < starts[c + 1]!; i += 1)
      if (uniform() < sorted[i]! * 2 ** 32) count += weights ? weights[i]! : 1;
    out[c] = count;
  }
}

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
