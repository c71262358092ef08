import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/selective.js";
import { createRng, shuffle } from "../../../stats/random/create-rng.js";
import { learnThenTest } from "./learn-then-test.js";
import { groupScores } from "./score-groups.js";
import { drawRows, groupsOf, someRows, trueRisk } from "./selective.suite.js";

const choose = (groups: Parameters<typeof learnThenTest>[0], risk: number) =>
  learnThenTest(groups, { risk, delta: 0.1 });

describe.each(reference.datasets)("against brute force: $name", ({ score, loss, soft, ltt }) => {
  const groups = groupsOf(score, loss, soft);

  it.each(ltt)("learnThenTest at $risk, $delta, grid $grid, $starts starts", ({ threshold, ...options }) => {
    expect(learnThenTest(groups, options).threshold).toBe(threshold);
  });
});

describe("learnThenTest", () => {
  it("counts what its threshold automates, and does not depend on the order of rows", () => {
    fc.assert(
      fc.property(someRows, fc.constantFrom(0.05, 0.1, 0.3), fc.integer(), ({ score, loss }, risk, seed) => {
        const result = choose(groupsOf(score, loss), risk);
        const order = shuffle([...score.keys()], createRng(seed));
        const shuffled = groupsOf(
          order.map((i) => score[i]!),
          order.map((i) => loss[i]!),
        );
        expect(choose(shuffled, risk)).toEqual(result);
        expect(result.reason === null).toBe(result.threshold !== null);
        const automated = score.flatMap((s, i) =>
          s !== null && result.threshold !== null && s >= result.threshold ? [i] : [],
        );
        expect(result.coverage.n).toBe(score.length);
        if (score.length > 0) expect(result.coverage.estimate).toBe(automated.length / score.length);
        if (result.threshold === null) return;
        const k = automated.filter((i) => loss[i] === 1).length;
        expect(result.risk).toMatchObject({ k, n: automated.length });
        expect(result.risk.upper!).toBeLessThanOrEqual(risk + 1e-9);
        expect(result.risk.estimate!).toBeLessThanOrEqual(result.risk.upper!);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
    );
  });

  it("says why there is none: no rows, none scored, too few, too many indefensible", () => {
    const none = choose(groupScores(new Float64Array(0), new Uint8Array(0)), 0.05);
    expect(none).toMatchObject({ threshold: null, coverage: { estimate: null, n: 0 } });
    expect(none.reason).toMatch(/^no scored decisions/);
    const unscored = choose(groupScores(new Float64Array(100).fill(Number.NaN), new Uint8Array(100)), 0.05);
    expect(unscored).toMatchObject({ threshold: null, scored: 0, coverage: { estimate: 0, n: 100 } });
    expect(unscored.reason).toMatch(/^none of the 100 rows has a score/);
    const few = choose(groupScores(new Float64Array(10).fill(0.9), new Uint8Array(10)), 0.05);
    expect(few).toMatchObject({ threshold: null, risk: { estimate: null, upper: null } });
    expect(few.reason).toMatch(/^too few rows: 10.* needs at least \d+/);
    const bad = choose(groupScores(new Float64Array(500).fill(0.9), new Uint8Array(500).fill(1)), 0.05);
    expect(bad.threshold).toBeNull();
    expect(bad.reason).toMatch(/^rate too high: .*500/);
  });

  it("automates everything that is scored when nothing is indefensible", () => {
    const score = Float64Array.from({ length: 400 }, (_, i) => (i % 10 === 0 ? Number.NaN : i));
    expect(choose(groupScores(score, new Uint8Array(400)), 0.05)).toMatchObject({ threshold: 1, coverage: { k: 360 } });
  });

  it("refuses risks that are none and losses that are not 0 or 1", () => {
    const groups = groupScores(Float64Array.of(1), Uint8Array.of(0));
    for (const risk of [0, 1, -0.1, Number.NaN]) expect(() => choose(groups, risk)).toThrow(RangeError);
  });

  it("needs 59 clean rows for 5% at 95%, and says so", () => {
    const clean = (n: number) => groupScores(new Float64Array(n).fill(0.9), new Uint8Array(n));
    expect(learnThenTest(clean(58), { risk: 0.05, delta: 0.05 }).reason).toBe(
      "too few rows: 58 of 58 are scored; a risk of at most 5% at 95% confidence needs at least 59, all defensible",
    );
    expect(learnThenTest(clean(59), { risk: 0.05, delta: 0.05 }).threshold).toBe(0.9);
  });

  it("stops at the first failure, even if a later threshold would pass", () => {
    // 100 rows with 12 bad ones first, then 900 good ones: all of them together pass, the first tenth does not.
    const score = Float64Array.from({ length: 1000 }, (_, i) => 1 - i / 1000);
    const loss = Uint8Array.from({ length: 1000 }, (_, i) => (i < 100 && i % 8 === 0 ? 1 : 0));
    const groups = groupScores(score, loss);
    const one = learnThenTest(groups, { risk: 0.05, delta: 0.05, grid: 10, starts: 1 });
    expect(one).toMatchObject({ threshold: null, tested: [{ n: 100, k: 13, passed: false }] });
    expect(one.reason).toBe(
      "rate too high: 13 of the 100 rows with the highest scores are indefensible; a risk of at most 5% at 95% confidence allows 1",
    );
    const two = learnThenTest(groups, { risk: 0.05, delta: 0.05, grid: 10, starts: 2 });
    expect(two).toMatchObject({ threshold: score[999], delta: 0.05, risk: { k: 13, n: 1000 } });
    expect(two.tested.every(({ limit }) => limit === 0.025)).toBe(true);
  });

  it("takes thresholds fixed beforehand, also where no row has just that score", () => {
    const groups = groupsOf([0.9, 0.9, 0.7, 0.3], [0, 0, 0, 1]);
    const options = { risk: 0.6, delta: 0.5, starts: 1 };
    expect(learnThenTest(groups, { ...options, thresholds: [0.5, 0.95, 0.8] })).toMatchObject({
      threshold: 0.5,
      risk: { k: 0, n: 3 },
      tested: [{ threshold: 0.8 }, { threshold: 0.5 }],
    });
    expect(learnThenTest(groups, { ...options, thresholds: [0.95] }).reason).toMatch(/^none of the given thresholds/);
    expect(() => learnThenTest(groups, { ...options, thresholds: [Number.NaN] })).toThrow(RangeError);
    expect(() => learnThenTest(groups, { ...options, grid: 0 })).toThrow(RangeError);
    expect(() => learnThenTest(groups, { ...options, starts: 1.5 })).toThrow(RangeError);
    expect(() => learnThenTest(groups, { risk: 0.1, delta: 0 })).toThrow(RangeError);
  });
});

describe("promises, simulated with a fixed seed (long versions: test/simulations/selective.sim.ts)", () => {
  const risk = (score: number) => 0.2 * (1 - score);

  it("LTT exceeds the risk in at most a share δ of samples", () => {
    const rng = createRng("selective promises");
    let broken = 0;
    for (let sample = 0; sample < 400; sample += 1) {
      const { threshold } = learnThenTest(drawRows(300, risk, rng), { risk: 0.07, delta: 0.1 });
      if (threshold !== null && trueRisk(risk, threshold) > 0.07) broken += 1;
    }
    // δ plus two standard errors; and the test would notice a method that never automates.
    expect(broken / 400).toBeLessThan(0.13);
    expect(broken).toBeGreaterThan(0);
  });
});
