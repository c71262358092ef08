import { describe, expect, it } from "vitest";
import { createRng } from "../../../stats/random/create-rng.js";
import { eDetector, reviewAlarm } from "./e-detector.js";

const thread = (value: number, weight = 1, time = 0) => ({ value, weight, time });

describe("reviewAlarm", () => {
  it("is the e-detector where every thread has the weight 1", () => {
    const rng = createRng("reviews");
    const x = Array.from({ length: 400 }, (_, i) => (rng.next() < (i < 200 ? 0.03 : 0.4) ? 1 : 0));
    const known = eDetector(x, { p0: 0.05, alpha: 1 / 4000 });
    const alarm = reviewAlarm(
      x.map((value, i) => thread(value, 1, i)),
      { p0: 0.05, runLength: 4000 },
    )!;
    expect(alarm.time).toBe(known.alarm);
    expect(alarm.log_statistic).toBeCloseTo(known.log_statistic!, 9);
    expect(alarm.log_threshold).toBeCloseTo(known.log_threshold, 12);
    expect(alarm.threads).toBe(known.alarm! + 1);
  });

  it("takes light threads for less, and ones without weight for nothing", () => {
    const alarmAfter = (weight: number) =>
      reviewAlarm(
        Array.from({ length: 200 }, (_, i) => thread(1, weight, i)),
        { p0: 0.1, runLength: 1000 },
      )?.threads ?? null;
    expect(alarmAfter(1)).toBeLessThan(alarmAfter(0.2)!);
    expect(alarmAfter(0)).toBeNull();
    expect(reviewAlarm([], { p0: 0.1, runLength: 1000 })).toBeNull();
    expect(() => reviewAlarm([], { p0: 0, runLength: 1000 })).toThrow(RangeError);
  });

  it("lets the promised number of threads pass on average while the weighted rate is at the limit", () => {
    // Light threads are worse, heavy ones better: the weighted mean is at the limit of 10%.
    const rng = createRng("review run length");
    const runs = Array.from({ length: 400 }, () => {
      const threads = Array.from({ length: 2000 }, (_, i) => {
        const heavy = rng.next() < 0.5;
        return thread(rng.next() < (heavy ? 0.08 : 0.2) ? 1 : 0, heavy ? 1 : 0.2, i);
      });
      return reviewAlarm(threads, { p0: 0.1, runLength: 100 })?.threads ?? 2000;
    });
    expect(runs.reduce((sum, run) => sum + run, 0) / runs.length).toBeGreaterThan(100);
  });
});
