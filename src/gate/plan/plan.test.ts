import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/plan.js";
import { planSchema } from "../../domain/plan.js";
import { binomialPmf } from "../../stats/binomial-pmf.js";
import { clopperPearsonInterval } from "../../stats/clopper-pearson-interval.js";
import { certifiedTests } from "../certified-tests.js";
import { type GateCohort, STANDARD_LIMITS } from "../gate-input.js";
import { paperGate } from "../paper-gate.js";
import { allowedFailures, certifySize, zeroFailureSize } from "./certify-size.js";
import { estimateSize } from "./estimate-size.js";
import { ASSUMED_PRIORS, certifiedRegion, paperRegion, shrunkRegion } from "./gate-region.js";
import { ambiguityOf, truthFromIndices, YES_IF_INDEFENSIBLE } from "./gate-truth.js";
import { holmPower } from "./holm-power.js";
import { jointSize } from "./joint-size.js";
import { pairedPower, pairedSize } from "./paired-size.js";
import { passProbability } from "./pass-probability.js";
import { planCertify } from "./plan-certify.js";
import { planGate } from "./plan-gate.js";
import { clusterSize, correlationSize, judgeCorrelation, labelSize } from "./small-sizes.js";

const limits = STANDARD_LIMITS;
const probability = fc.double({ min: 0, max: 1, noNaN: true });

describe("sizes to certify a rate", () => {
  it.each(reference.certify)("agree with every n tried in turn: $limit at $delta, truth $truth", (want) => {
    const got = certifySize(want);
    expect(got.smallest).toMatchObject({ n: want.smallest.n, failures: want.smallest.failures });
    expect(got.smallest!.power).toBeCloseTo(want.smallest.power, 10);
    expect(got.from_then_on).toMatchObject({ n: want.from_then_on.n, failures: want.from_then_on.failures });
    expect(got.from_then_on!.power).toBeCloseTo(want.from_then_on.power, 10);
    expect(got.zero_failures).toBe(want.first[0]);
    want.first.forEach((n, failures) => {
      expect(allowedFailures(n, want.limit, want.delta)).toBeGreaterThanOrEqual(failures);
      expect(allowedFailures(n - 1, want.limit, want.delta)).toBeLessThan(failures);
    });
  });

  it("are the ones that statistics A6(9) prints", () => {
    const firsts = (delta: number) =>
      planCertify({
        limit: 0.1,
        ai_limit: 0.15,
        delta,
        power: 0.8,
        truth: 0.02,
        ai_truth: 0.02,
        communities: 1,
      }).one_community.steps.map((step) => step.n);
    expect(firsts(0.05)).toEqual([29, 46, 61, 76]);
    expect(firsts(0.05 / 270)).toEqual([82, 106, 127, 146]);
    const size = (truth: number) => certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth }).smallest!.n;
    expect([0.02, 0.03, 0.05, 0.07].map(size)).toEqual([61, 76, 179, 549]);
    expect(zeroFailureSize(0.1, 0.05)).toBe(Math.ceil(Math.log(0.05) / Math.log(0.9)));
  });

  it("say that 25 decisions certify nothing below 11.3 %", () => {
    expect(allowedFailures(25, 0.1, 0.05)).toBe(-1);
    expect(clopperPearsonInterval(0, 25, 0.9).upper).toBeCloseTo(0.113, 3);
    expect(zeroFailureSize(0.113, 0.05)).toBe(25);
  });

  it("keep the error at the limit within δ, and more failures would not", () => {
    const fraction = fc.double({ min: 0.01, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fraction, fraction, (n, limit, delta) => {
        const allowed = allowedFailures(n, limit, delta);
        let error = 0;
        for (let k = 0; k <= allowed; k++) error += binomialPmf(k, n, limit);
        expect(error).toBeLessThanOrEqual(delta + 1e-9);
        expect(error + binomialPmf(allowed + 1, n, limit)).toBeGreaterThan(delta - 1e-9);
      }),
    );
  });

  it("are null with the reason when there is nothing to certify or it takes too many", () => {
    expect(certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 0.1 })).toEqual({
      zero_failures: 29,
      smallest: null,
      from_then_on: null,
      reason: "the true rate is not below the limit",
    });
    const far = certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 0.099, largest: 2000 });
    expect(far).toMatchObject({ smallest: null, reason: "more than 2000 decisions" });
    expect(() => certifySize({ limit: 0, delta: 0.05, power: 0.8, truth: 0 })).toThrow(RangeError);
    expect(() => zeroFailureSize(0.1, 1)).toThrow(RangeError);
  });
});

