import { describe, expect, it } from "vitest";
import { RATERS, simulatedRatings } from "./datasets.js";

const truths = Array.from({ length: 400 }, (_, i) => ({
  decision_id: `d${i}`,
  level: ((i % 3) + 1) as 1 | 2 | 3,
  inverse: i % 2 === 0,
}));

const rightShare = (labels: ReturnType<typeof simulatedRatings>) => {
  const level = new Map(truths.map((truth) => [truth.decision_id, truth.level]));
  return labels.filter((label) => label.level === level.get(label.decision_id)).length / labels.length;
};

describe("simulated ratings", () => {
  it("are the truth without errors", () => {
    const labels = simulatedRatings(truths, { raters: 2, case_error: 0, rater_error: 0, seed: 1 });
    expect(labels).toHaveLength(2 * truths.length);
    expect(rightShare(labels)).toBe(1);
    expect(labels.every(({ inverse }, i) => inverse === truths[Math.floor(i / 2)]!.inverse)).toBe(true);
  });

  it("err as often as stated", () => {
    const { raters, case_error: seen, rater_error: missed } = RATERS;
    // Right: seen rightly and given so, or seen at another level and missed back to the true one of two.
    const expected = (1 - seen) * (1 - missed) + (seen * missed) / 2;
    // 400 cases whose shares have a standard deviation below 0.25 each.
    expect(rightShare(simulatedRatings(truths, { ...RATERS, seed: 3 }))).toBeGreaterThan(expected - 0.04);
    expect(rightShare(simulatedRatings(truths, { ...RATERS, seed: 3 }))).toBeLessThan(expected + 0.04);
    expect(raters).toBe(121);
  });

  it("miss a case alike where they misread it", () => {
    const labels = simulatedRatings(truths, { raters: 3, case_error: 1, rater_error: 0, seed: 1 });
    expect(rightShare(labels)).toBe(0);
    for (let i = 0; i < labels.length; i += 3) {
      expect(new Set(labels.slice(i, i + 3).map(({ level }) => level)).size).toBe(1);
    }
  });

  it("are marked, and the same for the same seed and case whatever the other cases", () => {
    const settings = { ...RATERS, raters: 4, seed: 9 };
    const all = simulatedRatings(truths, settings);
    const one = simulatedRatings(truths.slice(7, 8), settings);
    expect(one).toEqual(all.slice(28, 32));
    expect(all.every(({ simulated, rater }) => simulated === true && rater?.startsWith("simulated-"))).toBe(true);
  });
});
