import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/signal-experiment.js";
import { ratioOfMeans } from "./ratio-of-means.js";

const groups = (first: readonly number[], second: readonly number[]) =>
  [
    [...first, ...second],
    [...first.map(() => 1), ...second.map(() => 0)],
  ] as const;

describe("ratioOfMeans", () => {
  it("has the delta interval of the logarithm, and the same over clusters of one row but for t", () => {
    for (const { first, second, ...want } of reference.ratio) {
      const [values, inFirst] = groups(first, second);
      const got = ratioOfMeans(values, inFirst, new Uint8Array(values.length), 1);
      expect(got.estimate).toBeCloseTo(want.estimate, 12);
      expect("lower" in got && got.lower).toBeCloseTo(want.lower, 10);
      expect("upper" in got && got.upper).toBeCloseTo(want.upper, 10);
      expect(got).not.toHaveProperty("cluster");
      const single = ratioOfMeans(
        values,
        inFirst,
        values.map((_, i) => i),
        values.length,
      );
      // Clusters of one row: the variance of independent rows, but for n − 1 in place of n₁ − 1 and n₀ − 1.
      expect(single).toHaveProperty("cluster.design_effect");
      expect("cluster" in single && single.cluster!.design_effect).toBeGreaterThan(0.8);
      expect("cluster" in single && single.cluster!.design_effect).toBeLessThan(1.05);
    }
  });

  it("does not change with the unit, and turns over with the groups", () => {
    const positive = fc.array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(positive, positive, (first, second) => {
        const of = (a: readonly number[], b: readonly number[]) => {
          const [values, inFirst] = groups(a, b);
          const cluster = values.map((_, i) => i % 3);
          return ratioOfMeans(values, inFirst, cluster, 3);
        };
        const plain = of(first, second);
        const scaled = of(
          first.map((x) => 100 * x),
          second.map((x) => 100 * x),
        );
        const turned = of(second, first);
        if (plain.estimate === null || scaled.estimate === null || turned.estimate === null) throw new Error();
        expect(scaled.lower).toBeCloseTo(plain.lower, 9);
        if (plain.cluster) expect(scaled.cluster!.upper).toBeCloseTo(plain.cluster.upper, 9);
        expect(turned.estimate * plain.estimate).toBeCloseTo(1, 9);
        expect(turned.upper * plain.lower).toBeCloseTo(1, 9);
      }),
    );
  });

  it("has a wider interval of clusters where each is of one piece", () => {
    const values = Array.from({ length: 400 }, (_, i) => 1 + Math.floor(i / 40));
    const inFirst = values.map((_, i) => (i % 40 < 20 ? 1 : 0));
    const together = values.map((value, i) => (inFirst[i] === 1 ? value : 11 - value));
    const cluster = values.map((_, i) => Math.floor(i / 40));
    const got = ratioOfMeans(together, inFirst, cluster, 10);
    if (got.estimate === null) throw new Error("undefined");
    expect(got.cluster!.upper / got.cluster!.lower).toBeGreaterThan(2 * (got.upper / got.lower));
  });

  it("is undefined without two rows on both sides, or with nothing below the line", () => {
    const of = (first: number[], second: number[]) => {
      const [values, inFirst] = groups(first, second);
      return ratioOfMeans(values, inFirst, new Uint8Array(values.length), 1);
    };
    expect(of([], [1, 2])).toMatchObject({ estimate: null, reason: "the first group has no rows", n: 2 });
    expect(of([1, 2], [])).toMatchObject({ estimate: null, reason: "the second group has no rows" });
    expect(of([1], [1, 2])).toMatchObject({ estimate: null, reason: "a group has one row, and so no spread" });
    expect(of([1, 1], [0, 0])).toMatchObject({ estimate: null, reason: "the mean below the line is 0" });
    expect(of([0, 0], [1, 2])).toMatchObject({ estimate: 0, lower: 0, upper: 0, warnings: [expect.any(String)] });
    expect(() => of([-1, 1], [1, 2])).toThrow("got -1");
  });
});
