import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stability.js";
import { relativeError } from "../../../test/references/stats.js";
import { sdEstimate } from "./mean-estimate.js";

describe("sdEstimate", () => {
  it.each(reference.jackknife_sd.map((row, i) => ({ ...row, i })))(
    "is numpy's, with every row left out once, on sample $i",
    (want) => {
      const got = sdEstimate(want.values);
      expect(relativeError(got.sd!, want.sd)).toBeLessThan(1e-12);
      expect(relativeError(got.interval!.lower, want.lower)).toBeLessThan(1e-9);
      expect(relativeError(got.interval!.upper, want.upper)).toBeLessThan(1e-9);
    },
  );

  it("encloses the sd, scales with the values, and does not care for their order or place", () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 30 });
    fc.assert(
      fc.property(values, (x) => {
        const got = sdEstimate(x);
        if (!got.interval || got.sd! < 1e-6) return;
        expect(got.interval.lower).toBeLessThanOrEqual(got.sd!);
        expect(got.interval.upper).toBeGreaterThanOrEqual(got.sd!);
        const moved = sdEstimate([...x].reverse().map((v) => 3 * v + 1));
        expect(moved.sd! / got.sd!).toBeCloseTo(3, 5);
      }),
    );
  });

  it("says why there is no spread or no interval", () => {
    expect(sdEstimate([])).toMatchObject({ sd: null, interval: null, reason: "no values" });
    expect(sdEstimate([0.4])).toMatchObject({ sd: null, reason: "one value has no spread" });
    expect(sdEstimate([0, 1])).toMatchObject({
      sd: Math.SQRT1_2,
      interval: null,
      reason: "two values give no interval",
    });
    expect(sdEstimate([0.1, 0.1, 0.1])).toMatchObject({ sd: 0, interval: null });
    expect(sdEstimate([0, 0, 0, 1]).interval).toBeNull();
    expect(() => sdEstimate([0, Number.NaN])).toThrow(RangeError);
  });
});
