import { describe, expect, it } from "vitest";
import { createRng, type Rng } from "../../src/entry/stats.js";
import { fleetEvidence } from "../../src/measures/gate/drift/watch-plan.js";
import { StreamWatch, watchStreams } from "../../src/measures/gate/drift/watch-streams.js";
import type { WatchOptions } from "../../src/measures/gate/drift/watch-types.js";
import { atMost, summary } from "./coverage.js";
import { record } from "./record.js";

const p0 = { indefensible: 0.1, ambiguous: 0.15 };
const rowAt = (rng: Rng, key: string, bad: number, yes: number) => ({
  key,
  time: null,
  decided: false,
  x_indefensible: rng.next() < bad ? 1 : 0,
  x_ambiguous: rng.next() < yes ? 1 : 0,
  version: "v1",
});

describe("watch of a fleet", () => {
  it("first false alarm anywhere, all at their limits", () => {
    const name = "e-detector";
    const rng = createRng(`fleet ${name}`);
    const fleet = 20;
    const alpha = 0.01;
    const options: WatchOptions = { p0, fleet, alpha };
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
      promise: { kind: "guaranteed", nominal: 1 / alpha, at_least: 1 / alpha },
      observed: mean,
      standard_error: se,
      draws: lengths.length,
      seed: `fleet ${name}`,
    });
    expect(mean).toBeGreaterThanOrEqual(1 / alpha - 3 * se);
  });

  it("delay after a change, one community of 100", () => {
    const name = "e-detector";
    const options: WatchOptions = { p0, fleet: 100 };
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
      const watch = new StreamWatch({ p0, fleet: 1, delta: 0.1 });
      let alarmed = false;
      for (let n = 0; n < 3000; n += 1) {
        // Bad until the alarm, then exactly at the limit of one rate and well below the other.
        const events = watch.push({ ...rowAt(rng, "a", alarmed ? 0.1 : 0.6, 0.02), time: n, decided: true });
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
      const { state } = watchStreams(rows, { p0, fleet: 50, alpha: 1e-100 });
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
