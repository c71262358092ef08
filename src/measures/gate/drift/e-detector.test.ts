import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/drift.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { driftAlternatives, eDetector, productLogE } from "./e-detector.js";

const stream = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 100 });

describe("eDetector", () => {
  it.each(reference.e_detector)("agrees with 50 digits at p0 = $p0, p1 = $p1", ({ p0, p1, x, log_statistic }) => {
    for (let t = 1; t <= x.length; t += 1) {
      const { log_statistic: got } = eDetector(x.slice(0, t), { p0, p1, alpha: 1e-300 });
      expect(got).toBeCloseTo(log_statistic[t - 1]!, 11);
    }
  });

  it("alarms at the first statistic of at least 1/α", () => {
    const { p0, p1, x, log_statistic } = reference.e_detector[0]!;
    const at = log_statistic.findIndex((value) => value >= Math.log(50));
    expect(at).toBeGreaterThan(0);
    expect(eDetector(x, { p0, p1, alpha: 0.02 }).alarm).toBe(at);
  });

  it("does not overflow: a million ones end at the cap", () => {
    const { alarm, log_statistic } = eDetector(new Uint8Array(1_000_000).fill(1), {
      p0: 0.001,
      alpha: Number.MIN_VALUE,
    });
    expect(alarm).toBeNull();
    expect(log_statistic).toBeCloseTo(Math.log(1e300), 9);
  });

  it("alarms no later when observations are worse, α larger, or the limit stricter", () => {
    fc.assert(
      fc.property(stream, (x) => {
        const at = (values: readonly number[], p0: number, alpha: number) =>
          eDetector(values, { p0, alpha, p1: [0.5] }).alarm ?? Infinity;
        const base = at(x, 0.2, 0.05);
        expect(
          at(
            x.map((value) => Math.sqrt(value)),
            0.2,
            0.05,
          ),
        ).toBeLessThanOrEqual(base);
        expect(at(x, 0.2, 0.1)).toBeLessThanOrEqual(base);
        expect(at(x, 0.1, 0.05)).toBeLessThanOrEqual(base);
      }),
    );
  });

  it.each([
    ["0/1 at the limit", (u: number) => (u < 0.1 ? 1 : 0)],
    ["soft with its mean at the limit", (u: number) => 0.2 * u],
  ])("runs at least 1/α on average: %s", (_, draw) => {
    const rng = createRng("e-detector run length");
    const runs = 300;
    let total = 0;
    for (let run = 0; run < runs; run += 1) {
      const x = Float64Array.from({ length: 4000 }, () => draw(rng.next()));
      // A run without alarm counts as its length: the true mean is larger still.
      total += (eDetector(x, { p0: 0.1, alpha: 0.01 }).alarm ?? 3999) + 1;
    }
    expect(total / runs).toBeGreaterThanOrEqual(100);
  });

  it("is soon about a rate that has doubled", () => {
    const rng = createRng("e-detector delay");
    let total = 0;
    for (let run = 0; run < 200; run += 1) {
      const x = Float64Array.from({ length: 4000 }, () => (rng.next() < 0.2 ? 1 : 0));
      total += (eDetector(x, { p0: 0.1, alpha: 0.001 }).alarm ?? 3999) + 1;
    }
    // ln 1000 over the divergence of the two coins, 0.0444 nats, is 156.
    expect(total / 200).toBeLessThan(200);
    expect(total / 200).toBeGreaterThan(80);
  });

  it("is silent on an empty stream and refuses what cannot be watched", () => {
    expect(eDetector([], { p0: 0.1, alpha: 0.01 })).toMatchObject({ alarm: null, log_statistic: null });
    expect(() => eDetector([2], { p0: 0.1, alpha: 0.01 })).toThrow(RangeError);
    expect(() => eDetector([0], { p0: 0, alpha: 0.01 })).toThrow(RangeError);
    expect(() => eDetector([0], { p0: 0.1, alpha: 0 })).toThrow(RangeError);
    expect(() => eDetector([0], { p0: 0.1, alpha: 0.01, p1: [0.1] })).toThrow(RangeError);
    expect(() => eDetector([0], { p0: 0.1, alpha: 0.01, p1: [] })).toThrow(RangeError);
  });
});

describe("driftAlternatives", () => {
  it("multiplies odds and stays below 1", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.99, noNaN: true }), (p0) => {
        const rates = driftAlternatives(p0);
        expect(rates.map((p) => p / (1 - p) / (p0 / (1 - p0)))).toEqual(
          [1.5, 2, 3, 5, 10].map((r) => expect.closeTo(r, 9)),
        );
      }),
    );
    expect(() => driftAlternatives(0.1, [])).toThrow(RangeError);
    expect(() => driftAlternatives(0.1, [1])).toThrow(RangeError);
    expect(() => driftAlternatives(1)).toThrow(RangeError);
  });
});

describe("productLogE", () => {
  it.each(reference.product)("agrees with 50 digits for $k of $n", ({ k, n, p0, p1, log_e }) => {
    expect(Math.abs(productLogE(k, n, p0, p1) - log_e)).toBeLessThan(1e-9 * Math.max(1, Math.abs(log_e)));
  });

  it("has mean 1 at the limit and less below it, summed exactly over all counts", () => {
    const mean = (p: number, n: number) => {
      let sum = 0;
      let mass = (1 - p) ** n;
      for (let k = 0; k <= n; k += 1) {
        sum += mass * Math.exp(productLogE(k, n, 0.1));
        mass *= ((n - k) / (k + 1)) * (p / (1 - p));
      }
      return sum;
    };
    expect(mean(0.1, 30)).toBeCloseTo(1, 12);
    expect(mean(0.07, 30)).toBeLessThan(1);
    expect(mean(0.13, 30)).toBeGreaterThan(1);
  });

  it("rises with k and refuses counts that are none", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(9_999), (n, k) => {
        fc.pre(k < n);
        expect(productLogE(k + 1, n, 0.1)).toBeGreaterThan(productLogE(k, n, 0.1));
      }),
    );
    expect(() => productLogE(2, 1, 0.1)).toThrow(RangeError);
    expect(() => productLogE(0, 1, 1)).toThrow(RangeError);
    expect(() => productLogE(0, 1, 0.1, [0.05])).toThrow(RangeError);
  });
});
