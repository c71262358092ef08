import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { expectClose, expectDefined } from "../estimate.suite.js";
import { cohenKappa } from "./raters.js";

const table = (size: number) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: size, maxLength: size }), {
    minLength: size,
    maxLength: size,
  });

describe("cohenKappa", () => {
  it.each(reference.cohen_kappa)("agrees with statsmodels and scikit-learn on $table", (want) => {
    expectClose(cohenKappa(want.table), want);
  });

  it("is unchanged when raters or categories change places", () => {
    fc.assert(
      fc.property(table(3), (counts) => {
        const transposed = counts.map((_, j) => counts.map((row) => row[j]!));
        const relabelled = counts.toReversed().map((row) => row.toReversed());
        const want = cohenKappa(counts);
        fc.pre(want.estimate !== null);
        expectClose(cohenKappa(transposed), expectDefined(want));
        expectClose(cohenKappa(relabelled), expectDefined(want));
      }),
    );
  });

  it("is 0 when the raters are independent", () => {
    expect(
      expectDefined(
        cohenKappa([
          [6, 12],
          [9, 18],
        ]),
      ).estimate,
    ).toBe(0);
  });

  it("is 1 for full agreement over two categories, with a warning about its interval", () => {
    expect(
      cohenKappa([
        [5, 0],
        [0, 7],
      ]),
    ).toMatchObject({ estimate: 1, upper: 1, warnings: [expect.any(String)] });
  });

  it("keeps the width of its interval for full agreement over three categories", () => {
    const kappa = cohenKappa([
      [52, 0, 0],
      [0, 6, 0],
      [0, 0, 2],
    ]);
    expect(kappa).toMatchObject({ estimate: 1, upper: 1 });
    expect("lower" in kappa && kappa.lower).toBeLessThan(0.8);
  });

  it("is undefined without rows and when both raters used one category only", () => {
    expect(cohenKappa([])).toEqual({ estimate: null, reason: "no rows", n: 0 });
    expect(
      cohenKappa([
        [0, 0],
        [0, 0],
      ]).estimate,
    ).toBeNull();
    expect(
      cohenKappa([
        [9, 0],
        [0, 0],
      ]),
    ).toEqual({ estimate: null, reason: "both raters used one category only", n: 9 });
  });

  it("is 0, not undefined, when only one rater used one category", () => {
    expect(
      expectDefined(
        cohenKappa([
          [9, 1],
          [0, 0],
        ]),
      ).estimate,
    ).toBe(0);
  });

  it("has an interval with width where the large-sample error is 0, which narrows with the number of rows", () => {
    const width = (table: number[][]) => {
      const { lower, upper, estimate } = expectDefined(cohenKappa(table));
      expect(lower).toBeLessThanOrEqual(estimate);
      expect(upper).toBeGreaterThanOrEqual(estimate);
      return upper - lower;
    };
    const agreeing = (n: number) => [
      [n, 0],
      [0, n],
    ];
    // Wilson of 4 of 4 is 4/(4 + z²), carried through κ at p_e = ½.
    expect(width(agreeing(2))).toBeCloseTo(1 - (4 / (4 + 3.8414588) - 0.5) / 0.5, 6);
    expect(width(agreeing(2))).toBeGreaterThan(width(agreeing(15)));
    expect(width(agreeing(15))).toBeGreaterThan(0.1);
    expect(
      width([
        [0, 5],
        [5, 0],
      ]),
    ).toBeGreaterThan(0.1);
    expect(
      width([
        [9, 1],
        [0, 0],
      ]),
    ).toBeGreaterThan(0.1);
  });

  it("refuses a table that is not square or not of counts", () => {
    expect(() => cohenKappa([[1, 2]])).toThrow(RangeError);
    expect(() =>
      cohenKappa([
        [1, -2],
        [3, 4],
      ]),
    ).toThrow(RangeError);
    expect(() =>
      cohenKappa([
        [1, 0.5],
        [3, 4],
      ]),
    ).toThrow(RangeError);
  });
});
