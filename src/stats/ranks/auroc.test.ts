import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { wilsonInterval } from "../intervals/proportion.js";
import { auroc } from "./auroc.js";

const tied = (minLength: number, maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 6 }), { minLength, maxLength });

describe("auroc", () => {
  it.each(reference.auroc)("agrees with scikit-learn and DeLong by definition ($estimate)", (want) => {
    const got = auroc(want.positives, Float64Array.from(want.negatives));
    if (got.estimate === null) throw new Error(got.reason);
    expect(got.method).toBe("DeLong, logit");
    expect(got.n).toBe(want.positives.length + want.negatives.length);
    expect(got.estimate).toBeCloseTo(want.estimate, 12);
    expect(got.lower).toBeCloseTo(want.lower, 12);
    expect(got.upper).toBeCloseTo(want.upper, 12);
  });

  it("is the share of pairs in order, ties one half, for unequal groups", () => {
    fc.assert(
      fc.property(tied(1, 30), tied(1, 12), (positives, negatives) => {
        let pairsInOrder = 0;
        for (const x of positives) for (const y of negatives) pairsInOrder += x > y ? 1 : x === y ? 0.5 : 0;
        const got = auroc(positives, negatives);
        if (got.estimate === null) throw new Error(got.reason);
        expect(got.estimate).toBe(pairsInOrder / (positives.length * negatives.length));
        expect(got.lower).toBeLessThanOrEqual(got.estimate + 1e-15);
        expect(got.upper).toBeGreaterThanOrEqual(got.estimate - 1e-15);
        expect(got.upper - got.lower).toBeGreaterThan(0);
        expect(got.lower).toBeGreaterThanOrEqual(0);
        expect(got.upper).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is exactly unchanged when rows are reordered or scores rescaled, and mirrored when classes change places", () => {
    fc.assert(
      fc.property(tied(1, 30), tied(1, 12), (positives, negatives) => {
        const want = auroc(positives, negatives);
        expect(auroc(positives.toReversed(), negatives.toSorted())).toEqual(want);
        expect(auroc(positives.map(Math.exp), negatives.map(Math.exp))).toEqual(want);
        const mirrored = auroc(negatives, positives);
        if (want.estimate === null || mirrored.estimate === null) throw new Error("undefined");
        expect(mirrored.estimate).toBeCloseTo(1 - want.estimate, 12);
        expect(mirrored.lower).toBeCloseTo(1 - want.upper, 9);
      }),
    );
  });

  it("falls back to Wilson where DeLong's variance is 0 or cannot be estimated, and says so", () => {
    const separated = auroc([3, 4, 5], [1, 2]);
    expect(separated).toMatchObject({ estimate: 1, ...wilsonInterval(2, 2) });
    const allTied = auroc([1, 1, 1], [1, 1, 1, 1]);
    expect(allTied).toMatchObject({ estimate: 0.5, ...wilsonInterval(1.5, 3) });
    const onePositive = auroc([2], [1, 2, 3]);
    expect(onePositive).toMatchObject({ estimate: 0.5, ...wilsonInterval(0.5, 1) });
    for (const got of [separated, allTied, onePositive])
      expect(got).toHaveProperty("method", expect.stringMatching(/^wilson/));
  });

  it("takes infinite scores and refuses NaN", () => {
    expect(auroc([Infinity, 1], [-Infinity, Infinity]).estimate).toBe(0.625);
    expect(() => auroc([Number.NaN], [1])).toThrow(RangeError);
  });

  it("is undefined when a class is empty", () => {
    expect(auroc([], [1, 2])).toEqual({ estimate: null, reason: "no positive rows", n: 2 });
    expect(auroc([1], [])).toEqual({ estimate: null, reason: "no negative rows", n: 1 });
  });
});
