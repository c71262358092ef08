import { describe, expect, it } from "vitest";
import { binomialCdf } from "../distributions/incomplete-beta.js";
import { incompleteGamma } from "../distributions/special-functions.js";
import { chiSquareTest } from "../tests/table-tests.js";
import { createRng, fastUniform } from "./create-rng.js";
import { drawBinomial } from "./draw-normal.js";

describe("fastUniform", () => {
  it("is uniform in its high and low bits and determined by its seed", () => {
    const [one, same, other] = [1, 1, 2].map((seed) => fastUniform(createRng(seed)));
    const draws = Array.from({ length: 64_000 }, () => one!());
    expect(draws.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => same!()));
    expect(draws.slice(0, 50)).not.toEqual(Array.from({ length: 50 }, () => other!()));
    for (const digit of [(u: number) => u >>> 28, (u: number) => u & 15]) {
      const counts = new Array<number>(16).fill(0);
      for (const u of draws) counts[digit(u)]! += 1;
      const statistic = counts.reduce((sum, count) => sum + (count - 4000) ** 2 / 4000, 0);
      expect(incompleteGamma(7.5, statistic / 2)).toBeGreaterThan(0.001);
    }
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws)).toBeLessThan(2 ** 32);
  });

  it("gives successive numbers that do not depend on each other", () => {
    const uniform = fastUniform(createRng(5));
    const table = Array.from({ length: 4 }, () => new Array<number>(4).fill(0));
    let before = uniform() >>> 30;
    for (let i = 0; i < 40_000; i += 1) {
      const now = uniform() >>> 30;
      table[before]![now]! += 1;
      before = now;
    }
    expect(chiSquareTest(table).p).toBeGreaterThan(0.001);
  });
});

describe("drawBinomial", () => {
  it.each([
    [5, 0.3],
    [40, 0.1],
    [40, 0.97],
    [30, 0.5],
    [200, 0.06],
    [250, 0.7],
    [5000, 0.004],
    [100_000, 0.25],
    [1_000_000, 0.9999],
  ])("has the binomial distribution: n = %i, p = %f", (n, p) => {
    const uniform = fastUniform(createRng(`${n} ${p}`));
    const draws = 40_000;
    const values = Float64Array.from({ length: draws }, () => drawBinomial(n, p, uniform)).sort();
    expect(values[0]).toBeGreaterThanOrEqual(0);
    expect(values.at(-1)).toBeLessThanOrEqual(n);
    // Kolmogorov–Smirnov at every tenth of a percent: √draws · D exceeds 1.95 with probability 0.001.
    let distance = 0;
    for (let i = 39; i < draws; i += 40) {
      const k = values[i]!;
      let below = i + 1;
      while (below < draws && values[below] === k) below += 1;
      distance = Math.max(distance, Math.abs(below / draws - binomialCdf(k, n, p)));
    }
    expect(Math.sqrt(draws) * distance).toBeLessThan(1.95);
    const mean = values.reduce((sum, k) => sum + k, 0) / draws;
    expect(Math.abs(mean - n * p)).toBeLessThan(4 * Math.sqrt((n * p * (1 - p)) / draws));
  });

  it("is certain where p or n is at its end, and refuses nonsense", () => {
    const uniform = fastUniform(createRng(1));
    expect([drawBinomial(7, 0, uniform), drawBinomial(7, 1, uniform), drawBinomial(0, 0.5, uniform)]).toEqual([
      0, 7, 0,
    ]);
    expect(() => drawBinomial(7, 1.1, uniform)).toThrow(RangeError);
    expect(() => drawBinomial(-1, 0.5, uniform)).toThrow(RangeError);
  });
});
