import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/plan.js";
import { planSchema } from "../../../core/results/plan.js";
import { logOneSidedEValue } from "../../../stats/tests/mixture-e-value.js";
import { certifiedTests } from "../certified-gate.js";
import { type GateCohort, STANDARD_LIMITS } from "../gate-input.js";
import { paperGate } from "../pass-gate.js";
import { ASSUMED_PRIORS, certifiedRegion, paperRegion, shrunkRegion } from "./gate-region.js";
import { passProbability, YES_IF_INDEFENSIBLE } from "./pass-probability.js";
import { planGate } from "./plan-gate.js";

const limits = STANDARD_LIMITS;
const probability = fc.double({ min: 0, max: 1, noNaN: true });

describe("probability to pass a gate", () => {
  it.each(reference.pass)("agrees with all counts enumerated: $n decisions, $mostYes", (want) => {
    const got = passProbability(want.n, { mostYes: Int32Array.from(want.mostYes) }, want);
    expect(got).toBeCloseTo(want.pass, 11);
  });

  it("is known for 25 decisions: one community in four with 15% indefensible decisions meets DI ≥ 0.90", () => {
    const pass = (indefensible: number, open: number, own = limits) =>
      passProbability(25, paperRegion(25, { limits: own }), {
        indefensible,
        yes_if_indefensible: YES_IF_INDEFENSIBLE,
        yes_if_defensible: open,
      });
    const alone = { ...limits, ai: 1 };
    const near = (values: number[], digits: number) => values.map((value) => Number(value.toFixed(digits)));
    expect(
      near(
        [0.02, 0.05, 0.1, 0.15, 0.2].map((rate) => pass(rate, 0, alone)),
        3,
      ),
    ).toEqual([0.987, 0.873, 0.537, 0.254, 0.098]);
    expect(
      near(
        [0, 0.03, 0.06, 0.1].map((open) => pass(0.15, open)),
        2,
      ),
    ).toEqual([0.25, 0.23, 0.18, 0.12]);
    const ambiguity = { ...limits, di: 0 };
    expect(
      near(
        [0.1, 0.15, 0.2, 0.25].map((open) => pass(0, open, ambiguity)),
        3,
      ),
    ).toEqual([0.764, 0.471, 0.234, 0.096]);
  });

  it("is a probability and falls when more decisions are open", () => {
    fc.assert(
      fc.property(fc.integer({ min: 25, max: 300 }), probability, probability, probability, (n, p, c, u) => {
        const region = paperRegion(n, { limits });
        const truth = { indefensible: p, yes_if_indefensible: c, yes_if_defensible: u };
        const got = passProbability(n, region, truth);
        expect(got).toBeGreaterThanOrEqual(0);
        expect(got).toBeLessThanOrEqual(1);
        const more = passProbability(n, region, { ...truth, yes_if_defensible: u + (1 - u) / 2 });
        expect(more).toBeLessThanOrEqual(got + 1e-9);
      }),
    );
  });

  it("counts thresholds on counts: 27 of 30 pass 0.90", () => {
    expect(paperRegion(30, { limits }).mostYes).toHaveLength(4);
    expect(paperRegion(20, { limits: { ...limits, min_decisions: 20 } }).mostYes[0]).toBe(3);
    expect(paperRegion(24, { limits }).mostYes).toHaveLength(0);
    expect(() =>
      passProbability(
        5,
        { mostYes: new Int32Array(1) },
        { indefensible: 2, yes_if_indefensible: 0, yes_if_defensible: 0 },
      ),
    ).toThrow(RangeError);
  });
});

describe("regions of the gates", () => {
  it("certify with the counts that the e-values allow", () => {
    const { mostYes } = certifiedRegion(126, { limits });
    const largest = (r: number) => {
      let k = -1;
      while (Math.exp(-logOneSidedEValue(k + 1, 126, r)) <= 0.05) k += 1;
      return k;
    };
    expect(mostYes).toEqual(new Int32Array(largest(0.1) + 1).fill(largest(0.15)));
    expect(certifiedRegion(28, { limits }).mostYes).toHaveLength(0);
    expect(certifiedRegion(61, { limits, delta: 0.05 / 270 }).mostYes).toHaveLength(0);
  });

  it("are those of the gates themselves", () => {
    const di = fc.constantFrom(0.8, 0.85, 0.9, 0.95, 0.97);
    fc.assert(
      fc.property(fc.integer({ min: 25, max: 400 }), di, fc.nat(40), fc.nat(40), (n, floor, bad, yes) => {
        const own = { ...limits, di: floor };
        const counts = { n, indefensible: Math.min(bad, n), inverse_yes: Math.min(yes, n) };
        const cohort: GateCohort = { key: "x", ...counts, inverse_yes_pure: 0, unscored: 0 };
        const inside = (mostYes: Int32Array) => (mostYes[cohort.indefensible] ?? -1) >= cohort.inverse_yes;
        expect(inside(paperRegion(n, { limits: own }).mostYes)).toBe(paperGate([cohort], own)[0]);
        const tests = certifiedTests(cohort, own, 5);
        const certified = Math.max(tests.p_indefensible, tests.p_ambiguity) <= 0.05;
        expect(inside(certifiedRegion(n, { limits: own }).mostYes)).toBe(certified);
      }),
    );
  });

  it("of the shrunk gate hold the posterior risk within its limit, and one verdict more breaks it", () => {
    const { mostYes } = shrunkRegion(200, { limits });
    expect(mostYes.length).toBeGreaterThan(5);
    for (let x = 1; x < mostYes.length; x++) expect(mostYes[x]).toBeLessThanOrEqual(mostYes[x - 1]!);
    expect(shrunkRegion(200, { limits, risk: 0.1 }).mostYes.length).toBeGreaterThan(mostYes.length);
    // A fleet that is known to be bad lets nobody through at 25.
    const bad = { indefensible: { mean: 0.3, strength: 100 }, ambiguity: ASSUMED_PRIORS.ambiguity };
    expect(shrunkRegion(25, { limits, priors: bad }).mostYes).toHaveLength(0);
  });
});

describe("the operating characteristic", () => {
  const plan = planGate({ n: 25, limits });

  it("is a plan by its schema, with the counts that pass", () => {
    expect(planSchema.parse(plan)).toEqual(plan);
    expect(plan.passing_counts).toEqual({
      paper: { indefensible: 2, inverse_yes: 3 },
      shrunk: expect.objectContaining({ indefensible: expect.any(Number) }),
      certified: null,
    });
  });

  it("falls with the true rate in every mode, and certifies at the limit with at most δ", () => {
    for (const mode of ["paper", "shrunk", "certified"] as const) {
      plan.curve.forEach((point, i) => {
        if (i > 0) expect(point[mode]).toBeLessThanOrEqual(plan.curve[i - 1]![mode] + 1e-12);
      });
    }
    const many = planGate({ n: 400, limits, communities: 10, open: 0 });
    for (const point of many.curve) {
      if (point.indefensible >= 0.1) expect(point.certified).toBeLessThanOrEqual(0.005);
    }
  });

  it("does not count contradictions when AI_pure is limited", () => {
    const pure = planGate({ n: 100, limits: { ...limits, variable: "ai_pure" }, rates: [0.1] });
    const paper = planGate({ n: 100, limits, rates: [0.1] });
    expect(pure.curve[0]!.ambiguity).toBeCloseTo(0.027, 12);
    expect(paper.curve[0]!.ambiguity).toBeCloseTo(0.115, 12);
    expect(pure.curve[0]!.paper).toBeGreaterThan(paper.curve[0]!.paper);
  });
});
