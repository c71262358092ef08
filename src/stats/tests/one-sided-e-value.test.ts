import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { logOneSidedEValue } from "./mixture-e-value.js";

describe("logOneSidedEValue", () => {
  it.each(reference.e_values)("is the integral of its definition at $k of $n, limit $r", ({ k, n, r, log }) => {
    expect(logOneSidedEValue(k, n, r)).toBeCloseTo(log, 10);
  });

  it("is a supermartingale at every rate from the limit on: its mean after one more trial is not larger", () => {
    const rate = fc.double({ min: 0.01, max: 0.6, noNaN: true });
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), rate, fc.double({ min: 0, max: 1, noNaN: true }), (k, misses, r, above) => {
        const n = k + misses;
        const truth = r + above * (1 - r);
        const now = Math.exp(logOneSidedEValue(k, n, r));
        const next =
          truth * Math.exp(logOneSidedEValue(k + 1, n + 1, r)) + (1 - truth) * Math.exp(logOneSidedEValue(k, n + 1, r));
        expect(next).toBeLessThanOrEqual(now * (1 + 1e-9));
        // At the limit itself it is a martingale.
        const fair =
          r * Math.exp(logOneSidedEValue(k + 1, n + 1, r)) + (1 - r) * Math.exp(logOneSidedEValue(k, n + 1, r));
        expect(fair / now).toBeCloseTo(1, 8);
      }),
    );
  });

  it("has mean at most 1 over all outcomes of a fixed number of trials", () => {
    const n = 40;
    for (const truth of [0.1, 0.15, 0.3]) {
      let mean = 0;
      let log = n * Math.log(1 - truth);
      for (let k = 0; k <= n; k += 1) {
        mean += Math.exp(log + logOneSidedEValue(k, n, 0.1));
        log += Math.log((n - k) / (k + 1)) + Math.log(truth / (1 - truth));
      }
      if (truth === 0.1) expect(mean).toBeCloseTo(1, 10);
      else expect(mean).toBeLessThan(1);
    }
  });

  it("falls with every success and stays finite for a million trials", () => {
    expect(logOneSidedEValue(0, 0, 0.1)).toBe(0);
    for (let k = 1; k <= 60; k += 1) {
      expect(logOneSidedEValue(k, 60, 0.1)).toBeLessThan(logOneSidedEValue(k - 1, 60, 0.1));
    }
    expect(Number.isFinite(logOneSidedEValue(1_000_000, 1_000_000, 0.1))).toBe(true);
    expect(logOneSidedEValue(0, 1_000_000, 0.1)).toBeGreaterThan(100_000);
  });

  it("refuses limits of 0 and 1 and impossible counts", () => {
    for (const r of [0, 1, -0.1, Number.NaN]) expect(() => logOneSidedEValue(0, 10, r)).toThrow(RangeError);
    expect(() => logOneSidedEValue(11, 10, 0.1)).toThrow(RangeError);
    expect(() => logOneSidedEValue(0, -1, 0.1)).toThrow(RangeError);
  });
});
