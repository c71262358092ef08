import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Features } from "./features.js";
import { jointCells, precedentWeights, verdict } from "./verdict.js";

const NEUTRAL: Features = {
  breach: 0,
  leaning: 0,
  charge: 0,
  procedure: 0,
  fullness: 0,
  checkable: 0,
  openness: 0.2,
  discretion: 0,
  borderline: 0,
  precedents: 0,
  similarity: 0,
  restricts: 1,
};
const share = fc.double({ min: 0, max: 1, noNaN: true });
const features = fc.record({
  breach: share,
  leaning: fc.double({ min: -3, max: 3, noNaN: true }),
  charge: share,
  procedure: share,
  fullness: fc.double({ min: -3.5, max: 1.6, noNaN: true }),
  checkable: fc.double({ min: -1, max: 1, noNaN: true }),
  openness: share,
  discretion: share,
  borderline: share,
  precedents: fc.double({ min: -1, max: 1, noNaN: true }),
  similarity: share,
  restricts: fc.constantFrom(0, 1),
});

describe("verdict", () => {
  it("gives four probabilities that sum to one", () => {
    fc.assert(
      fc.property(features, (f) => {
        const { follows, ambiguous, opposite, neither } = verdict(f);
        for (const p of [follows, ambiguous, opposite, neither]) expect(p).toBeGreaterThan(0);
        expect(follows + ambiguous + opposite + neither).toBeCloseTo(1, 10);
      }),
    );
  });

  it("supports a restriction more, and a permission less, the stronger the breach", () => {
    const at = (breach: number, restricts: number) =>
      verdict({ ...NEUTRAL, breach, charge: breach, restricts }).follows;
    expect(at(0.9, 1)).toBeGreaterThan(at(0.1, 1));
    expect(at(0.9, 0)).toBeLessThan(at(0.1, 0));
  });

  it("asks the same of both decisions: what follows for one is the opposite for the other, where ambiguity is equal", () => {
    const restricting = verdict({ ...NEUTRAL, breach: 0.6, restricts: 1 });
    const permitting = verdict({ ...NEUTRAL, breach: 0.6, restricts: 0 });
    expect(Math.log(restricting.follows / restricting.opposite)).toBeCloseTo(
      -Math.log(permitting.follows / permitting.opposite),
      10,
    );
  });

  it("is more doubtful under rules that settle less", () => {
    expect(verdict({ ...NEUTRAL, openness: 0.8 }).ambiguous).toBeGreaterThan(verdict(NEUTRAL).ambiguous);
  });

  it("has known values at its constants", () => {
    // v = σ(−0.45), g = σ(−0.65), m = σ(−4) with every feature at its reference, for a permission; then cubed and renormalised.
    const shares = (v: number, g: number, m: number) =>
      [(1 - m) * (1 - g) * (1 - v), (1 - m) * g, (1 - m) * (1 - g) * v, m].map((p) => p ** 3);
    const cubes = shares(0.389361, 0.34299, 0.017986);
    const total = cubes.reduce((sum, p) => sum + p, 0);
    const { follows, ambiguous, opposite, neither } = verdict({ ...NEUTRAL, openness: 0.18, restricts: 0 });
    const judged = [follows, ambiguous, opposite, neither];
    for (let i = 0; i < 4; i++) expect(judged[i]).toBeCloseTo(cubes[i]! / total, 4);
  });
});

describe("jointCells", () => {
  const judged = verdict(NEUTRAL);
  it("sum to one whatever is cited", () => {
    for (const force of ["settles", "leaves open", "sends elsewhere"] as const) {
      expect(jointCells(judged, force).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
    }
  });
  it("make level 1 rarer and level 2 commoner under a cited clause of discretion", () => {
    const settled = jointCells(judged, "settles");
    const open = jointCells(judged, "leaves open");
    expect(open[0]).toBeLessThan(settled[0]);
    expect(open[3]).toBeGreaterThan(settled[3]);
  });
});

describe("precedentWeights", () => {
  it("are Low far away, High near by, and sum to one", () => {
    expect(precedentWeights(0, false)[2]).toBeGreaterThan(0.5);
    expect(precedentWeights(0.9, false)[0]).toBeGreaterThan(0.8);
    expect(precedentWeights(0.3, true).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
  });
});
