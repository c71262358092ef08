import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { spearman } from "./spearman.js";

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 3,
  maxLength: 40,
});

describe("spearman", () => {
  it.each(reference.spearman)("agrees with scipy and with all orders enumerated, n = $x.length", (want) => {
    const got = spearman(want.x, want.y);
    if (got.estimate === null) throw new Error(got.reason);
    expect(got.estimate).toBeCloseTo(want.estimate, 12);
    expect(got.lower).toBeCloseTo(want.lower, 12);
    expect(got.upper).toBeCloseTo(want.upper, 12);
    expect(relativeError(got.p_value, want.p_value)).toBeLessThan(1e-10);
    expect(got.p_method).toBe(want.x.length <= 8 ? "exact permutation" : "t");
  });

  it("is exactly unchanged when rows are reordered, and changes sign when one column is reversed", () => {
    fc.assert(
      fc.property(pairs, fc.nat(), (rows, by) => {
        const rotated = [...rows.slice(by % rows.length), ...rows.slice(0, by % rows.length)];
        const [x, y] = [rows.map((row) => row[0]), rows.map((row) => row[1])];
        const want = spearman(x, y);
        expect(
          spearman(
            rotated.map((row) => row[0]),
            rotated.map((row) => row[1]),
          ),
        ).toEqual(want);
        expect(spearman(y, x)).toEqual(want);
        if (want.estimate === null) return;
        const reversed = spearman(
          x,
          y.map((value) => -value),
        );
        expect(reversed.estimate).toBe(want.estimate === 0 ? reversed.estimate : -want.estimate);
        expect(want.lower).toBeLessThanOrEqual(want.estimate);
        expect(want.upper).toBeGreaterThanOrEqual(want.estimate);
        expect(want.p_value).toBeGreaterThan(0);
        expect(want.p_value).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is unchanged by any rising transformation", () => {
    fc.assert(
      fc.property(pairs, (rows) => {
        const [x, y] = [rows.map((row) => row[0]), rows.map((row) => row[1])];
        expect(spearman(x.map(Math.exp), y)).toEqual(spearman(x, y));
      }),
    );
  });

  it("keeps a width and a p-value above 0 for a perfect order", () => {
    for (const n of [4, 8, 9, 30]) {
      const x = Array.from({ length: n }, (_, i) => i);
      const up = spearman(x, x);
      const down = spearman(x, x.toReversed());
      expect(up).toMatchObject({ estimate: 1, upper: 1 });
      expect(down).toMatchObject({ estimate: -1, lower: -1 });
      if (up.estimate === null || down.estimate === null) throw new Error("undefined");
      expect(up.lower).toBeLessThan(1);
      expect(down.upper).toBeCloseTo(-up.lower, 12);
      const factorial = x.reduce((product, i) => product * (i + 1), 1);
      expect(relativeError(up.p_value, 2 / factorial)).toBeLessThan(1e-12);
    }
  });

  it("says nothing about the interval with 3 rows", () => {
    expect(spearman([1, 2, 3], [1, 3, 2])).toMatchObject({ estimate: 0.5, lower: -1, upper: 1, p_value: 1 });
  });

  it("is undefined for fewer than 3 rows and for a constant column", () => {
    expect(spearman([], [])).toMatchObject({ estimate: null, n: 0, p_value: null });
    expect(spearman([1, 2], [2, 1])).toMatchObject({ estimate: null, reason: "fewer than 3 rows", n: 2 });
    expect(spearman([1, 1, 1], [1, 2, 3])).toMatchObject({ estimate: null, reason: "a column is constant", n: 3 });
    expect(() => spearman([1, 2, 3], [1, 2])).toThrow(RangeError);
  });
});
