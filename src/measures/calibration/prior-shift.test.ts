import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/recalibration.js";
import { applyToColumns, calibratedLevels } from "./calibration-model.js";
import { deployedPrior, withPrior } from "./compile-calibration.js";
import { logLosses } from "./errors/score-cells.js";
import { fitMultinomial, fitPlatt } from "./fit/platt.js";
import { classShares, estimatePrior, priorFactors, reweightOdds } from "./prior-shift.js";
import { allRows, emptyColumns, rowOf, syntheticColumns } from "./synthetic.suite.js";

const share = fc.double({ min: 0.01, max: 1, noNaN: true });
const triple = fc.tuple(share, share, share);
const defensible = (level: number) => (level <= 2 ? 1 : 0);

describe("a prior shift", () => {
  it("carries posteriors to another mix exactly as Bayes' rule does from the likelihoods", () => {
    fc.assert(
      fc.property(triple, triple, triple, (likelihood, fitted, deployed) => {
        const posterior = (prior: readonly number[]) => {
          const joint = likelihood.map((l, k) => l * prior[k]!);
          return joint.map((value) => value / (joint[0]! + joint[1]! + joint[2]!));
        };
        const factors = priorFactors({ fitted, deployed }, 3);
        const moved = posterior(fitted).map((p, k) => p * factors[k]!);
        const total = moved[0]! + moved[1]! + moved[2]!;
        for (const [k, want] of posterior(deployed).entries()) expect(moved[k]! / total).toBeCloseTo(want, 10);
      }),
    );
  });

  it("is undone by its reverse and does nothing between equal mixes", () => {
    fc.assert(
      fc.property(share, triple, triple, (p, fitted, deployed) => {
        const there = reweightOdds(p, priorFactors({ fitted, deployed }, 2));
        expect(reweightOdds(there, priorFactors({ fitted: deployed, deployed: fitted }, 2))).toBeCloseTo(p, 9);
        expect(reweightOdds(p, priorFactors({ fitted, deployed: fitted }, 2))).toBeCloseTo(p, 12);
      }),
    );
    expect([0, 1].map((p) => reweightOdds(p, [3, 0.2]))).toEqual([0, 1]);
  });

  it("by two shares moves levels 1 and 2 alike", () => {
    expect([...priorFactors({ fitted: [0.5, 0.5], deployed: [0.8, 0.2] }, 3)]).toEqual([1.6, 1.6, 0.4]);
    expect([...priorFactors({ fitted: [0.3, 0.2, 0.5], deployed: [0.7, 0.1, 0.2] }, 2)][1]).toBeCloseTo(0.4, 12);
  });

  it("refuses a class without rows", () => {
    expect(() => priorFactors({ fitted: [1, 0], deployed: [0.5, 0.5] }, 2)).toThrow("not a share");
    expect(() => priorFactors({ fitted: [1, 1, 1], deployed: [0.5, 0.5] }, 2)).toThrow("of another length");
    expect(() => withPrior({ kind: "raw" }, { fitted: [0.5, 0.5], deployed: [Number.NaN, 1] })).toThrow("not a share");
    expect(() => classShares([1, -1])).toThrow("not counts");
    expect(classShares([0, 0, 0])).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
});

describe("estimatePrior", () => {
  const { posterior, fitted, prior, shifted } = reference.deployed_prior;
  const flat = Float64Array.from(posterior.flat());

  it("finds the shares that scipy finds by maximising their likelihood", () => {
    const found = estimatePrior(flat, fitted)!;
    expect(found).toMatchObject({ n: 300, converged: true });
    for (const k of [0, 1, 2]) expect(found.prior[k]).toBeCloseTo(prior[k]!, 6);
    const factors = priorFactors({ fitted, deployed: found.prior }, 3);
    for (const [i, want] of shifted.entries()) {
      const moved = posterior[i]!.map((p, k) => p * factors[k]!);
      const total = moved.reduce((sum, value) => sum + value, 0);
      for (const k of [0, 1, 2]) expect(moved[k]! / total).toBeCloseTo(want[k]!, 6);
    }
  });

  it("does not depend on the order of rows, nor on rows without probabilities", () => {
    const holes = Float64Array.from([Number.NaN, Number.NaN, Number.NaN, ...posterior.toReversed().flat(), 0, 0, 0]);
    const found = estimatePrior(holes, fitted)!;
    expect(found.n).toBe(300);
    for (const k of [0, 1, 2]) expect(found.prior[k]).toBeCloseTo(prior[k]!, 6);
  });

  it("never calls a class impossible, and is null without rows", () => {
    expect(estimatePrior(Float64Array.of(1, 0, 1, 0), [0.5, 0.5])!.prior).toEqual([0.8, 0.2]);
    expect(estimatePrior(new Float64Array(0), [0.5, 0.5])).toBeNull();
    expect(estimatePrior(Float64Array.of(Number.NaN, 0.5), [0.5, 0.5])).toBeNull();
    expect(() => estimatePrior(flat, [1])).toThrow("two or more");
  });

  it("says so when it was cut short", () => {
    expect(estimatePrior(flat, fitted, { maxIterations: 1 })!.converged).toBe(false);
  });
});

describe("a model moved to another mix of levels", () => {
  const balanced = syntheticColumns(4000, 21, 12, [0.4, 0.3, 0.3]);
  const random = syntheticColumns(4000, 22, 12, [0.7, 0.22, 0.08]);
  const y = Uint8Array.from(random.targetLevel!, defensible);
  const mean = (x: Float64Array) => x.reduce((sum, value) => sum + value, 0) / x.length;
  const shares = (columns: typeof random) => {
    const counts = [1, 2, 3].map((level) => columns.targetLevel!.filter((value) => value === level).length);
    return classShares(counts);
  };
  const loss = (score: Float64Array) => mean(logLosses(score, y));

  for (const [name, model] of [
    ["multinomial", fitMultinomial(balanced, allRows(balanced))],
    ["platt", fitPlatt(balanced, allRows(balanced))],
  ] as const) {
    it(`predicts better there and gets the base rate right: ${name}`, () => {
      const known = withPrior(model, { fitted: shares(balanced), deployed: shares(random) });
      const before = applyToColumns(model, random);
      const after = applyToColumns(known, random);
      expect(loss(after)).toBeLessThan(loss(before) - 0.005);
      expect(Math.abs(mean(after) - mean(Float64Array.from(y)))).toBeLessThan(0.015);
      expect(Math.abs(mean(before) - mean(Float64Array.from(y)))).toBeGreaterThan(0.03);
    });

    it(`finds that mix without labels: ${name}`, () => {
      const found = deployedPrior(model, { ...random, targetLevel: undefined }, shares(balanced))!;
      const truth = shares(random);
      const want = found.prior.length === 3 ? truth : [truth[0]! + truth[1]!, truth[2]!];
      for (const [k, value] of found.prior.entries()) expect(Math.abs(value - want[k]!)).toBeLessThan(0.025);
      // A shift that a model already has is not counted twice.
      const shifted = withPrior(model, { fitted: shares(balanced), deployed: shares(random) });
      expect(deployedPrior(shifted, random, shares(balanced))).toEqual(found);
    });
  }

  it("moves the levels too", () => {
    const model = fitMultinomial(balanced, allRows(balanced));
    const moved = withPrior(model, { fitted: [0.4, 0.3, 0.3], deployed: [0.4, 0.55, 0.05] });
    const [before, after] = [model, moved].map((m) => calibratedLevels(m, rowOf(random, 5))!);
    expect(after![2] / after![1]).toBeCloseTo(((before![2] / before![1]) * (0.05 / 0.3)) / (0.55 / 0.3), 10);
  });

  it("has no estimate where no row can be scored", () => {
    const blank = emptyColumns(3);
    blank.p1.fill(Number.NaN);
    expect(deployedPrior({ kind: "raw" }, blank, [0.5, 0.3, 0.2])).toBeNull();
  });
});
