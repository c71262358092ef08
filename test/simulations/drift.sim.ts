import { describe, expect, it } from "vitest";
import { createRng, type Rng } from "../../src/entry/stats.js";
import { eDetectorFactors, stepEDetector } from "../../src/measures/gate/drift/e-detector.js";
import { atLeast, summary } from "./coverage.js";
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
