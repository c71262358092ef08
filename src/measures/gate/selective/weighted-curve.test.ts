import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/weighted-rows.js";
import { weightedProportion, wilsonInterval } from "../../../stats/intervals/proportion.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { areaUnderRiskCoverage, coverageAtRisk, riskCoverageCurve } from "./aurc.js";
import { learnThenTest } from "./learn-then-test.js";
import { groupScores } from "./score-groups.js";

describe.each(reference.datasets)(
  "labels with weights, against sklearn and scipy: $name",
  ({ rows, risk_coverage }) => {
    const score = Float64Array.from(risk_coverage.score);
    const loss = Uint8Array.from(rows.level, (level) => (level === 3 ? 1 : 0));
    const groups = groupScores(score, loss, Float64Array.from(rows.weight));

    it("give the risk–coverage curve of the population, with counts of rows next to it", () => {
      const curve = riskCoverageCurve(groups, 200);
      expect(curve).toHaveLength(risk_coverage.curve.length);
      curve.forEach((point, i) => {
        expect(point.coverage).toBeCloseTo(risk_coverage.curve[i]!.coverage, 12);
        expect(point.risk).toBeCloseTo(risk_coverage.curve[i]!.risk, 12);
        expect(point.n).toBe(score.filter((one) => one >= point.threshold).length);
      });
      expect(riskCoverageCurve(groups, 10).length).toBeLessThanOrEqual(11);
    });

    it("give the area under it, whatever their scale", () => {
      const double = groupScores(
        score,
        loss,
        Float64Array.from(rows.weight, (weight) => 2 * weight),
      );
      for (const of of [groups, double]) {
        const { aurc, best, random } = areaUnderRiskCoverage(of);
        expect(aurc).toBeCloseTo(risk_coverage.aurc, 9);
        expect(best).toBeCloseTo(risk_coverage.best, 9);
        expect(random).toBeCloseTo(risk_coverage.random, 12);
      }
    });

    it("give coverage at a risk, and of a certified threshold", () => {
      const limits = { risk: 0.2, delta: 0.3 };
      const { empirical, certified } = coverageAtRisk(groups, limits);
      const reached = risk_coverage.curve.filter(({ risk }) => risk <= 0.2 + 1e-9).at(-1)!;
      expect(empirical.threshold).toBe(reached.threshold);
      expect(empirical.coverage.estimate).toBeCloseTo(reached.coverage, 12);
      expect(certified).toEqual(learnThenTest(groups, limits));
      const chosen = risk_coverage.curve.find(({ threshold }) => threshold === certified.threshold);
      expect(certified.coverage.estimate).toBeCloseTo(chosen?.coverage ?? 0, 12);
      if (chosen) expect(certified.risk.estimate).toBeCloseTo(chosen.risk, 12);
    });
  },
);

describe("weights of 1", () => {
  it("change nothing but the name of the interval", () => {
    const rng = createRng("weights of one");
    const score = Float64Array.from({ length: 300 }, () => Math.floor(40 * rng.next()) / 40);
    const loss = Uint8Array.from(score, (s) => (rng.next() < 0.4 * (1 - s) ? 1 : 0));
    const [plain, ones] = [groupScores(score, loss), groupScores(score, loss, new Float64Array(300).fill(1))];
    expect(riskCoverageCurve(ones)).toEqual(riskCoverageCurve(plain));
    const [a, b] = [areaUnderRiskCoverage(plain), areaUnderRiskCoverage(ones)];
    for (const name of ["aurc", "best", "excess", "random"] as const) expect(b[name]).toBeCloseTo(a[name]!, 12);
    const at = (of: typeof plain) => coverageAtRisk(of, { risk: 0.1, delta: 0.05 }).empirical;
    const { estimate, n } = at(plain).coverage;
    const lower = wilsonInterval(at(plain).n, 300).lower;
    expect(at(ones).coverage).toMatchObject({ estimate, n, lower: expect.closeTo(lower, 12) });
    expect(weightedProportion(0.25, 40, 90)).toMatchObject({ estimate: 0.25, ...wilsonInterval(10, 40), n: 90 });
    expect(weightedProportion(0, 0, 0)).toMatchObject({ estimate: null, reason: "no rows" });
  });

  it("are refused where they are not above 0 or not one for each row", () => {
    const score = Float64Array.of(0.1, 0.2);
    for (const weight of [[1], [1, 0], [1, Number.NaN], [1, Infinity]]) {
      expect(() => groupScores(score, Uint8Array.of(0, 1), Float64Array.from(weight))).toThrow(RangeError);
    }
  });
});
