import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/selective.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { areaUnderRiskCoverage, coverageAtRisk, riskCoverageCurve } from "./aurc.js";
import { groupScores } from "./score-groups.js";
import { drawRows, groupsOf, someRows } from "./selective.suite.js";

describe("groupScores", () => {
  it("puts equal scores together, falling, and leaves NaN out", () => {
    const groups = groupsOf([0.5, null, 0.9, 0.5, -0, 0], [1, 1, 0, 0, 1, 0]);
    expect(groups).toMatchObject({ rows: 6, scored: 5, binary: true });
    expect(Array.from(groups.n)).toEqual([1, 3, 5]);
    expect(Array.from(groups.k)).toEqual([0, 1, 2]);
    expect(groups.threshold[1]).toBe(0.5);
  });

  it("is the same for losses of 0 and 1 in either kind of array", () => {
    fc.assert(
      fc.property(someRows, ({ score, loss }) => {
        expect(groupsOf(score, loss, true)).toEqual(groupsOf(score, loss));
      }),
    );
  });

  it("refuses infinite scores, losses outside their range and arrays of two lengths", () => {
    expect(() => groupScores(Float64Array.of(Infinity), Uint8Array.of(0))).toThrow(RangeError);
    expect(() => groupScores(Float64Array.of(-Infinity, 1), Uint8Array.of(0, 1))).toThrow(RangeError);
    expect(() => groupScores(Float64Array.of(1), Uint8Array.of(3))).toThrow(RangeError);
    expect(() => groupScores(Float64Array.of(1), Float64Array.of(Number.NaN))).toThrow(RangeError);
    expect(() => groupScores(Float64Array.of(1), Uint8Array.of(0, 0))).toThrow(RangeError);
  });
});

describe("riskCoverageCurve", () => {
  it("has a point for each distinct score, and ends at all scored rows", () => {
    const curve = riskCoverageCurve(groupsOf([0.9, 0.9, 0.5, null], [0, 1, 0, 1]));
    expect(curve).toEqual([
      { threshold: 0.9, n: 2, k: 1, coverage: 0.5, risk: 0.5 },
      { threshold: 0.5, n: 3, k: 1, coverage: 0.75, risk: 1 / 3 },
    ]);
  });

  it("keeps at most as many points as asked for, both ends among them, each on the full curve", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 2, max: 50 }),
        fc.integer(),
        (n, points, seed) => {
          const groups = drawRows(n, (s) => 1 - s, createRng(seed));
          const full = riskCoverageCurve(groups, 1000);
          const short = riskCoverageCurve(groups, points);
          expect(short.length).toBeLessThanOrEqual(points);
          expect(short[0]).toEqual(full[0]);
          expect(short.at(-1)).toEqual(full.at(-1));
          for (const point of short) expect(full).toContainEqual(point);
          for (let i = 1; i < short.length; i += 1) expect(short[i]!.n).toBeGreaterThan(short[i - 1]!.n);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is empty without scores and refuses a curve of one point", () => {
    expect(riskCoverageCurve(groupsOf([null], [1]))).toEqual([]);
    expect(() => riskCoverageCurve(groupsOf([1], [1]), 1)).toThrow(RangeError);
  });
});

describe("areaUnderRiskCoverage", () => {
  it.each(reference.datasets)("agrees with brute force: $name", ({ score, loss, soft, aurc, best }) => {
    const area = areaUnderRiskCoverage(groupsOf(score, loss, soft));
    expect(area.aurc).toBeCloseTo(aurc, 12);
    if (best === null) expect(area).toMatchObject({ best: null, excess: null, reason: expect.any(String) });
    else expect(area.best).toBeCloseTo(best, 12);
  });

  it("lies between the best and 1, is the best for a perfect score and the rate for a constant one", () => {
    fc.assert(
      fc.property(someRows, ({ score, loss }) => {
        fc.pre(score.some((s) => s !== null));
        const area = areaUnderRiskCoverage(groupsOf(score, loss));
        expect(area.excess).toBeGreaterThanOrEqual(0);
        expect(area.aurc!).toBeLessThanOrEqual(1);
        const perfect = areaUnderRiskCoverage(
          groupsOf(
            loss.map((y) => 1 - y),
            loss,
          ),
        );
        expect(perfect.excess).toBeCloseTo(0, 12);
        const constant = areaUnderRiskCoverage(
          groupsOf(
            loss.map(() => 0.5),
            loss,
          ),
        );
        expect(constant.aurc).toBeCloseTo(constant.random!, 12);
      }),
    );
  });

  it("has no value without scores", () => {
    expect(areaUnderRiskCoverage(groupsOf([null], [1]))).toMatchObject({
      aurc: null,
      reason: "no row has a score",
      n: 0,
    });
  });
});

describe("coverageAtRisk", () => {
  it.each(reference.datasets)("agrees with brute force: $name", ({ score, loss, soft, empirical }) => {
    const groups = groupsOf(score, loss, soft);
    for (const { risk, n } of empirical) expect(coverageAtRisk(groups, { risk, delta: 0.05 }).empirical.n).toBe(n);
  });

  it("lets an exact rate pass: 1 of 20 is 5%", () => {
    const groups = groupsOf(Array<number>(20).fill(0.9), [1, ...Array<number>(19).fill(0)]);
    const { empirical, certified } = coverageAtRisk(groups, { risk: 0.05, delta: 0.05 });
    expect(empirical).toMatchObject({ threshold: 0.9, k: 1, n: 20, coverage: { estimate: 1 } });
    expect(certified.threshold).toBeNull();
  });

  it("rises with the risk, and certifies no more than it sees", () => {
    fc.assert(
      fc.property(someRows, ({ score, loss }) => {
        fc.pre(score.length > 0);
        let before = 0;
        for (const risk of [0.01, 0.02, 0.05, 0.2, 0.5]) {
          const { empirical, certified } = coverageAtRisk(groupsOf(score, loss), { risk, delta: 0.05 });
          expect(empirical.n).toBeGreaterThanOrEqual(before);
          expect(certified.coverage.estimate!).toBeLessThanOrEqual(empirical.coverage.estimate!);
          before = empirical.n;
        }
      }),
    );
  });
});
