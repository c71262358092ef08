import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/plan.js";
import { planSchema } from "../../../core/results/plan.js";
import { binomialCdf, binomialPmf } from "../../../stats/distributions/incomplete-beta.js";
import { clopperPearsonInterval } from "../../../stats/intervals/proportion.js";
import { allowedFailures, certainSize, certifySize, zeroFailureSize } from "./certify-size.js";
import { jointSize, threadedSize } from "./joint-size.js";
import { ambiguityOf, holmPower, passProbability, truthFromIndices } from "./pass-probability.js";
import { planCertify } from "./plan-gate.js";

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

  it("are the known ones: 29, 46, 61, 76 and for 270 communities 82, 106, 127, 146", () => {
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

  it("say that 25 decisions certify nothing below 11.3%", () => {
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
    expect(certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 1 }).reason).toMatch(/not below the limit/);
    expect(() => certifySize({ limit: 0.1, delta: 0.05, power: 0.8, truth: 1.1 })).toThrow(RangeError);
    expect(() => certifySize({ limit: 0, delta: 0.05, power: 0.8, truth: 0 })).toThrow(RangeError);
    expect(() => zeroFailureSize(0.1, 1)).toThrow(RangeError);
  });
});

describe("power from some n on", () => {
  const fraction = (min: number, max: number) => fc.double({ min, max, noNaN: true });

  it("is what trying every n finds, whatever is asked for", () => {
    const settings = [fraction(0.01, 0.6), fraction(0.001, 0.9), fraction(0.05, 0.99), fraction(0, 0.9)] as const;
    fc.assert(
      fc.property(...settings, (limit, delta, power, share) => {
        const truth = limit * share;
        const end = certainSize({ limit, delta, power, truth });
        fc.pre(end <= 3000);
        let first: number | null = null;
        let last = 0;
        // Beyond `end` no n falls short, by Chernoff's bound; half as many more are tried to see that.
        for (let n = 1; n <= 1.5 * end + 10; n++) {
          const failures = allowedFailures(n, limit, delta);
          if (failures >= 0 && binomialCdf(failures, n, truth) >= power) first ??= n;
          else last = n;
        }
        expect(last).toBeLessThan(Math.max(2, end));
        const got = certifySize({ limit, delta, power, truth });
        expect([got.smallest!.n, got.from_then_on!.n]).toEqual([first, last + 1]);
      }),
      { numRuns: 60 },
    );
  });

  it("is not claimed where nobody can follow it", () => {
    const near = { limit: 0.1, delta: 0.6, power: 0.3, truth: 0.0999999 };
    expect(certainSize(near)).toBeGreaterThan(1e9);
    expect(certifySize(near)).toMatchObject({ smallest: { n: 5 }, from_then_on: null });
    expect(certifySize(near).reason).toBe("power would have to be followed beyond 2000000 decisions");
    expect(certainSize({ ...near, truth: 0.1 })).toBe(Infinity);
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
    for (const size of ["smallest", "from_then_on"] as const) {
      const { n, failures, inverse_yes, power } = want[size];
      expect(got[size]).toMatchObject({ n, failures, inverse_yes });
      expect(got[size]!.power).toBeCloseTo(power, 10);
    }
    expect(got.reason).toBeNull();
  });

  // Teeth of 1/limit decisions: a search that stops within one of them takes it for the rest.
  it.each([
    { limit: 0.01, aiLimit: 0.15, delta: 0.05, power: 0.84, truth: 0.0004, aiTruth: 0.01, want: [299, 473] },
    { limit: 0.005, aiLimit: 0.02, delta: 0.05, power: 0.95, truth: 0.0004, aiTruth: 0.003, want: [1258, 1258] },
    { limit: 0.01, aiLimit: 0.02, delta: 0.6, power: 0.8, truth: 0.003, aiTruth: 0.005, want: [69, 138] },
  ])("are right for every n up to 5,000: limits $limit and $aiLimit, power $power", ({ want, ...own }) => {
    const { limit, aiLimit, delta, power, aiTruth } = own;
    const truth = truthFromIndices(own.truth, aiTruth);
    let first: number | null = null;
    let last = 0;
    for (let n = 1; n <= 5000; n++) {
      const [failures, yes] = [allowedFailures(n, limit, delta), allowedFailures(n, aiLimit, delta)];
      const mostYes = new Int32Array(failures < 0 || yes < 0 ? 0 : failures + 1).fill(yes);
      if (passProbability(n, { mostYes }, truth) >= power) first ??= n;
      else last = n;
    }
    const got = jointSize({ limit, aiLimit, delta, power, truth, from: 1 });
    expect([got.smallest!.n, got.from_then_on!.n]).toEqual([first, last + 1]);
    expect([first, last + 1]).toEqual(want);
  });

  it("are null with the reason when more would be needed than are looked for", () => {
    const own = { limit: 0.1, aiLimit: 0.15, delta: 0.05, power: 0.8, truth: truthFromIndices(0.02, 0.07), from: 1 };
    expect(jointSize({ ...own, largest: 102 })).toEqual({
      smallest: null,
      from_then_on: null,
      reason: "more than 102 decisions",
    });
    expect(jointSize({ ...own, largest: 109 })).toMatchObject({
      smallest: { n: 103 },
      from_then_on: null,
      reason: "more than 109 decisions",
    });
    expect(jointSize({ ...own, largest: 110 }).from_then_on!.n).toBe(110);
  });

  it("leave the ambiguity test alone a power of 0.57 at n = 61 and AI = 7%", () => {
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

describe("threadedSize", () => {
  const options = { limit: 0.1, aiLimit: 0.99, truth: 0.03, aiTruth: 0.03, delta: 0.05, power: 0.5, sizes: [1, 2] };

  it("needs the more decisions the higher the cap: medians of threads of one or two", () => {
    const median = (cap: number) => threadedSize({ ...options, cap, draws: 200 }).n!;
    // Outside simulations: 91, 252, 503.
    expect(Math.abs(median(1) - 91)).toBeLessThan(15);
    expect(Math.abs(median(5) - 252)).toBeLessThan(40);
    expect(Math.abs(median(10) - 503)).toBeLessThan(80);
  });

  it("has no answer at the limit or beyond the largest size", () => {
    expect(threadedSize({ ...options, truth: 0.1, cap: 5 })).toMatchObject({ n: null, reason: expect.any(String) });
    expect(threadedSize({ ...options, cap: 5, draws: 20, largest: 50 }).reason).toBe("more than 50 decisions");
  });
});
