import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/selective.js";
import { relativeError } from "../../../../test/references/stats.js";
import { createRng, shuffle } from "../../../stats/random/create-rng.js";
import { conformalRiskControl, selectGuaranteedRisk } from "./other-thresholds.js";
import { groupScores, type ScoreGroups } from "./score-groups.js";
import { drawRows, groupsOf, jointRisk, someRows, trueRisk } from "./selective.suite.js";

describe.each(reference.datasets)("against brute force: $name", ({ score, loss, soft, sgr, crc }) => {
  const groups = groupsOf(score, loss, soft);

  it.each(sgr)("selectGuaranteedRisk at $risk, $delta", ({ threshold, upper, ...options }) => {
    const result = selectGuaranteedRisk(groups, options);
    expect(result.threshold).toBe(threshold);
    if (upper === null) expect(result.risk.upper).toBeNull();
    else expect(relativeError(result.risk.upper!, upper)).toBeLessThan(1e-10);
  });

  it.each(crc)("conformalRiskControl at $risk", ({ threshold, risk }) => {
    expect(conformalRiskControl(groups, { risk }).threshold).toBe(threshold);
  });
});

describe.each([
  {
    name: "selectGuaranteedRisk",
    choose: (groups: ScoreGroups, risk: number) => selectGuaranteedRisk(groups, { risk, delta: 0.1 }),
  },
  {
    name: "conformalRiskControl",
    choose: (groups: ScoreGroups, risk: number) => conformalRiskControl(groups, { risk }),
  },
])("$name", ({ name, choose }) => {
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
        if (result.threshold === null) return;
        const automated = score.flatMap((s, i) => (s !== null && s >= result.threshold! ? [i] : []));
        expect(result.coverage).toMatchObject({ k: automated.length, n: score.length });
        const k = automated.filter((i) => loss[i] === 1).length;
        expect(result.risk).toMatchObject({ k, n: name === "conformalRiskControl" ? score.length : automated.length });
        expect(result.risk.estimate!).toBeLessThanOrEqual(result.risk.upper!);
        expect(result.risk.upper!).toBeLessThanOrEqual(risk + 1e-9);
      }),
    );
  });

  it("says why there is none: no rows, none scored, too few, too many indefensible", () => {
    const reason = (rows: number, score: number, loss: 0 | 1) =>
      choose(groupScores(new Float64Array(rows).fill(score), new Uint8Array(rows).fill(loss)), 0.05).reason;
    expect(reason(0, 0.9, 0)).toMatch(/^no scored decisions/);
    expect(reason(100, Number.NaN, 0)).toMatch(/^none of the 100 rows has a score/);
    expect(reason(10, 0.9, 0)).toMatch(/^too few rows: 10.* needs at least \d+/);
    expect(reason(500, 0.9, 1)).toMatch(/^rate too high: .*500/);
  });

  it("refuses risks outside 0 to 1 and rows with weights", () => {
    const [score, loss] = [Float64Array.of(1), Uint8Array.of(0)];
    for (const risk of [0, 1, -0.1, Number.NaN])
      expect(() => choose(groupScores(score, loss), risk)).toThrow(RangeError);
    expect(() => choose(groupScores(score, loss, Float64Array.of(2)), 0.1)).toThrow(RangeError);
  });
});

describe("conformalRiskControl", () => {
  it("allows exactly α(n + 1) − 1 indefensible rows", () => {
    const groups = groupsOf([0.9, 0.8, 0.7, ...Array<null>(96).fill(null)], [1, 1, 1, ...Array<number>(96).fill(0)]);
    expect(conformalRiskControl(groups, { risk: 0.03 })).toMatchObject({
      threshold: 0.8,
      risk: { k: 2, n: 99, upper: 0.03 },
    });
    expect(conformalRiskControl(groups, { risk: 0.0299 }).threshold).toBe(0.9);
    expect(conformalRiskControl(groups, { risk: 0.01 }).reason).toMatch(/^rate too high/);
    expect(conformalRiskControl(groups, { risk: 0.0099 }).reason).toBe(
      "too few rows: 99; a joint risk of at most 0.99% needs at least 101",
    );
  });
});

describe("selectGuaranteedRisk", () => {
  it("tests at most ⌈log2(g + 1)⌉ thresholds and keeps the lowest that passed, not the last it saw", () => {
    let lastFailed = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const groups = drawRows(1000, (s) => (1 - s) / 5, createRng(seed));
      const result = selectGuaranteedRisk(groups, { risk: 0.05, delta: 0.05 });
      expect(result.tested.length).toBeLessThanOrEqual(10);
      const passed = result.tested.filter((test) => test.passed).map((test) => test.threshold);
      expect(result.threshold).toBe(passed.length > 0 ? Math.min(...passed) : null);
      if (passed.length > 0 && !result.tested.at(-1)!.passed) lastFailed += 1;
    }
    expect(lastFailed).toBeGreaterThan(0);
  });

  it("refuses losses between 0 and 1", () => {
    expect(() => selectGuaranteedRisk(groupsOf([1], [0.5], true), { risk: 0.1, delta: 0.1 })).toThrow(RangeError);
  });
});

describe("promises, simulated with a fixed seed", () => {
  const risk = (score: number) => 0.2 * (1 - score);

  it("SGR exceeds the risk in at most a share δ of samples", () => {
    const rng = createRng("selective promises");
    let broken = 0;
    for (let sample = 0; sample < 400; sample += 1) {
      const { threshold } = selectGuaranteedRisk(drawRows(300, risk, rng), { risk: 0.07, delta: 0.1 });
      if (threshold !== null && trueRisk(risk, threshold) > 0.07) broken += 1;
    }
    expect(broken / 400).toBeLessThan(0.13);
  });

  it("CRC keeps the mean joint risk at most α, and near it", () => {
    const rng = createRng("crc promise");
    let sum = 0;
    for (let sample = 0; sample < 400; sample += 1) {
      const { threshold } = conformalRiskControl(drawRows(200, risk, rng), { risk: 0.05 });
      if (threshold !== null) sum += jointRisk(risk, threshold);
    }
    expect(sum / 400).toBeLessThan(0.051);
    expect(sum / 400).toBeGreaterThan(0.04);
  });
});
