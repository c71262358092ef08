import { describe, expect, it } from "vitest";
import { createRng, fastUniform } from "../../../stats/random/create-rng.js";
import { sortScores } from "./calibration-error.js";
import { drawOutcomes } from "./calibration-errors.js";
import { scoreCells } from "./score-cells.js";

/** Mean and variance of the count of every cell over many draws, beside what Σ Bernoulli(s_i) has. */
function simulate(score: Float64Array, draws: number) {
  const sorted = sortScores(score, new Uint8Array(score.length));
  const cells = scoreCells(sorted);
  const uniform = fastUniform(createRng(4));
  const counts = new Float64Array(cells.n.length);
  const sums = new Float64Array(cells.n.length);
  const squares = new Float64Array(cells.n.length);
  for (let d = 0; d < draws; d += 1) {
    drawOutcomes(cells, sorted.scores, uniform, counts);
    for (let c = 0; c < counts.length; c += 1) {
      sums[c]! += counts[c]!;
      squares[c]! += counts[c]! ** 2;
    }
  }
  return Array.from(cells.n, (n, c) => {
    const rows = sorted.scores.subarray(cells.starts[c], cells.starts[c + 1]);
    return {
      n,
      mean: sums[c]! / draws,
      variance: squares[c]! / draws - (sums[c]! / draws) ** 2,
      expected: rows.reduce((sum, s) => sum + s, 0),
      spread: rows.reduce((sum, s) => sum + s * (1 - s), 0),
    };
  });
}

describe("drawOutcomes", () => {
  it("has the mean and variance of independent rows in every cell, small or large", () => {
    const rng = createRng(9);
    // Most rows near 1, where a cell holds thousands with very different odds, the rest sparse.
    const score = Float64Array.from({ length: 20_000 }, (_, i) =>
      i < 19_000 ? 1 - 0.003 * rng.next() ** 3 : rng.next(),
    );
    const draws = 4000;
    const cells = simulate(score, draws);
    expect(cells.some(({ n }) => n > 1000)).toBe(true);
    expect(cells.some(({ n }) => n === 1)).toBe(true);
    let large = 0;
    for (const { mean, expected, spread } of cells) {
      large = Math.max(large, Math.abs(mean - expected) / Math.sqrt(spread / draws + 1e-12));
    }
    // The largest of some hundred standard normals.
    expect(large).toBeLessThan(5);
    const variance = cells.reduce((sum, cell) => sum + cell.variance, 0);
    const spread = cells.reduce((sum, cell) => sum + cell.spread, 0);
    expect(Math.abs(variance / spread - 1)).toBeLessThan(0.02);
  });

  it("is certain where scores are 0 or 1, and draws nothing from nothing", () => {
    const cells = simulate(
      Float64Array.from({ length: 60 }, (_, i) => (i < 30 ? 0 : 1)),
      10,
    );
    for (const { mean, variance, expected } of cells) expect([mean, variance]).toEqual([expected, 0]);
    expect(simulate(new Float64Array(0), 3)).toEqual([]);
  });
});
