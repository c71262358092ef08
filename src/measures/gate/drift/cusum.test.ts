import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/drift.js";
import { relativeError } from "../../../../test/references/stats.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { bernoulliCusum, cusumAverageRunLength, cusumSteps, cusumThreshold } from "./cusum.js";

const rate = fc.double({ min: 0.005, max: 0.9, noNaN: true });
/** Simulated mean run length of a chart at rate p. */
function simulatedRunLength(chart: ReturnType<typeof cusumThreshold>, p: number, runs: number): number {
  const rng = createRng("cusum run length");
  let total = 0;
  for (let run = 0; run < runs; run += 1) {
    let c = 0;
    while (c < chart.threshold) {
      c = Math.max(0, c + (rng.next() < p ? chart.up : -chart.down));
      total += 1;
    }
  }
  return total / runs;
}

describe("cusumAverageRunLength", () => {
  it.each(reference.run_lengths)("agrees with numpy: +$up −$down to $h at $p", ({ up, down, h, p, arl }) => {
    expect(relativeError(cusumAverageRunLength({ up, down }, h, p), arl)).toBeLessThan(1e-10);
  });

  it.each(reference.long_run_lengths)("agrees with 50 digits: +$up −$down to $h at $p", ({ up, down, h, p, arl }) => {
    expect(relativeError(cusumAverageRunLength({ up, down }, h, p), arl)).toBeLessThan(1e-12);
  });

  it("is h(h + 1) for a fair walk by single steps", () => {
    for (let h = 1; h < 30; h += 1)
      expect(cusumAverageRunLength({ up: 1, down: 1 }, h, 0.5)).toBeCloseTo(h * (h + 1), 9);
  });

  it("rises with the threshold and falls with the rate", () => {
    const steps = fc.record({ up: fc.integer({ min: 1, max: 20 }), down: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 60 }), rate, (step, h, p) => {
        const arl = cusumAverageRunLength(step, h, p);
        expect(cusumAverageRunLength(step, h + 1, p)).toBeGreaterThanOrEqual(arl * (1 - 1e-12));
        expect(cusumAverageRunLength(step, h, p + 0.05)).toBeLessThanOrEqual(arl);
        expect(arl).toBeGreaterThanOrEqual(1 / p - 1e-9);
      }),
    );
  });

  it("refuses what is no chart", () => {
    expect(() => cusumAverageRunLength({ up: 0, down: 1 }, 5, 0.1)).toThrow(RangeError);
    expect(() => cusumAverageRunLength({ up: 1, down: 1.5 }, 5, 0.1)).toThrow(RangeError);
    expect(() => cusumAverageRunLength({ up: 1, down: 1 }, 0, 0.1)).toThrow(RangeError);
    expect(() => cusumAverageRunLength({ up: 1, down: 1 }, 5, 1)).toThrow(RangeError);
  });
});

describe("cusumSteps", () => {
  it.each(reference.lattice)("puts p1 where the steps are +$up −$down from $p0", ({ p0, up, down, p1 }) => {
    const steps = cusumSteps(p0, p1);
    expect(steps).toMatchObject({ up, down });
    expect(relativeError(steps.p1, p1)).toBeLessThan(1e-12);
  });

  it("has steps in the ratio of the two log-likelihoods, near the p1 that was asked for", () => {
    fc.assert(
      fc.property(rate, fc.double({ min: 1.2, max: 8, noNaN: true }), (p0, odds) => {
        const p1 = (odds * p0) / (1 - p0 + odds * p0);
        const steps = cusumSteps(p0, p1);
        expect(steps.up * steps.unit_nats).toBeCloseTo(Math.log(steps.p1 / p0), 10);
        expect(steps.down * steps.unit_nats).toBeCloseTo(Math.log((1 - p0) / (1 - steps.p1)), 10);
        const moved = steps.p1 / (1 - steps.p1) / (p1 / (1 - p1));
        expect(Math.abs(Math.log(moved))).toBeLessThan(0.06);
      }),
    );
  });
});

describe("cusumThreshold", () => {
  it("is the smallest with the run length asked for", () => {
    fc.assert(
      fc.property(fc.constantFrom(0.02, 0.1, 0.15, 0.4, 0.6), fc.integer({ min: 10, max: 1_000_000 }), (p0, target) => {
        const chart = cusumThreshold(p0, p0 * 1.5, target);
        expect(chart.arl).toBeGreaterThanOrEqual(target);
        expect(chart.arl).toBe(cusumAverageRunLength(chart, chart.threshold, p0));
        expect(chart.delay).toBeLessThan(chart.arl);
        if (chart.threshold > 1) expect(cusumAverageRunLength(chart, chart.threshold - 1, p0)).toBeLessThan(target);
      }),
      { numRuns: 30 },
    );
  });

  it("has the simulated run length, at p0 and at p1", () => {
    const chart = cusumThreshold(0.1, 0.2, 500);
    expect(relativeError(simulatedRunLength(chart, 0.1, 2000), chart.arl)).toBeLessThan(0.06);
    expect(relativeError(simulatedRunLength(chart, chart.p1, 2000), chart.delay)).toBeLessThan(0.06);
  });

  it("refuses run lengths out of reach and rates in the wrong order", () => {
    expect(() => cusumThreshold(0.1, 0.2, Infinity)).toThrow(RangeError);
    expect(() => cusumThreshold(0.1, 0.2, 0.5)).toThrow(RangeError);
    expect(() => cusumThreshold(0.2, 0.1, 100)).toThrow(RangeError);
    expect(() => cusumThreshold(0, 0.1, 100)).toThrow(RangeError);
  });
});

describe("bernoulliCusum", () => {
  const chart = cusumThreshold(0.1, 0.2, 1000);

  it("alarms at the first observation that reaches the threshold", () => {
    const x = Array<number>(50).fill(0).concat(Array<number>(10).fill(1));
    // 31 units in steps of 6: the sixth 1 in a row.
    expect(bernoulliCusum(x, chart)).toEqual({ alarm: 55, statistic: 36, statistic_nats: 36 * chart.unit_nats });
    expect(bernoulliCusum(x.slice(0, 55), chart)).toMatchObject({ alarm: null, statistic: 30 });
  });

  it("alarms no later when an observation is worse", () => {
    const bits = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(bits, fc.nat(), (x, at) => {
        const worse = x.map((value, i) => (i === at % x.length ? 1 : value));
        expect(bernoulliCusum(worse, chart).alarm ?? Infinity).toBeLessThanOrEqual(
          bernoulliCusum(x, chart).alarm ?? Infinity,
        );
      }),
    );
  });

  it("is silent on an empty stream and refuses what is no observation", () => {
    expect(bernoulliCusum([], chart)).toEqual({ alarm: null, statistic: 0, statistic_nats: 0 });
    expect(() => bernoulliCusum([2], chart)).toThrow(RangeError);
    expect(() => bernoulliCusum([Number.NaN], chart)).toThrow(RangeError);
  });
});
