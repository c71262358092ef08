import { describe, expect, it } from "vitest";
import { incompleteBeta } from "../distributions/incomplete-beta.js";
import { createRng } from "./create-rng.js";
import { drawBeta } from "./draw-normal.js";

describe("drawBeta", () => {
  it.each([
    [0.3, 0.7],
    [1, 1],
    [2, 5],
    [0.05, 3],
    [40, 1.5],
  ])("has the law Beta(%d, %d): its distribution function at the draws is uniform", (a, b) => {
    const rng = createRng(11);
    const n = 4000;
    const places = Array.from({ length: n }, () => incompleteBeta(drawBeta(a, b, rng), a, b)).sort((x, y) => x - y);
    const distance = Math.max(
      ...places.map((place, i) => Math.max(Math.abs(place - i / n), Math.abs(place - (i + 1) / n))),
    );
    // Kolmogorov's 99.9% point.
    expect(distance).toBeLessThan(1.95 / Math.sqrt(n));
  });

  it("is its limit where a shape is 0, and refuses what is no shape", () => {
    const rng = createRng(1);
    expect(drawBeta(0, 1, rng)).toBe(0);
    expect(drawBeta(1, 0, rng)).toBe(1);
    for (const [a, b] of [
      [0, 0],
      [-1, 1],
      [Number.NaN, 1],
      [1, Number.POSITIVE_INFINITY],
    ]) {
      expect(() => drawBeta(a!, b!, rng)).toThrow(/no such shapes/);
    }
  });
});
