import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/recalibration.js";
import { isotonicRegression } from "./isotonic-regression.js";

describe("isotonicRegression", () => {
  it("agrees with scikit-learn, with weights", () => {
    const { values, weights, fitted } = reference.pooled;
    const got = isotonicRegression(values, weights);
    for (const [i, want] of fitted.entries()) expect(got[i]).toBeCloseTo(want, 12);
  });

  const values = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 30 });

  it("does not fall, keeps the total, and leaves rising values alone", () => {
    fc.assert(
      fc.property(values, (y) => {
        const fitted = isotonicRegression(y);
        for (let i = 1; i < y.length; i += 1) expect(fitted[i]!).toBeGreaterThanOrEqual(fitted[i - 1]!);
        const sum = (x: Iterable<number>) => [...x].reduce((a, b) => a + b, 0);
        expect(sum(fitted)).toBeCloseTo(sum(y), 8);
        const rising = [...y].sort((a, b) => a - b);
        expect([...isotonicRegression(rising)]).toEqual(rising);
      }),
    );
  });

  it("is no further from the values than any other non-decreasing sequence", () => {
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.integer({ min: -20, max: 20 })), (y, stream) => {
        const distance = (m: ArrayLike<number>) => y.reduce((sum, value, i) => sum + (value - m[i]!) ** 2, 0);
        const other = y.map(() => stream.next().value as number).sort((a, b) => a - b);
        expect(distance(isotonicRegression(y))).toBeLessThanOrEqual(distance(other) + 1e-9);
      }),
    );
  });

  it("takes a weight of 2 for two equal neighbours", () => {
    expect([...isotonicRegression([3, 1], [2, 1])]).toEqual([...isotonicRegression([3, 3, 1])].slice(1));
  });

  it("gives nothing for nothing and refuses what has no order", () => {
    expect(isotonicRegression([])).toHaveLength(0);
    expect(() => isotonicRegression([1, Number.NaN])).toThrow(RangeError);
    expect(() => isotonicRegression([1, 2], [1, 0])).toThrow("not positive");
    expect(() => isotonicRegression([1, 2], [1])).toThrow("different length");
  });
});
