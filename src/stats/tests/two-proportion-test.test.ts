import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { relativeError } from "../../../test/references/stats.js";
import { twoProportionTest } from "./two-proportion-test.js";

describe("twoProportionTest", () => {
  it.each(reference.two_proportions)("is scipy's or statsmodels' at $k1/$n1, $k2/$n2", (want) => {
    const got = twoProportionTest(want.k1, want.n1, want.k2, want.n2);
    expect(got.method).toBe(want.method);
    expect(relativeError(got.p!, want.p)).toBeLessThan(1e-9);
  });

  it("is the same when groups, or success and failure, change places", () => {
    const count = fc.integer({ min: 1, max: 80 });
    fc.assert(
      fc.property(count, count, fc.nat(80), fc.nat(80), (n1, n2, a, b) => {
        const [k1, k2] = [Math.min(a, n1), Math.min(b, n2)];
        const { p, method } = twoProportionTest(k1, n1, k2, n2);
        const swapped = twoProportionTest(k2, n2, k1, n1);
        const mirrored = twoProportionTest(n1 - k1, n1, n2 - k2, n2);
        expect([swapped.method, mirrored.method]).toEqual([method, method]);
        expect(swapped.p).toBeCloseTo(p!, 10);
        expect(mirrored.p).toBeCloseTo(p!, 10);
        expect(p).toBeLessThanOrEqual(1);
        expect(p).toBeGreaterThan(0);
      }),
    );
  });

  it("is undefined with an empty group, 1 when all are alike, and refuses what is no count", () => {
    expect(twoProportionTest(0, 0, 3, 9)).toEqual({ p: null, method: null, reason: "no rows on one side" });
    expect(twoProportionTest(0, 10, 0, 20).p).toBe(1);
    expect(twoProportionTest(10, 10, 20, 20).p).toBe(1);
    expect(() => twoProportionTest(3, 2, 0, 5)).toThrow(RangeError);
    expect(() => twoProportionTest(1.5, 2, 0, 5)).toThrow(RangeError);
  });
});
