import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { communitySizes, planCommunities, shareOut, shiftToMean } from "./plan-communities.js";
import { presetWorld } from "./presets.js";

const [fleet] = presetWorld("fleet").cohorts;
const [small] = presetWorld("small").cohorts;

describe("communitySizes", () => {
  it.each([1, 2, 3])("gives the fleet exactly 270 communities of 25 or more among 4,565, seed %i", (seed) => {
    const sizes = communitySizes(fleet!, createRng(seed));
    expect(sizes).toHaveLength(4565);
    expect(sizes.filter(({ decisions }) => decisions >= 25)).toHaveLength(270);
    expect(sizes.reduce((sum, { decisions }) => sum + decisions, 0)).toBe(109_186);
    expect(Math.min(...sizes.map(({ decisions }) => decisions))).toBe(1);
  });

  it("gives the large communities the published states, and the published pooled rate of indefensible decisions", () => {
    const large = communitySizes(fleet!, createRng(5)).filter(({ decisions }) => decisions >= 25);
    const of = (name: string) => large.filter(({ state }) => state.name === name);
    expect(["earned_autonomy", "policy_gaps", "normative_complexity"].map((name) => of(name).length)).toEqual([
      165, 40, 65,
    ]);
    const l3 = { earned_autonomy: 0.032, policy_gaps: 0.323, normative_complexity: 0.078 };
    const total = large.reduce((sum, { decisions }) => sum + decisions, 0);
    const pooled =
      large.reduce((sum, { decisions, state }) => sum + decisions * l3[state.name as keyof typeof l3], 0) / total;
    expect(pooled).toBeCloseTo(0.0566, 4);
  });

  it("adds up for any size that can be, and says so for one that cannot", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 0, max: 500 }),
        fc.nat(),
        (communities, more, seed) => {
          const cohort = { ...small!, communities, decisions: communities + more };
          const sizes = communitySizes(cohort, createRng(seed));
          expect(sizes).toHaveLength(communities);
          expect(sizes.every(({ decisions }) => decisions >= 1)).toBe(true);
          expect(sizes.reduce((sum, { decisions }) => sum + decisions, 0)).toBe(communities + more);
        },
      ),
    );
    expect(() => communitySizes({ ...small!, communities: 10, decisions: 9 }, createRng(1))).toThrow(/do not fit/);
    expect(() => communitySizes({ ...fleet!, decisions: 5000 }, createRng(1))).toThrow(/do not fit/);
  });
});

describe("shareOut", () => {
  it("adds up and is within one of the exact share", () => {
    const weights = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.nat({ max: 10_000 }), weights, (n, list) => {
        const sum = list.reduce((total, weight) => total + weight, 0);
        fc.pre(sum > 1e-6);
        const counts = shareOut(n, list);
        expect(counts.reduce((total, count) => total + count, 0)).toBe(n);
        counts.forEach((count, i) => {
          expect(Math.abs(count - (n * list[i]!) / sum)).toBeLessThan(1 + 1e-6);
        });
      }),
    );
    expect(() => shareOut(3, [0, 0])).toThrow(/none is above 0/);
  });
});

describe("planCommunities", () => {
  it("spreads the rates of communities around their state's and keeps the mean over decisions", () => {
    const plans = planCommunities(fleet!, createRng(3));
    for (const state of fleet!.states) {
      const own = plans.filter((plan) => plan.state === state);
      const total = own.reduce((sum, { decisions }) => sum + decisions, 0);
      expect(own.reduce((sum, { decisions, error }) => sum + decisions * error, 0) / total).toBeCloseTo(state.error, 8);
      expect(own.reduce((sum, { decisions, open }) => sum + decisions * open, 0) / total).toBeCloseTo(state.open, 8);
      expect(new Set(own.map(({ error }) => error)).size).toBeGreaterThan(own.length / 2);
    }
  });
});

describe("a cohort that is not exact", () => {
  it("differs from seed to seed in states and rates, and has them on average", () => {
    const cohort = { ...small!, communities: 30, decisions: 900, exact: false };
    const shares = Array.from({ length: 60 }, (_, seed) => {
      const plans = planCommunities(cohort, createRng(seed));
      return plans.filter(({ state }) => state.name === "earned_autonomy").length / 30;
    });
    expect(new Set(shares).size).toBeGreaterThan(5);
    expect(shares.reduce((sum, share) => sum + share, 0) / 60).toBeCloseTo(165 / 270, 1);
  });
});

describe("shiftToMean", () => {
  it("keeps order and bounds and reaches the mean", () => {
    const rates = fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rates, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (list, mean) => {
        const weights = list.map((_, i) => i + 1);
        const shifted = shiftToMean(list, weights, mean);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        expect(shifted.reduce((sum, rate, i) => sum + rate * weights[i]!, 0) / total).toBeCloseTo(mean, 9);
        list.forEach((rate, i) => {
          list.forEach((other, j) => {
            if (rate < other) expect(shifted[i]!).toBeLessThanOrEqual(shifted[j]!);
          });
        });
      }),
    );
  });

  it("leaves 0 and 1 where they are, and takes a mean of 0 or 1 as it is", () => {
    expect(shiftToMean([0, 1], [1, 1], 0.3)).toEqual([0, 1]);
    expect(shiftToMean([0.2, 0.4], [1, 1], 0)).toEqual([0, 0]);
    expect(shiftToMean([], [], 0.2)).toEqual([]);
  });
});