describe("probability to pass a gate", () => {
  it.each(reference.pass)("agrees with all counts enumerated: $n decisions, $mostYes", (want) => {
    const got = passProbability(want.n, { mostYes: Int32Array.from(want.mostYes) }, want);
    expect(got).toBeCloseTo(want.pass, 11);
  });

  it("is what statistics A6(9) prints for 25 decisions", () => {
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
  it("certify with the counts that the exact tests allow", () => {
    expect(certifiedRegion(61, { limits })).toEqual({ mostYes: new Int32Array(3).fill(4) });
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
        const tests = certifiedTests(cohort, own);
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

describe("both limits at once", () => {
  it.each(reference.joint)("need the n that trying every n finds: truth $truth, AI $ai_truth", (want) => {
    const got = jointSize({
      limit: want.limit,
      aiLimit: want.ai_limit,
      delta: want.delta,
      power: want.power,
      truth: truthFromIndices(want.truth, want.ai_truth),
      from: 20,
    });
    expect(got.smallest).toMatchObject({ n: want.n, failures: want.failures, inverse_yes: want.inverse_yes });
    expect(got.smallest!.power).toBeCloseTo(want.reached, 10);
    expect(got.from_then_on!.n).toBeGreaterThanOrEqual(want.n);
  });

  it("leave the ambiguity test alone a power of 0.57 at n = 61 and AI = 7 %", () => {
    const yes = allowedFailures(61, 0.15, 0.05);
    let power = 0;
    for (let k = 0; k <= yes; k++) power += binomialPmf(k, 61, 0.07);
    expect(power).toBeCloseTo(0.57, 2);
  });

  it("split an Ambiguity Index into contradictions and open cases, and back", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 0.4, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (p, ai) => {
          expect(ambiguityOf(truthFromIndices(p, ai))).toBeCloseTo(ai, 12);
        },
      ),
    );
  });
});

describe("Holm over several communities", () => {
  it.each(reference.holm)("agrees with all combinations judged by statsmodels: $communities of $n", (want) => {
    const got = holmPower(want);
    expect(got.expected_share).toBeCloseTo(want.expected_share, 10);
    expect(got.all).toBeCloseTo(want.all, 10);
  });

  it("lies between Bonferroni and a single test", () => {
    const count = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(
        count,
        fc.integer({ min: 20, max: 250 }),
        fc.double({ min: 0.005, max: 0.09, noNaN: true }),
        (communities, n, truth) => {
          const power = (delta: number) => {
            const allowed = allowedFailures(n, 0.1, delta);
            let sum = 0;
            for (let k = 0; k <= allowed; k++) sum += binomialPmf(k, n, truth);
            return sum;
          };
          const got = holmPower({ communities, n, limit: 0.1, delta: 0.05, truth });
          expect(got.expected_share).toBeGreaterThanOrEqual(power(0.05 / communities) - 1e-9);
          expect(got.expected_share).toBeLessThanOrEqual(power(0.05) + 1e-9);
          expect(got.all).toBeLessThanOrEqual(got.expected_share + 1e-12);
        },
      ),
    );
    expect(() => holmPower({ communities: 0, n: 10, limit: 0.1, delta: 0.05, truth: 0 })).toThrow(RangeError);
  });

  it("gives a plan for many communities", () => {
    const plan = planCertify({
      limit: 0.1,
      ai_limit: 0.15,
      delta: 0.05,
      power: 0.8,
      truth: 0.02,
      ai_truth: 0.05,
      communities: 270,
    });
    expect(plan.each_of_many!.steps.map((step) => step.n)).toEqual([82, 106, 127, 146]);
    expect(plan.holm!.n).toBeGreaterThan(plan.one_community.indefensible.smallest!.n);
    expect(plan.holm!.n).toBeLessThanOrEqual(plan.each_of_many!.indefensible.smallest!.n);
    expect(planSchema.parse(plan)).toEqual(plan);
  });
});

describe("sizes to estimate a rate", () => {
  it.each(reference.estimate)("agree with statsmodels at $rate ± $half_width", (want) => {
    const { rate, half_width, level } = want;
    const got = estimateSize({ rate, half_width, level });
    expect(got.normal).toBe(want.normal);
    expect(got.wilson).toBe(want.wilson);
    if (want.clopper_pearson !== null) expect(got.clopper_pearson).toBe(want.clopper_pearson);
  });

  it("refuse half-widths that are none", () => {
    expect(() => estimateSize({ rate: 0.1, half_width: 0, level: 0.95 })).toThrow(RangeError);
    expect(() => estimateSize({ rate: 1.5, half_width: 0.1, level: 0.95 })).toThrow(RangeError);
  });
});

describe("sizes of a paired comparison", () => {
  it.each(reference.paired)("have the power that all tables give: $test, $n pairs, $only_a and $only_b", (want) => {
    const test = want.test as "exact_p" | "mid_p";
    expect(pairedPower(test, want.n, want.only_a, want.only_b, want.alpha)).toBeCloseTo(want.power, 10);
  });

  it("are the first that reach the power, mid-p before exact", () => {
    const got = pairedSize({ only_a: 0.15, only_b: 0.05, alpha: 0.05, power: 0.8 });
    expect(got.exact.n).toBeGreaterThanOrEqual(got.mid_p.n!);
    for (const [test, size] of [
      ["exact_p", got.exact],
      ["mid_p", got.mid_p],
    ] as const) {
      expect(size.power).toBeGreaterThanOrEqual(0.8);
      expect(pairedPower(test, size.n! - 1, 0.15, 0.05, 0.05)).toBeLessThan(0.8);
    }
    expect(Math.abs(got.normal! - got.mid_p.n!)).toBeLessThan(20);
  });

  it("do not depend on which way is called A, and there are none without a difference", () => {
    const one = pairedSize({ only_a: 0.2, only_b: 0.1, alpha: 0.05, power: 0.9 });
    const other = pairedSize({ only_a: 0.1, only_b: 0.2, alpha: 0.05, power: 0.9 });
    expect([other.normal, other.exact.n, other.mid_p.n]).toEqual([one.normal, one.exact.n, one.mid_p.n]);
    expect(pairedSize({ only_a: 0.1, only_b: 0.1, alpha: 0.05, power: 0.8 })).toMatchObject({
      normal: null,
      reason: expect.stringMatching(/nothing to find/),
    });
    expect(pairedSize({ only_a: 0.011, only_b: 0.01, alpha: 0.05, power: 0.8 }).exact).toEqual({
      n: null,
      power: null,
    });
    expect(() => pairedSize({ only_a: 0.7, only_b: 0.5, alpha: 0.05, power: 0.8 })).toThrow(RangeError);
  });
});

describe("small sizes", () => {
  it("multiply by the design effect", () => {
    expect(clusterSize({ n: 100, cluster_size: 5, icc: 0.2 })).toMatchObject({
      design_effect: 1.8,
      n: 180,
      clusters: 36,
      effective_n: 100,
    });
    expect(clusterSize({ n: 100, cluster_size: 1, icc: 0.9 }).n).toBe(100);
    expect(() => clusterSize({ n: 1, cluster_size: 0, icc: 0 })).toThrow(RangeError);
    expect(() => clusterSize({ n: 1, cluster_size: 2, icc: 2 })).toThrow(RangeError);
  });

  it("of correlations are the textbook's", () => {
    // ((1.960 + 0.842)/atanh r)² + 3, rounded up: 782.7, 193.8, 84.9, 29.0 …
    const sizes = [0.1, 0.2, 0.3, 0.5].map(
      (correlation) => correlationSize({ correlation, alpha: 0.05, power: 0.8 }).n,
    );
    expect(sizes).toEqual([783, 194, 85, 30]);
    expect(correlationSize({ correlation: -0.3, alpha: 0.05, power: 0.8 }).n).toBe(85);
    expect(() => correlationSize({ correlation: 0, alpha: 0.05, power: 0.8 })).toThrow(RangeError);
  });

  it("of labels give the half-width they promise, and a useless auditor saves none", () => {
    const inputs = {
      rate: 0.08,
      half_width: 0.02,
      level: 0.95,
      decisions: 20000,
      sensitivity: null,
      specificity: null,
    };
    const good = labelSize({ ...inputs, correlation: 0.8 });
    const halfWidth = (n: number) => 1.959964 * Math.sqrt((0.0736 * 0.36) / n + (0.0736 * 0.64) / 20000);
    expect(halfWidth(good.labels!)).toBeLessThanOrEqual(0.02);
    expect(halfWidth(good.labels! - 1)).toBeGreaterThan(0.02);
    expect(labelSize({ ...inputs, correlation: 0 }).labels).toBe(good.labels_alone);
    expect(labelSize({ ...inputs, correlation: 1 }).labels).toBe(2);
    expect(labelSize({ ...inputs, decisions: 100, correlation: 0.9 })).toMatchObject({
      labels: null,
      reason: expect.stringMatching(/even if all/),
    });
  });

  it("turn error rates into a correlation", () => {
    expect(judgeCorrelation(0.1, 1, 1)).toBeCloseTo(1, 12);
    expect(judgeCorrelation(0.1, 0.3, 0.7)).toBeCloseTo(0, 12);
    expect(judgeCorrelation(0.1, 0, 1)).toBe(0);
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
