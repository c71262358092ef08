import { drawBinomial } from "../../stats/random/draw-binomial.js";
import type { FastUniform } from "../../stats/random/fast-uniform.js";
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
