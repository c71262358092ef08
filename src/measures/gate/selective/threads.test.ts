import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/selective.js";
import { relativeError } from "../../../../test/references/stats.js";
import { wilsonInterval } from "../../../stats/intervals/proportion.js";
import { createRng, shuffle } from "../../../stats/random/create-rng.js";
import { coverageAtRisk } from "./aurc.js";
import { chooseThresholds } from "./choose-thresholds.js";
import { learnThenTest } from "./learn-then-test.js";
import { conformalRiskControl, selectGuaranteedRisk } from "./other-thresholds.js";
import { groupScores, type ScoreGroups } from "./score-groups.js";

const LIMITS = { risk: 0.1, delta: 0.05 };

/** n rows in threads of one size, with scores that know nothing; the first threads are wholly bad. */
function waves(n: number, size: number, bad: number, cap = 5): ScoreGroups {
  const rng = createRng("noise");
  const score = Float64Array.from({ length: n }, () => rng.next());
  const of = Int32Array.from(score, (_, i) => Math.floor(i / size));
  return groupScores(
    score,
    Uint8Array.from(of, (thread) => (thread < bad ? 1 : 0)),
    undefined,
    { of, cap },
  );
}

describe.each(reference.threads)("rows in threads, against numpy: $name", ({ score, loss, thread, weight, ltt }) => {
  const scores = Float64Array.from(score, (value) => value ?? Number.NaN);
  const groups = (cap: number, order = [...scores.keys()]) =>
    groupScores(
      Float64Array.from(order, (i) => scores[i]!),
      Uint8Array.from(order, (i) => loss[i]!),
      weight ? Float64Array.from(order, (i) => weight[i]!) : undefined,
      { of: Int32Array.from(order, (i) => thread[i]!), cap },
    );

  it.each(ltt)("at $risk, $delta, cap $cap, $starts starts", ({ cap, threshold, upper, tested, ...options }) => {
    const found = learnThenTest(groups(cap), options);
    expect(found.threshold).toBe(threshold);
    expect(found.tested.map((test) => test.threshold).sort((a, b) => b - a)).toEqual(
      tested.map((test) => test.threshold),
    );
    for (const test of tested) {
      const { p } = found.tested.find((one) => one.threshold === test.threshold)!;
      expect(relativeError(p, test.p)).toBeLessThan(1e-9);
    }
    if (upper === null) expect(found.risk.upper).toBeNull();
    else expect(found.risk.upper!).toBeCloseTo(upper, 9);
    const shuffled = shuffle([...scores.keys()], createRng("another order"));
    expect(learnThenTest(groups(cap, shuffled), options).threshold).toBe(threshold);
  });
});

