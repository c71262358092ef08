import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temperToUnit } from "./candidates.js";
import {
  EQUAL_WEIGHTS,
  inverseLogOdds,
  labelConfidence,
  probabilisticDefensibilitySignal,
  weightEntropy,
} from "./components.js";
import { PAPER_WEIGHTS } from "./weights.js";

describe("labelConfidence", () => {
  it("is the log of the largest probability", () => {
    expect(labelConfidence([0.2, 0.7, 0.1])).toEqual({ level: 2, lambda_nats: Math.log(0.7), tie: false });
  });

  it("gives a tie to the most severe level and says so", () => {
    expect(labelConfidence([0.4, 0.4, 0.2])).toMatchObject({ level: 2, tie: true });
    expect(labelConfidence([0.4, 0.2, 0.4])).toMatchObject({ level: 3, tie: true });
    expect(labelConfidence([1 / 3, 1 / 3, 1 / 3])).toEqual({ level: 3, lambda_nats: Math.log(1 / 3), tie: true });
    expect(labelConfidence([0.1 + 0.2, 0.3, 0.4])).toMatchObject({ level: 3, tie: false });
    expect(labelConfidence([0.1 + 0.2 + 0.1, 0.4, 0.2])).toMatchObject({ level: 2, tie: true });
  });
});

describe("weightEntropy", () => {
  it("is 0 bits when certain and log2 3 when uniform", () => {
    expect(weightEntropy([0, 1, 0])).toBe(0);
    expect(weightEntropy([1 / 3, 1 / 3, 1 / 3])).toBeCloseTo(Math.log2(3), 12);
    expect(weightEntropy([0.5, 0.25, 0.25])).toBe(1.5);
    // To the last digit, or ranks would see an order among equals.
    expect(weightEntropy([1 / 9, 7 / 9, 1 / 9])).toBe(weightEntropy([7 / 9, 1 / 9, 1 / 9]));
    expect(weightEntropy([0.1, 0.2, 0.7])).toBe(weightEntropy([0.7, 0.1, 0.2]));
  });
});

describe("inverseLogOdds", () => {
  it("is the logit of P(Yes)", () => {
    expect(inverseLogOdds([0.75, 0.25]).log_odds).toBeCloseTo(Math.log(3), 12);
    expect(inverseLogOdds([0.75, 0.25]).yes_prob).toBe(0.75);
  });

  it("never gives an infinity", () => {
    expect(inverseLogOdds([1, 0], "paper")).toEqual({ log_odds: null, yes_prob: 1 });
    expect(inverseLogOdds([0, 1], "paper")).toEqual({ log_odds: null, yes_prob: 0 });
    expect(inverseLogOdds([1, 0]).log_odds).toBeCloseTo(12 * Math.log(10), 9);
  });
});

describe("temperToUnit", () => {
  it("undoes a temperature: (.8, .2) at T = 2 was (16/17, 1/17)", () => {
    const back = temperToUnit([Math.log(0.8), Math.log(0.2)], 2).map(Math.exp);
    expect(back[0]).toBeCloseTo(16 / 17, 12);
    expect(back[1]).toBeCloseTo(1 / 17, 12);
  });

  it("keeps the listed total, sentinels and a greedy list as they are", () => {
    const back = temperToUnit([Math.log(0.5), -9999, Math.log(0.1)], 0.5);
    expect(Math.exp(back[0]!) + Math.exp(back[2]!)).toBeCloseTo(0.6, 12);
    expect(back[1]).toBe(-9999);
    expect(temperToUnit([-1, -2], 0)).toEqual([-1, -2]);
    expect(temperToUnit([-9999], 0.5)).toEqual([-9999]);
  });
});

describe("probabilisticDefensibilitySignal", () => {
  const parts = { lambda_nats: 0, h_weight_bits: 0, h_citation_bits: null, inverse_yes_prob: 0.93 };

  it("gives the paper's mean for indefensible decisions: exp(-0.36 · 0.93) = 0.715", () => {
    expect(probabilisticDefensibilitySignal(parts, PAPER_WEIGHTS)).toBeCloseTo(0.7156, 4);
  });

  it("cannot fall below 0.343 with the paper's weights", () => {
    const worst = {
      lambda_nats: Math.log(1 / 3),
      h_weight_bits: Math.log2(3),
      h_citation_bits: null,
      inverse_yes_prob: 1,
    };
    expect(probabilisticDefensibilitySignal(worst, PAPER_WEIGHTS)).toBeCloseTo(0.343, 3);
  });

  it("weighs the entropy its weights name, and is undefined without it", () => {
    const weights = { ...EQUAL_WEIGHTS, component: "h_kappa" as const };
    expect(probabilisticDefensibilitySignal(parts, weights)).toBeNull();
    expect(probabilisticDefensibilitySignal({ ...parts, h_citation_bits: 3 }, weights)).toBeCloseTo(
      Math.exp(-1.31),
      12,
    );
    expect(probabilisticDefensibilitySignal({ ...parts, lambda_nats: null }, PAPER_WEIGHTS)).toBeNull();
    expect(probabilisticDefensibilitySignal({ ...parts, inverse_yes_prob: null }, PAPER_WEIGHTS)).toBeNull();
  });

  it("lies in (0, 1] and falls when one part worsens", () => {
    const part = fc.tuple(
      fc.double({ min: -Math.log(3), max: 0, noNaN: true }),
      fc.double({ min: 0, max: 1.585, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(part, ([lambda_nats, h_weight_bits, inverse_yes_prob]) => {
        const components = { lambda_nats, h_weight_bits, inverse_yes_prob, h_citation_bits: null };
        const s = probabilisticDefensibilitySignal(components, EQUAL_WEIGHTS)!;
        expect(s).toBeGreaterThan(0);
        expect(s).toBeLessThanOrEqual(1);
        const worse = probabilisticDefensibilitySignal({ ...components, inverse_yes_prob: 1 }, EQUAL_WEIGHTS)!;
        expect(worse).toBeLessThanOrEqual(s);
      }),
    );
  });
});
