import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { relativeError } from "../../../test/references/stats.js";
import { binomialCdf } from "../distributions/incomplete-beta.js";
import { clopperPearsonBound } from "./proportion.js";

describe("clopperPearsonBound", () => {
  it.each(reference.bounds)("is scipy's beta quantile at $k of $n, $delta", ({ k, n, delta, upper, lower }) => {
    expect(relativeError(clopperPearsonBound(k, n, delta), upper)).toBeLessThan(1e-9);
    expect(relativeError(clopperPearsonBound(k, n, delta, "lower"), lower)).toBeLessThan(1e-9);
  });

  it("is the rate at which k or fewer have probability δ", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 300 }), (k, more) => {
        const n = k + more;
        expect(binomialCdf(k, n, clopperPearsonBound(k, n, 0.05))).toBeCloseTo(0.05, 10);
        const mirrored = 1 - clopperPearsonBound(n - k, n, 0.05, "lower");
        expect(clopperPearsonBound(k, n, 0.05)).toBeCloseTo(mirrored, 12);
      }),
    );
  });

  it("shows that 25 decisions never certify a rate below 10%", () => {
    expect(clopperPearsonBound(0, 25, 0.05)).toBeCloseTo(0.1129, 4);
    expect(clopperPearsonBound(0, 29, 0.05)).toBeLessThan(0.1);
  });

  it("answers the ends and refuses what is no error rate", () => {
    expect(clopperPearsonBound(5, 5, 0.05)).toBe(1);
    expect(clopperPearsonBound(0, 5, 0.05, "lower")).toBe(0);
    for (const delta of [0, 1, Number.NaN]) expect(() => clopperPearsonBound(0, 5, delta)).toThrow(RangeError);
    expect(() => clopperPearsonBound(0, 0, 0.05)).toThrow(RangeError);
  });
});
