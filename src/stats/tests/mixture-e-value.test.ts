import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stability.js";
import { confidenceSequence, logMixtureEValue } from "./mixture-e-value.js";

describe("logMixtureEValue", () => {
  it.each(reference.e_values)("is the integral of its definition at $k of $t, mean $p", ({ k, t, p, log }) => {
    expect(logMixtureEValue(k, t, p)).toBeCloseTo(log, 9);
  });

  it("does not grow on average at the true mean, for draws of 0 and 1 and for fractions", () => {
    const inside = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.nat(100),
        inside,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (k, rest, p, spread) => {
          const t = k + rest;
          const now = logMixtureEValue(k, t, p);
          const grown = (x: number) => Math.exp(logMixtureEValue(k + x, t + 1, p) - now);
          // Draws of 0 and 1: a martingale.
          expect(p * grown(1) + (1 - p) * grown(0)).toBeCloseTo(1, 8);
          // Two points with mean p: never above.
          const [low, high] = [p - spread * p, p + spread * (1 - p)];
          const share = high === low ? 0 : (p - low) / (high - low);
          expect(share * grown(high) + (1 - share) * grown(low)).toBeLessThanOrEqual(1 + 1e-9);
        },
      ),
    );
  });

  it("refuses what is no sum and no mean", () => {
    expect(() => logMixtureEValue(2, 1, 0.5)).toThrow(RangeError);
    expect(() => logMixtureEValue(0, 1, 0)).toThrow(RangeError);
    expect(() => logMixtureEValue(0, 1, 1)).toThrow(RangeError);
  });
});

describe("confidenceSequence", () => {
  it("ends where the e-value reaches 1/α, and encloses the share", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.constantFrom(0.05, 0.01), (k, rest, alpha) => {
        const t = k + rest;
        fc.pre(t > 0);
        const { lower, upper } = confidenceSequence(k, t, alpha);
        expect(lower).toBeLessThanOrEqual(k / t);
        expect(upper).toBeGreaterThanOrEqual(k / t);
        if (k > 0 && lower > 1e-9) expect(logMixtureEValue(k, t, lower)).toBeCloseTo(Math.log(1 / alpha), 5);
        if (k < t && upper < 1 - 1e-9) expect(logMixtureEValue(k, t, upper)).toBeCloseTo(Math.log(1 / alpha), 5);
      }),
    );
  });

  it("is the whole range before anything was seen, and mirrors", () => {
    expect(confidenceSequence(0, 0, 0.05)).toEqual({ lower: 0, upper: 1 });
    const [a, b] = [confidenceSequence(3, 40, 0.05), confidenceSequence(37, 40, 0.05)];
    expect(a.lower).toBeCloseTo(1 - b.upper, 10);
    expect(() => confidenceSequence(0, 1, 0)).toThrow(RangeError);
  });
});
