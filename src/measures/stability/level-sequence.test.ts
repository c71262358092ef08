import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { logMixtureEValue } from "../../stats/tests/mixture-e-value.js";
import { BOUNDARY_THRESHOLDS, CLASS_THRESHOLDS, LevelSequence } from "./level-sequence.js";
import { falseSettlements } from "./settlements.suite.js";

describe("LevelSequence", () => {
  it("excludes a threshold exactly when its e-value reaches 1/α, or 3/α for the class", () => {
    const sequence = new LevelSequence(0.05);
    for (let t = 1; t <= 120; t += 1) {
      sequence.addLevel(1);
      const boundary = BOUNDARY_THRESHOLDS.every((p) => logMixtureEValue(0, t, p) >= Math.log(20));
      expect(sequence.boundary().value).toBe(boundary ? "stably_defensible" : null);
      const top = logMixtureEValue(t, t, CLASS_THRESHOLDS[0]) >= Math.log(60);
      expect(sequence.class().value).toBe(top ? "rock_solid" : null);
    }
    // By scipy's betaln: 53 defensible audits in a row exclude a share of level 3 of 10%.
    expect(sequence.boundary().at).toBe(53);
    expect(sequence.class()).toMatchObject({ value: null });
  });

  it("says what a case lies between while it is not settled", () => {
    const sequence = new LevelSequence(0.05);
    expect(sequence.boundary().between).toHaveLength(3);
    expect(sequence.class().between).toHaveLength(4);
    for (let i = 0; i < 60; i += 1) sequence.addLevel(i % 2 === 0 ? 1 : 3);
    expect(sequence.boundary()).toMatchObject({ value: "boundary_unstable" });
    expect(sequence.class().between).toEqual(["moderate", "highly_unstable"]);
  });

  it("keeps what it has settled, whatever comes after", () => {
    const level = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(fc.array(level, { maxLength: 150 }), fc.array(level, { maxLength: 150 }), (before, later) => {
        const sequence = new LevelSequence(0.1);
        for (const one of before) sequence.addLevel(one);
        const [boundary, own] = [sequence.boundary(), sequence.class()];
        for (const one of later) sequence.addLevel(one);
        if (boundary.value) expect(sequence.boundary()).toEqual(boundary);
        if (own.value) expect(sequence.class()).toEqual(own);
        // What is excluded stays excluded.
        for (const state of sequence.boundary().between) expect(boundary.between).toContain(state);
        for (const state of sequence.class().between) expect(own.between).toContain(state);
      }),
    );
  });

  it("takes probabilities as it takes draws, and only their sums count", () => {
    const [drawn, soft] = [new LevelSequence(0.05), new LevelSequence(0.05)];
    for (let i = 0; i < 200; i += 1) {
      drawn.addLevel(i % 2 === 0 ? 3 : 1);
      soft.add(0.5, 0, 0.5);
    }
    expect(soft.sums[2]).toBeCloseTo(drawn.sums[2], 9);
    expect(soft.interval().lower).toBeCloseTo(drawn.interval().lower, 9);
    expect(soft.boundary().value).toBe("boundary_unstable");
    // A thousand tenths add up to more than 100 by rounding; the sum must stay a sum.
    const tenths = new LevelSequence(0.05);
    for (let i = 0; i < 1000; i += 1) tenths.add(1, 0, 0);
    expect(tenths.sums[0]).toBe(1000);
  });

  it("settles wrongly in at most α of the cases, even at the worst shares", () => {
    const wrong = falseSettlements({ cases: 150, most: 200, alpha: 0.1, rng: createRng(11) });
    for (const { rate } of wrong) expect(rate).toBeLessThanOrEqual(0.1);
    expect(wrong.some(({ settled }) => settled > 0)).toBe(true);
  });

  it("refuses an α that is no probability", () => {
    for (const alpha of [0, 1, Number.NaN]) expect(() => new LevelSequence(alpha)).toThrow(RangeError);
  });
});
