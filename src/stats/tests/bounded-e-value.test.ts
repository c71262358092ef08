import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/threads.js";
import { boundedUpperBound, groupUnits, logBoundedEValue } from "./bounded-e-value.js";
import { logOneSidedEValue } from "./mixture-e-value.js";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inside = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
const unit = fc.record({ weight: share, value: share, count: fc.integer({ min: 1, max: 30 }) });

describe("logBoundedEValue", () => {
  it.each(reference.e_values)("is its definition at limit $r, case %#", ({ units, r, log }) => {
    expect(Math.abs(logBoundedEValue(units, r) - log)).toBeLessThan(1e-9);
  });

  it("equals the Jeffreys mixture for whole units of 0 and 1", () => {
    for (const [k, n] of [
      [0, 1],
      [0, 60],
      [1, 120],
      [5, 400],
      [30, 1000],
      [300, 10_000],
    ] as const) {
      for (const r of [0.05, 0.1, 0.15]) {
        const own = logBoundedEValue(
          [
            { weight: 1, value: 0, count: n - k },
            { weight: 1, value: 1, count: k },
          ],
          r,
        );
        expect(Math.abs(own - logOneSidedEValue(k, n, r))).toBeLessThan(1e-5);
      }
    }
  });

  it("does not grow on average when the weighted mean is at the limit or above", () => {
    const rate = fc.double({ min: 0.01, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), rate, share, share, share, (units, r, low, high, weight) => {
        const [a, b] = [r * low, r + (1 - r) * high];
        const chance = b === a ? 1 : (r - a) / (b - a);
        const now = logBoundedEValue(units, r);
        const grown = (value: number) => Math.exp(logBoundedEValue([...units, { weight, value }], r) - now);
        expect(chance * grown(b) + (1 - chance) * grown(a)).toBeCloseTo(1, 8);
        expect(grown(b)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });

  it("rises with the limit, whatever the units are", () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), inside, inside, (units, first, second) => {
        const [low, high] = [Math.min(first, second), Math.max(first, second)];
        expect(logBoundedEValue(units, low)).toBeLessThanOrEqual(logBoundedEValue(units, high) + 1e-9);
      }),
    );
  });

  it("has the stated ends", () => {
    expect(logBoundedEValue([], 0.1)).toBe(0);
    expect(logBoundedEValue([], 1)).toBe(Infinity);
    expect(logBoundedEValue([{ weight: 1, value: 0.5 }], 1)).toBe(Infinity);
    expect(logBoundedEValue([{ weight: 1, value: 0 }], 0)).toBe(0);
    expect(logBoundedEValue([{ weight: 0, value: 1, count: 1000 }], 0.1)).toBeCloseTo(0, 12);
  });

  it("costs by different units, not by units", () => {
    const many = Array.from({ length: 100_000 }, (_, i) => ({
      weight: ((i % 5) + 1) / 5,
      value: i % 40 === 0 ? 1 : 0,
    }));
    expect(groupUnits(many).length).toBeLessThanOrEqual(10);
    const start = performance.now();
    expect(boundedUpperBound(many, 0.05)).toBeLessThan(0.05);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("refuses units and limits that are none", () => {
    for (const wrong of [
      { weight: 1.1, value: 0 },
      { weight: -0.1, value: 0 },
      { weight: 1, value: 2 },
      { weight: 1, value: Number.NaN },
      { weight: 1, value: 0, count: -1 },
    ]) {
      expect(() => logBoundedEValue([wrong], 0.1)).toThrow(RangeError);
    }
    expect(() => logBoundedEValue([], Number.NaN)).toThrow(RangeError);
  });
});

describe("boundedUpperBound", () => {
  it.each(reference.bounds)("is the reference's at $delta, case %#", ({ units, delta, upper }) => {
    expect(Math.abs(boundedUpperBound(units, delta) - upper)).toBeLessThan(1e-9);
  });

  it("is 1 without units, and 1.9% after 200 good ones", () => {
    expect(boundedUpperBound([], 0.05)).toBe(1);
    expect(boundedUpperBound([{ weight: 1, value: 1, count: 9 }], 0.05)).toBe(1);
    expect(boundedUpperBound([{ weight: 1, value: 0, count: 200 }], 0.05)).toBeCloseTo(0.019, 3);
    expect(() => boundedUpperBound([], 0)).toThrow(RangeError);
  });
});
