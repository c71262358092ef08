import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { expectClose, expectDefined } from "../estimate.suite.js";
import { meanEstimate, meanOf, UNIT_RANGE } from "./mean-estimate.js";

describe("meanOf", () => {
  it("has no interval beyond the range of what it is the mean of", () => {
    const open = meanOf([0.8469, 0.8842]);
    expect(expectDefined(open).upper).toBeGreaterThan(1);
    expect(meanOf([0.8469, 0.8842], "", UNIT_RANGE)).toEqual({ ...open, upper: 1 });
    expect(meanOf([0.05, 0.13], "", [0, Number.POSITIVE_INFINITY])).toMatchObject({ lower: 0 });
    expect(meanOf([], "none", UNIT_RANGE)).toMatchObject({ estimate: null, reason: "none" });
  });
});

describe("meanEstimate", () => {
  const sums = (values: readonly number[]) => {
    const mean = values.reduce((s, v) => s + v, 0) / values.length;
    return [values.length, mean, values.reduce((s, v) => s + (v - mean) ** 2, 0)] as const;
  };

  it("agrees with scipy's t interval", () => {
    expectClose(meanEstimate(...sums(reference.mean_estimate.values)), reference.mean_estimate);
  });

  it("moves with a shift of all values and keeps its width", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 40 }), (values) => {
        const before = expectDefined(meanEstimate(...sums(values)));
        const after = expectDefined(meanEstimate(...sums(values.map((v) => v + 10))));
        expect(after.estimate).toBeCloseTo(before.estimate + 10, 10);
        expect(after.upper - after.lower).toBeCloseTo(before.upper - before.lower, 6);
      }),
    );
  });

  it("is undefined for no value; one has a mean and no interval, as values that are all equal", () => {
    expect(meanEstimate(0, 0, 0)).toEqual({ estimate: null, reason: "no rows", n: 0 });
    expect(meanEstimate(1, 3, 0)).toMatchObject({
      estimate: 3,
      lower: 3,
      upper: 3,
      n: 1,
      warnings: [expect.any(String)],
    });
    expect(() => meanEstimate(1, Number.NaN, 0)).toThrow(RangeError);
    expect(meanEstimate(4, 2, 0)).toMatchObject({ estimate: 2, lower: 2, upper: 2, warnings: [expect.any(String)] });
    expect(() => meanEstimate(2, Number.NaN, 1)).toThrow(RangeError);
  });
});
