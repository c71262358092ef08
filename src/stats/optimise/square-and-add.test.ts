import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../intervals/proportion.js";
import { newcombeInterval } from "../intervals/two-proportions.js";
import { f1Estimate } from "../ranks/detection.js";
import { squareAndAdd } from "./cosine-transform.js";

const bounded = fc
  .tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map((three) => three.sort((a, b) => a - b))
  .map(([lower, estimate, upper]) => ({ lower: lower!, estimate: estimate!, upper: upper! }));

describe("squareAndAdd", () => {
  it("is Newcombe's interval where both are Wilson's, as printed for rates of 0 and 1", () => {
    const rate = (k: number, n: number) => ({ estimate: k / n, ...wilsonInterval(k, n) });
    // Newcombe (1998), table II, method 10.
    expect(squareAndAdd(rate(10, 10), rate(0, 10)).lower).toBeCloseTo(0.6075, 4);
    expect(squareAndAdd(rate(0, 10), rate(0, 20))).toEqual(newcombeInterval(0, 10, 0, 20));
    expect(squareAndAdd(rate(0, 10), rate(0, 20)).lower).toBeCloseTo(-0.1611, 4);
  });

  it("knows how many there were although all are alike: more verdicts, less doubt", () => {
    const widths = [2, 10, 100, 1000].map((n) => {
      const all = { estimate: 1, ...wilsonInterval(n, n) };
      const { lower, upper } = squareAndAdd(all, f1Estimate(n, 0, 0) as typeof all);
      return upper - lower;
    });
    expect(widths.every((width, i) => width > 0 && width < (widths[i - 1] ?? 3))).toBe(true);
  });

  it("encloses the difference, stays within its bounds and is mirrored", () => {
    fc.assert(
      fc.property(bounded, bounded, (a, b) => {
        const { lower, upper } = squareAndAdd(a, b);
        const difference = a.estimate - b.estimate;
        expect(lower).toBeLessThanOrEqual(difference);
        expect(upper).toBeGreaterThanOrEqual(difference);
        expect([lower >= -1, upper <= 1]).toEqual([true, true]);
        const mirrored = squareAndAdd(b, a);
        expect([mirrored.lower, mirrored.upper]).toEqual(
          [-upper + 0, -lower + 0].map((end) => expect.closeTo(end, 12)),
        );
      }),
    );
  });

  it("refuses a number that is outside its interval", () => {
    const fine = { estimate: 0.5, lower: 0.4, upper: 0.6 };
    expect(() => squareAndAdd(fine, { ...fine, estimate: 0.7 })).toThrow(RangeError);
    expect(() => squareAndAdd({ ...fine, estimate: Number.NaN }, fine)).toThrow(RangeError);
  });
});
