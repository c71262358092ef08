import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/simulation.js";
import { latentRates, levelShares, PAPER_RATES } from "./level-shares.js";
import { otherVolume } from "./presets.js";

const { inverse } = PAPER_RATES;

describe("levelShares", () => {
  it.each(reference.levels)("solves the equations of $name as numpy does", ({ di, ai, shares }) => {
    levelShares({ di, ai, inverse }).forEach((share, i) => {
      expect(share).toBeCloseTo(shares[i]!, 10);
    });
  });

  it("gives back the rates that it was given", () => {
    const share = fc.double({ min: 0.01, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, share, (a, b, a1, a2, a3) => {
        fc.pre(Math.abs(a2 - a1) > 0.05);
        const [l1, l2, l3] = [a * b, a * (1 - b), 1 - a];
        const got = levelShares({ di: l1 + l2, ai: a1 * l1 + a2 * l2 + a3 * l3, inverse: [a1, a2, a3] });
        expect(got[0]).toBeCloseTo(l1, 8);
        expect(got[1]).toBeCloseTo(l2, 8);
        expect(got[2]).toBeCloseTo(l3, 8);
      }),
    );
  });

  it("refuses rates that contradict each other, and inverse rates that tell nothing", () => {
    expect(() => levelShares({ di: 0.5, ai: 0.01, inverse })).toThrow(/contradict/);
    expect(() => levelShares({ di: 0.9, ai: 0.9, inverse })).toThrow(/contradict/);
    expect(() => levelShares({ di: 0.9, ai: 0.2, inverse: [0.3, 0.3, 0.9] })).toThrow(/contradict/);
  });
});

describe("latentRates", () => {
  it.each(reference.latent)("gives the rates of $name whose enumeration has the level shares", ({ name, rates }) => {
    const { shares } = reference.levels.find((one) => one.name === name)!;
    const got = latentRates(shares as [number, number, number], [inverse[1], inverse[2]]);
    expect([got.open, got.void, got.implied, got.error].map((rate) => rate.toFixed(9))).toEqual(
      rates.map((rate) => rate.toFixed(9)),
    );
  });

  it("has no rate where there is nothing to have one of", () => {
    expect(latentRates([0, 1, 0], [1, 1])).toEqual({ open: 1, void: 0, implied: 0, error: 0 });
    expect(latentRates([0, 0, 1], [1, 0])).toEqual({ open: 0, void: 1, implied: 0, error: 0 });
  });
});

it("the other states' volume makes the pooled rate the published one", () => {
  expect(otherVolume()).toBeCloseTo(reference.volume, 10);
});
