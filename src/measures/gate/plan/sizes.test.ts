import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/plan.js";
import { clopperPearsonInterval, wilsonInterval } from "../../../stats/intervals/proportion.js";
import { clusterSize, correlationSize, judgeCorrelation, labelSize } from "./gate-region.js";
import { estimateSize, pairedPower, pairedSize } from "./paired-size.js";

describe("sizes to estimate a rate", () => {
  it.each(reference.estimate)("agree with statsmodels at $rate ± $half_width", (want) => {
    const { rate, half_width, level } = want;
    const got = estimateSize({ rate, half_width, level });
    expect(got.normal).toBe(want.normal);
    expect(got.wilson).toBe(want.wilson);
    if (want.clopper_pearson !== null) expect(got.clopper_pearson).toBe(want.clopper_pearson);
  });

  it("make the interval two half-widths wide from end to end, while one side reaches further", () => {
    const { wilson, clopper_pearson } = estimateSize({ rate: 0.1, half_width: 0.03, level: 0.95 });
    for (const [interval, n] of [
      [wilsonInterval, wilson],
      [clopperPearsonInterval, clopper_pearson],
    ] as const) {
      const width = (size: number) => interval(0.1 * size, size).upper - interval(0.1 * size, size).lower;
      expect(width(n)).toBeLessThanOrEqual(0.06);
      expect(width(n - 1)).toBeGreaterThan(0.06);
      expect(interval(0.1 * n, n).upper - 0.1).toBeGreaterThan(0.03);
    }
  });

  it("refuse half-widths that are none", () => {
    expect(() => estimateSize({ rate: 0.1, half_width: 0, level: 0.95 })).toThrow(RangeError);
    expect(() => estimateSize({ rate: 1.5, half_width: 0.1, level: 0.95 })).toThrow(RangeError);
    for (const level of [0, 1, 1.5, 0.9999999999999999]) {
      expect(() => estimateSize({ rate: 0.1, half_width: 0.1, level })).toThrow(/level: not usable/);
    }
  });
});

describe("sizes of a paired comparison", () => {
  it.each(reference.paired)("have the power that all tables give: $test, $n pairs, $only_a and $only_b", (want) => {
    const test = want.test as "exact_p" | "mid_p";
    expect(pairedPower(test, want.n, want.only_a, want.only_b, want.alpha)).toBeCloseTo(want.power, 10);
  });

  it("are the first that reach the power, mid-p before exact", () => {
    const got = pairedSize({ only_a: 0.15, only_b: 0.05, alpha: 0.05, power: 0.8 });
    expect(got.exact.n).toBeGreaterThanOrEqual(got.mid_p.n!);
    for (const [test, size] of [
      ["exact_p", got.exact],
      ["mid_p", got.mid_p],
    ] as const) {
      expect(size.power).toBeGreaterThanOrEqual(0.8);
      expect(pairedPower(test, size.n! - 1, 0.15, 0.05, 0.05)).toBeLessThan(0.8);
    }
    expect(Math.abs(got.normal! - got.mid_p.n!)).toBeLessThan(20);
  });

  it("do not depend on which way is called A, and there are none without a difference", () => {
    const one = pairedSize({ only_a: 0.2, only_b: 0.1, alpha: 0.05, power: 0.9 });
    const other = pairedSize({ only_a: 0.1, only_b: 0.2, alpha: 0.05, power: 0.9 });
    expect([other.normal, other.exact.n, other.mid_p.n]).toEqual([one.normal, one.exact.n, one.mid_p.n]);
    expect(pairedSize({ only_a: 0.1, only_b: 0.1, alpha: 0.05, power: 0.8 })).toMatchObject({
      normal: null,
      reason: expect.stringMatching(/nothing to find/),
    });
    expect(pairedSize({ only_a: 0.011, only_b: 0.01, alpha: 0.05, power: 0.8 }).exact).toEqual({
      n: null,
      power: null,
    });
    expect(() => pairedSize({ only_a: 0.7, only_b: 0.5, alpha: 0.05, power: 0.8 })).toThrow(RangeError);
  });
});

describe("small sizes", () => {
  it("multiply by the design effect", () => {
    expect(clusterSize({ n: 100, cluster_size: 5, icc: 0.2 })).toMatchObject({
      design_effect: 1.8,
      n: 180,
      clusters: 36,
      effective_n: 100,
    });
    expect(clusterSize({ n: 100, cluster_size: 1, icc: 0.9 }).n).toBe(100);
    expect(() => clusterSize({ n: 1, cluster_size: 0, icc: 0 })).toThrow(RangeError);
    expect(() => clusterSize({ n: 1, cluster_size: 2, icc: 2 })).toThrow(RangeError);
  });

  it("of correlations are the textbook's", () => {
    // ((1.960 + 0.842)/atanh r)² + 3, rounded up: 782.7, 193.8, 84.9, 29.0 …
    const sizes = [0.1, 0.2, 0.3, 0.5].map(
      (correlation) => correlationSize({ correlation, alpha: 0.05, power: 0.8 }).n,
    );
    expect(sizes).toEqual([783, 194, 85, 30]);
    expect(correlationSize({ correlation: -0.3, alpha: 0.05, power: 0.8 }).n).toBe(85);
    expect(() => correlationSize({ correlation: 0, alpha: 0.05, power: 0.8 })).toThrow(RangeError);
  });

  it("of labels give the half-width they promise, and a useless auditor saves none", () => {
    const inputs = {
      rate: 0.08,
      half_width: 0.02,
      level: 0.95,
      decisions: 20000,
      sensitivity: null,
      specificity: null,
    };
    const good = labelSize({ ...inputs, correlation: 0.8 });
    const halfWidth = (n: number) => 1.959964 * Math.sqrt((0.0736 * 0.36) / n + (0.0736 * 0.64) / 20000);
    expect(halfWidth(good.labels!)).toBeLessThanOrEqual(0.02);
    expect(halfWidth(good.labels! - 1)).toBeGreaterThan(0.02);
    expect(labelSize({ ...inputs, correlation: 0 }).labels).toBe(good.labels_alone);
    expect(labelSize({ ...inputs, correlation: 1 }).labels).toBe(2);
    expect(labelSize({ ...inputs, decisions: 100, correlation: 0.9 })).toMatchObject({
      labels: null,
      reason: expect.stringMatching(/even if all/),
    });
  });

  it("turn error rates into a correlation", () => {
    expect(judgeCorrelation(0.1, 1, 1)).toBeCloseTo(1, 12);
    expect(judgeCorrelation(0.1, 0.3, 0.7)).toBeCloseTo(0, 12);
    expect(judgeCorrelation(0.1, 0, 1)).toBe(0);
  });
});
