import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialCdf } from "./incomplete-beta.js";

/** Σ of the probabilities, by the recurrence of neighbours: exact enough for small n and unlike the beta function. */
function bySum(k: number, n: number, p: number): number {
  let term = (1 - p) ** n;
  let sum = term;
  for (let i = 0; i < k; i++) {
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
    sum += term;
  }
  return sum;
}

const kOfN = fc
  .integer({ min: 1, max: 200 })
  .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 0, max: n }) }));

describe("binomialCdf", () => {
  it("is the sum of the probabilities", () => {
    fc.assert(
      // Up to 0.95, where the first term of the sum, (1 − p)^n, is still a number above 0.
      fc.property(kOfN, fc.double({ min: 0.01, max: 0.95, noNaN: true }), ({ k, n }, p) => {
        expect(binomialCdf(k, n, p)).toBeCloseTo(bySum(k, n, p), 10);
      }),
    );
  });

  // P(at most 2 of 25) at these rates: the paper's gate at its minimum of 25 decisions.
  it.each([
    [0.02, 0.9868],
    [0.05, 0.8729],
    [0.1, 0.5371],
    [0.15, 0.2537],
    [0.2, 0.0982],
  ])("at a rate of %f lets a community pass with probability %f", (p, want) => {
    expect(binomialCdf(2, 25, p)).toBeCloseTo(want, 4);
  });

  it("keeps its digits where the tail is tiny", () => {
    expect(binomialCdf(0, 1000, 0.5) / 2 ** -1000).toBeCloseTo(1, 9);
    expect(binomialCdf(0, 10, 1e-12)).toBeCloseTo(1 - 1e-11, 14);
  });

  it("is 1 when every trial may succeed, and at the ends of p", () => {
    expect(binomialCdf(5, 5, 0.9)).toBe(1);
    expect(binomialCdf(0, 5, 0)).toBe(1);
    expect(binomialCdf(4, 5, 1)).toBe(0);
  });

  it("refuses what is no count and no probability", () => {
    expect(() => binomialCdf(6, 5, 0.5)).toThrow(RangeError);
    expect(() => binomialCdf(1, 5, 1.5)).toThrow(RangeError);
    expect(() => binomialCdf(1, 5, Number.NaN)).toThrow(RangeError);
  });
});
