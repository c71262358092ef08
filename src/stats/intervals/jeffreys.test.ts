import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jeffreysProbabilities } from "./proportion.js";

describe("jeffreysProbabilities", () => {
  it("adds half a draw to each category", () => {
    expect(jeffreysProbabilities([3, 1, 0])).toEqual([3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5]);
    expect(jeffreysProbabilities([0, 0])).toEqual([0.5, 0.5]);
    expect(jeffreysProbabilities([])).toEqual([]);
  });

  it("sums to 1, keeps the order of the counts and never reaches 0 or 1", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1e6 }), { minLength: 2, maxLength: 9 }), (counts) => {
        const probs = jeffreysProbabilities(counts);
        expect(probs.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        probs.forEach((p, i) => {
          expect(p > 0 && p < 1).toBe(true);
          if (i > 0) expect(Math.sign(p - probs[i - 1]!)).toBe(Math.sign(counts[i]! - counts[i - 1]!));
        });
      }),
    );
  });

  it("refuses what is no count", () => {
    for (const count of [-1, 0.5, Number.NaN]) expect(() => jeffreysProbabilities([count, 1])).toThrow(RangeError);
  });
});
