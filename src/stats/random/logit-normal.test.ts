import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/simulated-auditor.js";
import { logitNormalLocation, logitNormalMean } from "../distributions/normal.js";
import { createRng } from "./create-rng.js";
import { drawNormal } from "./draw-normal.js";

describe("the logit-normal law", () => {
  it.each(reference.means)(
    "has mean of location %d and sd %d as adaptive quadrature gives it",
    (location, sd, mean) => {
      expect(logitNormalMean(location!, sd!)).toBeCloseTo(mean!, 8);
    },
  );

  it.each(reference.locations)(
    "has the location of mean %d with sd %d as a root finder gives it",
    (mean, sd, location) => {
      expect(logitNormalLocation(mean!, sd!)).toBeCloseTo(location!, 6);
    },
  );

  const sd = fc.double({ min: 0, max: 5, noNaN: true });

  it("is symmetric: mean(−m) = 1 − mean(m)", () => {
    fc.assert(
      fc.property(fc.double({ min: -20, max: 20, noNaN: true }), sd, (location, spread) => {
        expect(logitNormalMean(location, spread) + logitNormalMean(-location, spread)).toBeCloseTo(1, 9);
      }),
    );
  });

  it("has the location that gives its mean", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-4, max: 1 - 1e-4, noNaN: true }), sd, (mean, spread) => {
        expect(logitNormalMean(logitNormalLocation(mean, spread), spread)).toBeCloseTo(mean, 9);
      }),
    );
  });

  it("refuses what is no mean and no spread", () => {
    for (const mean of [0, 1, -1, Number.NaN]) expect(() => logitNormalLocation(mean, 1)).toThrow(RangeError);
    expect(() => logitNormalMean(0, -1)).toThrow(RangeError);
    expect(() => logitNormalMean(Number.POSITIVE_INFINITY, 1)).toThrow(RangeError);
  });
});

describe("normal draws", () => {
  it("have mean 0, variance 1, no skew and normal tails", () => {
    const rng = createRng("normal");
    const n = 40_000;
    const sums = [0, 0, 0, 0];
    let beyond = 0;
    for (let i = 0; i < n; i++) {
      const z = drawNormal(rng);
      for (const power of [1, 2, 3]) sums[power]! += z ** power / n;
      if (Math.abs(z) > 1.959964) beyond++;
    }
    // Four standard errors each: 1/√n, √(2/n), √(15/n), √(.05 · .95/n).
    expect(Math.abs(sums[1]!)).toBeLessThan(0.02);
    expect(Math.abs(sums[2]! - 1)).toBeLessThan(0.0283);
    expect(Math.abs(sums[3]!)).toBeLessThan(0.0775);
    expect(Math.abs(beyond / n - 0.05)).toBeLessThan(0.00436);
  });
});
