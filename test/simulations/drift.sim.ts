import { describe, expect, it } from "vitest";
import { eDetectorFactors, stepEDetector } from "../../src/gate/drift/e-detector.js";
import {
  cusumAverageRunLength,
  cusumThreshold,
  driftAlternatives,
  fleetEvidence,
  StreamWatch,
  type WatchDetector,
  type WatchOptions,
  watchStreams,
} from "../../src/gate/drift/index.js";
import { createRng, type Rng } from "../../src/stats/index.js";
import { atLeast, atMost, EXACT } from "./coverage.js";
import { record } from "./record.js";

/** Mean and standard error. */
function summary(values: readonly number[]): { mean: number; se: number } {
  const mean = values.reduce((a, b) => a + b) / values.length;
  const se = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1) / values.length);
  return { mean, se };
}

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
      const rng = createRng(`cusum ${p}`);
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
        seed: `cusum ${p}`,
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

const p0 = { indefensible: 0.1, ambiguous: 0.15 };
const rowAt = (rng: Rng, key: string, bad: number, yes: number) => ({
  key,
  at: null,
  x_indefensible: rng.next() < bad ? 1 : 0,
  x_ambiguous: rng.next() < yes ? 1 : 0,
  version: "v1",
});

describe("watch of a fleet", () => {
  const choices: [string, readonly WatchDetector[]][] = [
    ["both", ["e_detector", "cusum"]],
    ["e-detector", ["e_detector"]],
    ["CUSUM", ["cusum"]],
  ];

  it.each(choices)("first false alarm anywhere, all at their limits: %s", (name, detectors) => {
    const rng = createRng(`fleet ${name}`);
    const fleet = 20;
    const alpha = 0.01;
    const options: WatchOptions = { p0, fleet, alpha, detectors };
    const lengths = Array.from({ length: 1_000 }, () => {
      const watch = new StreamWatch(options);
      let n = 1;
      while (watch.push(rowAt(rng, `c${rng.int(fleet)}`, 0.1, 0.15)).length === 0) n += 1;
      return n / fleet;
    });
    const { mean, se } = summary(lengths);
    record({
      topic: "Watch of a fleet",
      method: name,
      setting: "20 communities at their limits",
      measure: "mean number of decisions per community before the first false alarm anywhere",
      promise: atLeast(1 / alpha),
      observed: mean,
      standard_error: se,
      draws: lengths.length,
      seed: `fleet ${name}`,
    });
    expect(mean).toBeGreaterThanOrEqual(1 / alpha - 3 * se);
  });

  it.each(choices)("delay after a change, one community of 100: %s", (name, detectors) => {
    const options: WatchOptions = { p0, fleet: 100, detectors };
    for (const rate of [0.15, 0.2, 0.3, 0.5]) {
      const rng = createRng(`delay ${name} ${rate}`);
      const delays = Array.from({ length: 1_000 }, () => {
        const watch = new StreamWatch(options);
        for (let n = 0; n < 300; n += 1) watch.push(rowAt(rng, "a", 0.05, 0.1));
        let n = 1;
        while (watch.push(rowAt(rng, "a", rate, 0.1)).length === 0) n += 1;
        return n;
      });
      const { mean, se } = summary(delays);
      record({
        topic: "Delay of an alarm",
        method: name,
        setting: `indefensible rises from 0.05 to ${rate}`,
        measure: "mean number of decisions from the change to the alarm, one community of 100",
        promise: null,
        observed: mean,
        standard_error: se,
        draws: delays.length,
        seed: `delay ${name} ${rate}`,
      });
      expect(mean).toBeLessThan(3000);
    }
  });

  it("reinstates a community at its limit in at most a share δ of cases", () => {
    const rng = createRng("reinstatement");
    const runs = 5_000;
    let back = 0;
    for (let run = 0; run < runs; run += 1) {
      const watch = new StreamWatch({ p0, fleet: 1, delta: 0.1, detectors: ["e_detector"] });
      let alarmed = false;
      for (let n = 0; n < 3000; n += 1) {
        // Bad until the alarm, then exactly at the limit of one rate and well below the other.
        const events = watch.push(rowAt(rng, "a", alarmed ? 0.1 : 0.6, 0.02));
        if (events.some(({ type }) => type === "reinstated")) {
          back += 1;
          break;
        }
        if (events.length > 0) alarmed = true;
      }
    }
    record({
      topic: "Reinstatement",
      method: "e-values since the alarm",
      setting: "exactly at the limit for 3,000 decisions, δ = 0.1",
      measure: "communities reinstated",
      promise: atMost(0.1),
      observed: back / runs,
      draws: runs,
      seed: "reinstatement",
    });
    expect(back / runs).toBeLessThanOrEqual(0.1 + 3 * Math.sqrt(0.09 / runs));
  });

  it("e-BH names few that are in order, and most that are not", () => {
    const rng = createRng("e-BH");
    const runs = 500;
    let falseShare = 0;
    let found = 0;
    for (let run = 0; run < runs; run += 1) {
      const rows = Array.from({ length: 50 * 300 }, (_, i) => {
        const c = i % 50;
        return rowAt(rng, `c${c}`, c < 10 ? 0.2 : 0.1, 0.15);
      });
      // No alarms, so that the counts run over all rows.
      const { state } = watchStreams(rows, { p0, fleet: 50, alpha: 1e-100, detectors: ["e_detector"] });
      const named = fleetEvidence(state)
        .filter(({ q }) => q <= 0.1)
        .map(({ key }) => Number(key.slice(1)));
      const right = named.filter((c) => c < 10).length;
      found += right / 10 / runs;
      falseShare += (named.length - right) / Math.max(1, named.length) / runs;
    }
    record({
      topic: "Which communities drifted",
      method: "e-BH",
      setting: "50 communities, 10 of them at twice the limit, 300 decisions each",
      measure: "mean share of those named that are in order",
      promise: atMost(0.1),
      observed: falseShare,
      beside: { "named, of those that drifted": found },
      draws: runs,
      seed: "e-BH",
    });
    expect(falseShare).toBeLessThanOrEqual(0.1);
    expect(found).toBeGreaterThan(0.5);
  });
});
