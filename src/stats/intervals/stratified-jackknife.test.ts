import { describe, expect, it } from "vitest";
import references from "../../../test/references/label-designs.json" with { type: "json" };
import { stratifiedJackknife } from "./stratified-jackknife.js";
import { stratifiedProportion, stratifiedUpperBound } from "./stratified-proportion.js";

describe("stratifiedJackknife", () => {
  for (const { strata, sizes, x, y, mean, kappa } of references.jackknife) {
    const weightedMean = (w: Float64Array) => sum(w, (i) => y[i]!) / sum(w, () => 1);
    const weightedKappa = (w: Float64Array) => {
      const total = sum(w, () => 1);
      const agree = sum(w, (i) => (x[i] === y[i] ? 1 : 0)) / total;
      const chance = [0, 1].reduce(
        (all, c) => all + (sum(w, (i) => (x[i] === c ? 1 : 0)) * sum(w, (i) => (y[i] === c ? 1 : 0))) / total ** 2,
        0,
      );
      return (agree - chance) / (1 - chance);
    };

    it(`is what Python finds for ${x.length} rows in ${sizes.length} strata`, () => {
      for (const [want, statistic] of [
        [mean, weightedMean],
        [kappa, weightedKappa],
      ] as const) {
        const got = stratifiedJackknife(strata, sizes, statistic);
        expect(got.estimate).toBeCloseTo(want.estimate, 10);
        expect(got.estimate === null ? null : got.lower).toBeCloseTo(want.lower, 9);
        expect(got.estimate === null ? null : got.upper).toBeCloseTo(want.upper, 9);
      }
    });
  }

  it("is undefined where a stratum with members has no row, and certain where all were drawn", () => {
    const mean = (w: Float64Array) => sum(w, (i) => i) / sum(w, () => 1);
    expect(stratifiedJackknife([0, 0], [4, 3], mean)).toMatchObject({
      estimate: null,
      reason: expect.stringContaining("stratum_unlabelled"),
    });
    const all = stratifiedJackknife([0, 0, 1], [2, 1], mean);
    expect(all).toMatchObject({ estimate: 1, lower: 1, upper: 1 });
    expect(all).not.toHaveProperty("warnings");
    expect(stratifiedJackknife([0, 0], [20], () => 1)).toHaveProperty("warnings");
  });
});

describe("strata without labels", () => {
  it("leave a share undefined, bounded by what they could hide", () => {
    for (const { strata, lower, upper } of references.unlabelled) {
      const share = stratifiedProportion(strata);
      expect(share).toMatchObject({ estimate: null, reason: expect.stringContaining("stratum_unlabelled") });
      expect(share.worst_case!.lower).toBeCloseTo(lower, 10);
      expect(share.worst_case!.upper).toBeCloseTo(upper, 10);
    }
  });
});

describe("stratifiedUpperBound with known sizes", () => {
  it("is the weighted sum of Clopper–Pearson bounds at δ over the number of strata", () => {
    for (const { strata, delta, bound } of references.bound) {
      expect(stratifiedUpperBound(strata, delta, "known")).toBeCloseTo(bound, 10);
    }
  });
});

function sum(weights: Float64Array, of: (i: number) => number): number {
  return weights.reduce((total, weight, i) => total + weight * of(i), 0);
}
