import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Features, levelProbs, precedentWeights, verdict, yesGivenLevel } from "./verdict.js";

const NEUTRAL: Features = {
  rules: 0,
  ownPrecedents: 0,
  allPrecedents: 0,
  procedure: 0,
  checkable: 0,
  openness: 0.2,
  discretion: 0,
  restricts: true,
};
const share = fc.double({ min: 0, max: 1, noNaN: true });
const logOdds = fc.double({ min: -5, max: 5, noNaN: true });
const features = fc.record({
  rules: logOdds,
  ownPrecedents: logOdds,
  allPrecedents: logOdds,
  procedure: share,
  checkable: fc.double({ min: -1, max: 1, noNaN: true }),
  openness: share,
  discretion: fc.constantFrom(0, 1),
  restricts: fc.boolean(),
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

  it("swaps what follows and what is opposite when the decision is inverted, and nothing else", () => {
    fc.assert(
      fc.property(features, (f) => {
        const plain = verdict({ ...f, discretion: 0 });
        const inverted = verdict({ ...f, discretion: 0, restricts: !f.restricts });
        expect(inverted.follows).toBeCloseTo(plain.opposite, 12);
        expect(inverted.opposite).toBeCloseTo(plain.follows, 12);
        expect(inverted.ambiguous).toBeCloseTo(plain.ambiguous, 12);
      }),
    );
  });

  it.each(["rules", "ownPrecedents", "allPrecedents"] as const)("supports a restriction more the larger %s", (name) => {
    const at = (value: number, restricts: boolean) => verdict({ ...NEUTRAL, [name]: value, restricts }).follows;
    expect(at(1, true)).toBeGreaterThan(at(0, true));
    expect(at(1, false)).toBeLessThan(at(0, false));
  });

  it("lets precedents of all communities count less than those of its own", () => {
    const own = verdict({ ...NEUTRAL, ownPrecedents: 1 }).follows;
    expect(verdict({ ...NEUTRAL, allPrecedents: 1 }).follows).toBeLessThan(own);
  });

  it("is less often ambiguous the stronger the evidence, and more often the less is written", () => {
    const ambiguous = (more: Partial<Features>) => verdict({ ...NEUTRAL, ...more }).ambiguous;
    expect(ambiguous({ rules: 2 })).toBeLessThan(ambiguous({}));
    expect(ambiguous({ openness: 1 })).toBeGreaterThan(ambiguous({}));
    expect(ambiguous({ discretion: 1 })).toBeGreaterThan(ambiguous({}));
  });

  it("finds neither decision where a rule demands a third action", () => {
    expect(verdict({ ...NEUTRAL, procedure: 1 }).neither).toBeGreaterThan(0.5);
  });
});

describe("levels and inverse", () => {
  it("are probabilities", () => {
    fc.assert(
      fc.property(features, (f) => {
        const judged = verdict(f);
        expect(levelProbs(judged).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
        for (const p of yesGivenLevel(judged)) expect(p >= 0 && p <= 1).toBe(true);
      }),
    );
  });
});

describe("precedentWeights", () => {
  it("rise with the similarity of the nearest precedent", () => {
    const [none] = precedentWeights(0, false);
    const [near] = precedentWeights(0.8, false);
    expect(none).toBeLessThan(0.1);
    expect(near).toBeGreaterThan(0.7);
    expect(precedentWeights(0.3, true)[0]).toBeGreaterThan(precedentWeights(0.3, false)[0]);
  });
});
