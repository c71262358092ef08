import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { clopperPearsonInterval, jeffreysInterval, wilsonInterval } from "./proportion.js";
import { newcombeInterval } from "./two-proportions.js";

const kOfN = fc
  .integer({ min: 1, max: 5000 })
  .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 0, max: n }) }));
const level = fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.99, 0.9999);
const intervals = { wilsonInterval, clopperPearsonInterval, jeffreysInterval };

describe("against statsmodels", () => {
  it.each(reference.binomial_intervals)("$k of $n at $level", ({ k, n, level, wilson, clopper_pearson, jeffreys }) => {
    const got = { wilson: wilsonInterval(k, n, level), clopper: clopperPearsonInterval(k, n, level) };
    expect(got.wilson.lower).toBeCloseTo(wilson.lower, 14);
    expect(got.wilson.upper).toBeCloseTo(wilson.upper, 14);
    expect(relativeError(got.clopper.lower, clopper_pearson.lower)).toBeLessThan(1e-11);
    expect(relativeError(got.clopper.upper, clopper_pearson.upper)).toBeLessThan(1e-11);
    const { lower, upper } = jeffreysInterval(k, n, level);
    // statsmodels leaves out the rule for k = 0 and k = n.
    expect(relativeError(lower, k === 0 ? 0 : jeffreys.lower)).toBeLessThan(1e-11);
    expect(relativeError(upper, k === n ? 1 : jeffreys.upper)).toBeLessThan(1e-11);
  });

  it.each(reference.newcombe)("difference $k1/$n1 − $k2/$n2", ({ k1, n1, k2, n2, lower, upper }) => {
    expect(newcombeInterval(k1, n1, k2, n2).lower).toBeCloseTo(lower, 12);
    expect(newcombeInterval(k1, n1, k2, n2).upper).toBeCloseTo(upper, 12);
  });
});

describe("against mpmath", () => {
  it.each(reference.real_clopper_pearson)("Clopper–Pearson takes real $k of $n", ({ k, n, level, lower, upper }) => {
    const got = clopperPearsonInterval(k, n, level);
    expect(relativeError(got.lower, lower)).toBeLessThan(1e-12);
    expect(relativeError(got.upper, upper)).toBeLessThan(1e-12);
  });
});

describe.each(Object.entries(intervals))("%s", (_, interval) => {
  it("lies in [0, 1] and encloses k/n", () => {
    fc.assert(
      fc.property(kOfN, level, ({ k, n }, level) => {
        const { lower, upper } = interval(k, n, level);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(lower).toBeLessThanOrEqual(k / n);
        expect(upper).toBeGreaterThanOrEqual(k / n);
        expect(upper).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("rises with k", () => {
    fc.assert(
      fc.property(kOfN, level, ({ k, n }, level) => {
        fc.pre(k < n);
        const before = interval(k, n, level);
        const after = interval(k + 1, n, level);
        expect(after.lower).toBeGreaterThan(before.lower);
        expect(after.upper).toBeGreaterThan(before.upper);
      }),
    );
  });

  it("narrows with more rows and widens with the level", () => {
    fc.assert(
      fc.property(kOfN, ({ k, n }) => {
        const width = (i: { lower: number; upper: number }) => i.upper - i.lower;
        expect(width(interval(4 * k, 4 * n))).toBeLessThan(width(interval(k, n)));
        expect(width(interval(k, n, 0.99))).toBeGreaterThan(width(interval(k, n, 0.9)));
      }),
    );
  });

  it("is mirrored when successes and failures change places", () => {
    fc.assert(
      fc.property(kOfN, ({ k, n }) => {
        expect(interval(n - k, n).lower).toBeCloseTo(1 - interval(k, n).upper, 13);
      }),
    );
  });

  it("has exact ends at no and at full success", () => {
    expect(interval(0, 7).lower).toBe(0);
    expect(interval(7, 7).upper).toBe(1);
  });

  it.each([
    [1, 0, 0.95],
    [-1, 5, 0.95],
    [6, 5, 0.95],
    [Number.NaN, 5, 0.95],
    [1, Infinity, 0.95],
    [1, 5, 0],
    [1, 5, 1],
    [1, 5, 95],
  ])("refuses %d of %d at level %d", (k, n, level) => {
    expect(() => interval(k, n, level)).toThrow(RangeError);
  });
});

describe("Clopper–Pearson", () => {
  it("gives the upper bound that keeps 25 clean rows from certifying 10%", () => {
    // One-sided 95% is level 0.9: 1 − 0.05^(1/25) = 0.1129.
    expect(clopperPearsonInterval(0, 25, 0.9).upper).toBeCloseTo(1 - 0.05 ** (1 / 25), 12);
    expect(clopperPearsonInterval(0, 28, 0.9).upper).toBeGreaterThan(0.1);
    expect(clopperPearsonInterval(0, 29, 0.9).upper).toBeLessThan(0.1);
  });

  it("is wider than Wilson's for every k at n = 40", () => {
    for (let k = 0; k <= 40; k += 1) {
      const exact = clopperPearsonInterval(k, 40);
      const score = wilsonInterval(k, 40);
      expect(exact.upper - exact.lower).toBeGreaterThan(score.upper - score.lower);
    }
  });

  it("covers at least its level, exactly summed, for n = 20", () => {
    for (let p = 0.01; p < 1; p += 0.01) {
      let covered = 0;
      let mass = (1 - p) ** 20;
      for (let k = 0; k <= 20; k += 1) {
        const { lower, upper } = clopperPearsonInterval(k, 20, 0.9);
        if (lower <= p && p <= upper) covered += mass;
        mass *= ((20 - k) / (k + 1)) * (p / (1 - p));
      }
      expect(covered).toBeGreaterThanOrEqual(0.9);
    }
  });
});

describe("newcombeInterval", () => {
  it("encloses the difference, stays in [−1, 1] and mirrors when samples of unequal size change places", () => {
    fc.assert(
      fc.property(kOfN, kOfN, level, (a, b, level) => {
        const { lower, upper } = newcombeInterval(a.k, a.n, b.k, b.n, level);
        const difference = a.k / a.n - b.k / b.n;
        expect(lower).toBeGreaterThanOrEqual(-1);
        expect(lower).toBeLessThanOrEqual(difference);
        expect(upper).toBeGreaterThanOrEqual(difference);
        expect(upper).toBeLessThanOrEqual(1);
        const mirrored = newcombeInterval(b.k, b.n, a.k, a.n, level);
        expect(mirrored.lower).toBeCloseTo(-upper, 13);
        expect(mirrored.upper).toBeCloseTo(-lower, 13);
      }),
    );
  });

  it("refuses an empty sample", () => {
    expect(() => newcombeInterval(1, 2, 0, 0)).toThrow(RangeError);
  });
});