describe("rows in threads", () => {
  it("prove nothing by one large thread, however many rows it has", () => {
    expect(learnThenTest(waves(800, 40, 0), LIMITS)).toMatchObject({
      threshold: null,
      reason: expect.stringMatching(
        /^too few threads: 800 scored rows in 20; a risk of at most 10% at 95% confidence, counting at most 5 decisions of any one thread, needs at least \d+ such threads, all defensible$/,
      ),
    });
    const needed = Number(/at least (\d+) such/.exec(learnThenTest(waves(800, 40, 0), LIMITS).reason!)![1]);
    // As many as D1 needs of units that count fully, at δ/2 for two starts.
    expect(needed).toBeGreaterThan(36);
    const lenient = { ...LIMITS, thresholds: [0] };
    expect(learnThenTest(waves(40 * needed, 40, 0), { ...lenient, starts: 2 }).threshold).toBe(0);
    expect(learnThenTest(waves(40 * (needed - 1), 40, 0), { ...lenient, starts: 2 }).threshold).toBeNull();
  });

  it("are no threads where no row has one: the same numbers as without", () => {
    const rng = createRng("alone");
    const score = Float64Array.from({ length: 500 }, () => rng.next());
    const loss = Uint8Array.from(score, () => (rng.next() < 0.03 ? 1 : 0));
    const of = new Int32Array(500).fill(-1);
    const weight = Float64Array.from(score, () => 1 + rng.int(3));
    for (const weights of [undefined, weight]) {
      const [plain, alone] = [groupScores(score, loss, weights), groupScores(score, loss, weights, { of, cap: 5 })];
      expect(learnThenTest(alone, LIMITS)).toEqual(learnThenTest(plain, LIMITS));
      expect(coverageAtRisk(alone, LIMITS)).toEqual(coverageAtRisk(plain, LIMITS));
    }
  });

  it("count a row without a thread as a thread of one where others have one", () => {
    const [score, loss] = [new Float64Array(6).fill(0.5), Uint8Array.of(1, 0, 0, 0, 1, 0)];
    const { units, effective } = groupScores(score, loss, undefined, { of: Int32Array.of(7, 7, 7, 7, -1, -1), cap: 3 });
    expect(units!(6)).toEqual([
      { weight: 1, value: 0.25 },
      { weight: 1 / 3, value: 1 },
      { weight: 1 / 3, value: 0 },
    ]);
    expect(effective).toBe(36 / 18);
  });

  it("do not pass by what is proven of a part of each thread where the observed rate is above the limit", () => {
    // 200 threads of one and one of 60, wholly bad: of 5 of its decisions a small share.
    const score = new Float64Array(860).fill(0.9);
    const of = Int32Array.from(score, (_, i) => (i < 800 ? i : 800));
    const loss = Uint8Array.from(of, (thread) => (thread === 800 ? 1 : 0));
    const found = learnThenTest(groupScores(score, loss, undefined, { of, cap: 5 }), { risk: 0.05, delta: 0.05 });
    expect(found.tested[0]!.p).toBeLessThan(found.tested[0]!.limit);
    expect(found).toMatchObject({ threshold: null, tested: [{ passed: false, k: 60, n: 860 }] });
    expect(found.reason).toBe(
      "60 of the 860 rows with the highest scores are indefensible; counting at most 5 decisions of any one thread, they do not prove a risk of at most 5% at 95% confidence",
    );
  });

  it("have an interval of coverage at (Σn_t)²/Σn_t² rows", () => {
    const groups = waves(4000, 10, 4);
    const { coverage } = coverageAtRisk(groups, { ...LIMITS, risk: 0.0099 }).empirical;
    expect(coverage.estimate).toBeGreaterThan(0);
    expect(coverage).toMatchObject({ n: 4000, ...wilsonInterval(400 * coverage.estimate!, 400) });
  });

  it("are refused by methods that suppose independent rows, and for invalid threads", () => {
    const groups = waves(400, 4, 0);
    expect(() => conformalRiskControl(groups, { risk: 0.1 })).toThrow(RangeError);
    expect(() => selectGuaranteedRisk(groups, LIMITS)).toThrow(RangeError);
    const [score, loss] = [new Float64Array(3), new Uint8Array(3)];
    for (const [of, cap] of [
      [[0, 1], 5],
      [[0, 1, -2], 5],
      [[0, 1, 2], 0],
    ] as const) {
      expect(() => groupScores(score, loss, undefined, { of: Int32Array.from(of), cap })).toThrow(RangeError);
    }
  });
});

describe("thresholds of a fleet with threads", () => {
  it("have the threads of their own rows as units, and say of which rate they promise", () => {
    const groups = waves(1000, 4, 3);
    expect(groups.threads).toEqual({ cap: 5 });
    const rng = createRng("noise");
    const score = Float64Array.from({ length: 1000 }, () => rng.next());
    const thread = Int32Array.from(score, (_, i) => Math.floor(i / 4));
    const indefensible = Uint8Array.from(thread, (one) => (one < 3 ? 1 : 0));
    const rows = { score, indefensible, thread, community: new Int32Array(1000), communities: ["c"] };
    const choice = chooseThresholds(rows, LIMITS);
    expect(choice.by_community.c).toEqual(learnThenTest(groups, LIMITS));
    expect(choice.promise).toMatch(/indefensible, counting at most 5 decisions of any one thread;/);
    expect(chooseThresholds(rows, { ...LIMITS, threadCap: 1 }).promise).toMatch(/counting one decision of any one/);
    const { thread: _, ...alone } = rows;
    expect(chooseThresholds(alone, LIMITS).promise).not.toMatch(/thread;/);
  });
});
