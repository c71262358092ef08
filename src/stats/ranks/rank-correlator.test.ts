import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankCorrelator, spearman } from "./spearman.js";

describe("rankCorrelator", () => {
  it("is Spearman's correlation of the rows repeated as often as their weights say", () => {
    const row = fc.tuple(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 3 }),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), (rows) => {
        const got = rankCorrelator(
          rows.map(([x]) => x),
          rows.map(([, y]) => y),
        )(rows.map(([, , w]) => w));
        const repeated = rows.flatMap(([x, y, w]) => Array.from({ length: w }, () => [x, y] as const));
        const want = spearman(
          repeated.map(([x]) => x),
          repeated.map(([, y]) => y),
        ).estimate;
        if (want === null) expect(got).toBeNull();
        else expect(got).toBeCloseTo(want, 10);
      }),
      // Enumerating all orders of eight rows is slow.
      { numRuns: 60 },
    );
  });

  it("refuses columns of different length and values that do not compare", () => {
    expect(() => rankCorrelator([1], [1, 2])).toThrow(RangeError);
    expect(() => rankCorrelator([Number.NaN], [1])).toThrow(RangeError);
  });
});
