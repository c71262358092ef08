import { describe, expect, it } from "vitest";
import { slope } from "./group-means.js";

describe("the slope over temperature", () => {
  it("is exactly 0 where nothing changes, and has no sign by rounding alone", () => {
    for (const value of [1, 0.1, 43 / 48, 97.5 / 100]) {
      expect(slope([0.1, 1], [value, value])).toBe(0);
      expect(slope([0.1, 0.3, 0.7, 1], [value, value, value, value])).toBe(0);
    }
    // The same mean by another way: equal but for rounding.
    expect(slope([0.1, 1], [0.1 + 0.2, 0.3])).toBe(0);
  });

  it("is least squares where something does", () => {
    // scipy.stats.linregress([0.1, 0.3, 0.7, 1], [0.8, 0.77, 0.717, 0.703]).slope
    expect(slope([0.1, 0.3, 0.7, 1], [0.8, 0.77, 0.717, 0.703])).toBeCloseTo(-0.110_461_538_461_538, 12);
    expect(slope([0, 1], [0.5, 0.5 + 1e-9])).toBeCloseTo(1e-9, 15);
  });

  it("is none with a gap, or where x does not vary", () => {
    expect(slope([0.1, 1], [0.5, null])).toBeNull();
    expect(slope([0.5, 0.5], [0.1, 0.9])).toBeNull();
  });
});
