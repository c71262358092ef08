import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/signal-experiment.js";
import { f1AtPrevalence } from "../ranks/detection.js";

describe("f1AtPrevalence", () => {
  it("is F1 of rows in these proportions", () => {
    for (const { true_positive_rate, false_positive_rate, prevalence, f1 } of reference.f1) {
      expect(f1AtPrevalence(true_positive_rate, false_positive_rate, prevalence)).toBeCloseTo(f1, 12);
    }
  });

  it("rises with positives and with hits, falls with false alarms, and stays between 0 and 1", () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.double({ min: 0.01, max: 0.99, noNaN: true }), rate, (t, f, p, other) => {
        const of = (a: number, b: number, c: number) => f1AtPrevalence(a, b, c)!;
        const [low, high] = [Math.min(t, other), Math.max(t, other)];
        expect(of(low, f, p)).toBeLessThanOrEqual(of(high, f, p) + 1e-12);
        expect(of(t, Math.max(f, other), p)).toBeLessThanOrEqual(of(t, Math.min(f, other), p) + 1e-12);
        expect(of(t, f, p / 2)).toBeLessThanOrEqual(of(t, f, p) + 1e-12);
        expect(of(t, f, p)).toBeGreaterThanOrEqual(0);
        expect(of(t, f, p)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is undefined where nothing is positive or claimed to be", () => {
    expect(f1AtPrevalence(0.9, 0, 0)).toBeNull();
    expect(f1AtPrevalence(0, 0, 0.5)).toBe(0);
    expect(() => f1AtPrevalence(0.9, 0.1, 1.5)).toThrow("got 1.5");
  });
});
