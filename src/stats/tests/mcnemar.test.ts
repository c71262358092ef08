import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { mcnemar } from "./two-proportion-test.js";

describe("mcnemar", () => {
  it.each(reference.mcnemar)("agrees with statsmodels and with all outcomes enumerated at $b, $c", (want) => {
    const got = mcnemar(want.b, want.c);
    expect(got.n).toBe(want.b + want.c);
    expect(relativeError(got.exact_p!, want.exact_p)).toBeLessThan(1e-11);
    expect(relativeError(got.mid_p!, want.mid_p)).toBeLessThan(1e-11);
  });

  it("is symmetric, and its mid-p never exceeds the exact p-value", () => {
    const count = fc.integer({ min: 0, max: 3000 });
    fc.assert(
      fc.property(count, count, (b, c) => {
        fc.pre(b + c > 0);
        const got = mcnemar(b, c);
        expect(mcnemar(c, b)).toEqual(got);
        // Both are positive; far out they fall below the smallest double.
        expect(got.mid_p).toBeGreaterThanOrEqual(0);
        expect(got.mid_p).toBeLessThanOrEqual(got.exact_p!);
        expect(got.exact_p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is undefined without discordant pairs and refuses what is no count", () => {
    expect(mcnemar(0, 0)).toEqual({ exact_p: null, mid_p: null, n: 0, reason: "no discordant pairs" });
    expect(() => mcnemar(-1, 2)).toThrow(RangeError);
    expect(() => mcnemar(1.5, 2)).toThrow(RangeError);
  });
});
