import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { clusteredProportion } from "./clustered-proportion.js";
import { linearizedInterval } from "./linearized-interval.js";

const cluster = fc
  .integer({ min: 1, max: 200 })
  .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 0, max: n }) }));

const clusters = fc.array(cluster, { minLength: 2, maxLength: 40 });

function pooled(rows: readonly { k: number; n: number }[]): number {
  return rows.reduce((sum, row) => sum + row.k, 0) / rows.reduce((sum, row) => sum + row.n, 0);
}

describe("linearizedInterval", () => {
  it("agrees with numpy on a ratio of means", () => {
    const { theta, sums, lower, upper } = reference.linearized_interval;
    const got = linearizedInterval(theta, sums, 0.95)!;
    expect(got.lower).toBeCloseTo(lower, 12);
    expect(got.upper).toBeCloseTo(upper, 12);
    expect(got).toMatchObject({ method: "linearized, t", clusters: 12, design_effect: null });
  });

  it("has the variance of clusteredProportion when given the influence values of a rate", () => {
    fc.assert(
      fc.property(clusters, (rows) => {
        const p = pooled(rows);
        fc.pre(p > 0 && p < 1);
        const n = rows.reduce((sum, row) => sum + row.n, 0);
        const got = linearizedInterval(
          p,
          rows.map((row) => (row.k - p * row.n) / n),
          0.95,
        )!;
        const one = linearizedInterval(0, [1, -1, ...rows.slice(2).map(() => 0)], 0.95)!;
        const unit = one.upper / Math.sqrt((rows.length / (rows.length - 1)) * 2);
        const variance = ((got.upper - p) / unit) ** 2;
        expect(variance).toBeCloseTo((clusteredProportion(rows)!.design_effect! * p * (1 - p)) / n, 10);
      }),
    );
  });

  it("is cut to its bounds", () => {
    expect(linearizedInterval(0.9, [0.5, -0.5], 0.95, [0, 1])).toMatchObject({ lower: 0, upper: 1 });
  });

  it("is null for fewer than two clusters and refuses what is not finite", () => {
    expect(linearizedInterval(0.5, [], 0.95)).toBeNull();
    expect(linearizedInterval(0.5, [0], 0.95)).toBeNull();
    expect(() => linearizedInterval(Number.NaN, [0, 0], 0.95)).toThrow(RangeError);
    expect(() => linearizedInterval(0.5, [0, Number.NaN], 0.95)).toThrow(RangeError);
  });
});
