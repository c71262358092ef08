import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/calibration.js";
import { relativeError } from "../../../test/references/stats.js";
import { incompleteGamma } from "../distributions/special-functions.js";
import { chiSquareTest, exactTableTest } from "./table-tests.js";

describe("incompleteGamma", () => {
  it.each(reference.gammas)("agrees with mpmath at a = $a, x = $x", ({ a, x, value }) => {
    expect(relativeError(incompleteGamma(a, x), value)).toBeLessThan(1e-11);
  });

  it("is 1 at 0, 0 at infinity, and refuses what lies outside", () => {
    expect(incompleteGamma(3, 0)).toBe(1);
    expect(incompleteGamma(3, Infinity)).toBe(0);
    for (const [a, x] of [
      [0, 1],
      [1, -1],
      [Number.NaN, 1],
      [1, Number.NaN],
    ] as const) {
      expect(() => incompleteGamma(a, x)).toThrow(RangeError);
    }
  });
});

describe("chiSquareTest", () => {
  it.each(reference.tables.chi)("agrees with scipy: $table", ({ table, statistic, p, dof, least_expected }) => {
    const got = chiSquareTest(table);
    expect(got.statistic).toBeCloseTo(statistic, 9);
    expect(got.degrees_of_freedom).toBe(dof);
    expect(relativeError(got.p!, p)).toBeLessThan(1e-10);
    expect(got.least_expected).toBeCloseTo(least_expected, 12);
  });

  it("ignores empty rows and columns", () => {
    const full = chiSquareTest([
      [10, 20],
      [20, 10],
    ]);
    expect(
      chiSquareTest([
        [10, 0, 20],
        [0, 0, 0],
        [20, 0, 10],
      ]),
    ).toEqual(full);
  });

  it("is undefined with a reason for one group, one outcome or nothing", () => {
    expect(
      chiSquareTest([
        [1, 2, 3],
        [0, 0, 0],
      ]),
    ).toMatchObject({ p: null, reason: "one group only", n: 6 });
    expect(
      chiSquareTest([
        [4, 0],
        [3, 0],
      ]),
    ).toMatchObject({ p: null, reason: "one outcome only" });
    expect(chiSquareTest([])).toMatchObject({ p: null, reason: "no rows", n: 0 });
    expect(() => chiSquareTest([[1, 2], [1]])).toThrow(RangeError);
    expect(() =>
      chiSquareTest([
        [1, 2],
        [1, 0.5],
      ]),
    ).toThrow(RangeError);
  });
});

type Triple = [number, number, number];

describe("exactTableTest", () => {
  it.each(reference.tables.exact)("agrees with every table enumerated: $first, $second", ({ first, second, p }) => {
    expect(exactTableTest(first as Triple, second as Triple)).toBeCloseTo(p, 10);
  });

  it("does not change when rows or columns change places", () => {
    const counts = fc.tuple(
      ...Array.from({ length: 3 }, () => fc.integer({ min: 0, max: 12 })),
    ) as fc.Arbitrary<Triple>;
    fc.assert(
      fc.property(counts, counts, ([a, b, c], [d, e, f]) => {
        const p = exactTableTest([a, b, c], [d, e, f]);
        expect(exactTableTest([d, e, f], [a, b, c])).toBeCloseTo(p, 10);
        expect(exactTableTest([c, a, b], [f, d, e])).toBeCloseTo(p, 10);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("comes near chi-square where counts are large, and bears a million rows", () => {
    expect(exactTableTest([12_000, 7_900, 100], [600_000, 375_000, 5_000])).toBeCloseTo(
      chiSquareTest([
        [12_000, 7_900, 100],
        [600_000, 375_000, 5_000],
      ]).p!,
      2,
    );
    expect(exactTableTest([900_000, 0, 0], [0, 0, 3])).toBeLessThan(1e-5);
  });
});
