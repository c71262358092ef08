import { describe, expect, it } from "vitest";
import { createRng, type Rng } from "../../src/entry/stats.js";
import { cusumAverageRunLength, cusumThreshold } from "../../src/measures/gate/drift/cusum.js";
import { driftAlternatives, eDetectorFactors, stepEDetector } from "../../src/measures/gate/drift/e-detector.js";
import { atLeast, EXACT, summary } from "./coverage.js";
import { record } from "./record.js";

/** Streams whose mean given the past is at most p0. */
const streams: Record<string, (p0: number, rng: Rng, last: number) => number> = {
  "0/1 at the limit": (p0, rng) => (rng.next() < p0 ? 1 : 0),
  "soft, uniform": (p0, rng) => 2 * p0 * rng.next(),
  "soft, 0 or one half": (p0, rng) => (rng.next() < 2 * p0 ? 0.5 : 0),
  "0/1, half the limit after a 1": (p0, rng, last) => (rng.next() < (last === 1 ? p0 / 2 : p0) ? 1 : 0),
};

describe("e-detector: at least 1/α observations before a false alarm, on average", () => {
  for (const [name, draw] of Object.entries(streams)) {
    it.each([
      [0.1, 0.01],
      [0.15, 0.002],
      [0.02, 0.002],
    ])(`${name}: p0 = %f, α = %f`, (p0, alpha) => {
      const rng = createRng(`${name} ${p0}`);
      const factors = eDetectorFactors(p0);
      const most = 100 / alpha;
      const lengths = Array.from({ length: 4_000 }, () => {
        const m = new Float64Array(factors.up.length);
        let x = 0;
        for (let t = 1; t < most; t += 1) {
          x = draw(p0, rng, x);
          if (stepEDetector(m, 0, x, factors) >= 1 / alpha) return t;
        }
        return most;
      });
      const { mean, se } = summary(lengths);
      record({
        topic: "E-detector",
        method: "e-detector",
        setting: `limit ${p0}; ${name}`,
        measure: "mean number of decisions before a false alarm",
        promise: atLeast(1 / alpha),
        observed: mean,
        standard_error: se,
        draws: lengths.length,
        seed: `${name} ${p0}`,
      });
      expect(mean).toBeGreaterThanOrEqual(1 / alpha - 3 * se);
    });
  }
});

describe("CUSUM", () => {
  it.each([
    [0.1, 0.2, 2000],
    [0.15, 0.25, 5000],
    [0.02, 0.06, 3000],
  ])("has the computed run length: p0 = %f, p1 = %f, target %i", (p0, p1, target) => {
    const chart = cusumThreshold(p0, p1, target);
    for (const [p, expected] of [
      [p0, chart.arl],
      [chart.p1, chart.delay],
    ] as const) {
      const seed = `cusum ${p.toFixed(4)}`;
      const rng = createRng(seed);
      const lengths = Array.from({ length: 20_000 }, () => {
        let c = 0;
        let t = 0;
        for (; c < chart.threshold; t += 1) c = Math.max(0, c + (rng.next() < p ? chart.up : -chart.down));
        return t;
      });
      const { mean, se } = summary(lengths);
      record({
        topic: "CUSUM",
        method: "CUSUM",
        setting: `limit ${p0}, true rate ${Number(p.toFixed(4))}`,
        measure: "mean number of decisions before an alarm",
        promise: { kind: "computed", nominal: expected },
        observed: mean,
        standard_error: se,
        draws: lengths.length,
        seed,
      });
      expect(Math.abs(mean - expected)).toBeLessThan(4 * se);
    }
  });

  it("does not keep its promise when p0 is estimated", () => {
    // True rate 0.1, estimated from 100 decisions: the run length each estimate would give, weighted exactly.
    let short = 0;
    let mass = 0.9 ** 100;
    for (let k = 0; k <= 30; k += 1) {
      if (k > 0) {
        const p = k / 100;
        const chart = cusumThreshold(p, driftAlternatives(p, [2])[0]!, 1000);
        if (cusumAverageRunLength(chart, chart.threshold, 0.1) < 1000) short += mass;
      } else short += mass;
      mass *= ((100 - k) / (k + 1)) * (0.1 / 0.9);
    }
    record({
      topic: "CUSUM with an estimated limit",
      method: "CUSUM",
      setting: "true rate 0.1, estimated from 100 decisions, 1,000 decisions promised",
      measure: "communities with a shorter mean than promised",
      promise: { kind: "broken", at_most: 0 },
      observed: short,
      ...EXACT,
    });
    expect(short).toBeGreaterThan(0.3);
  });
});
