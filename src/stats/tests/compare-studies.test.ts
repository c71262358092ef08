import { describe, expect, it } from "vitest";
import { compareStudies } from "./two-proportion-test.js";

describe("compareStudies", () => {
  // Limits by scipy.stats.norm.ppf: 1.6448536 and 1.9599640 standard errors.
  it.each([
    ["a small difference, precisely", 0.001, 0.005, 0.02, "same"],
    ["at the edge of the margin, and significant", 0.02 - 1.6448536 * 0.005, 0.005, 0.02, "different"],
    ["just inside of it", 0.02 - 1.6449 * 0.005, 0.005, 0.02, "same"],
    ["a large difference", 0.05, 0.005, 0.02, "different"],
    ["just significant", 1.96 * 0.03, 0.03, 0.02, "different"],
    ["not quite significant", 1.9599 * 0.03, 0.03, 0.02, "undecided"],
    ["nothing known", 0, 1, 0.02, "undecided"],
    ["significant and within the margin", 0.01, 0.001, 0.02, "same"],
    ["no sampling error at all", 0.021, 0, 0.02, "different"],
    ["exactly equal, without a margin", 0, 0, 0, "same"],
  ] as const)("%s", (_, difference, se, margin, verdict) => {
    expect(compareStudies({ difference, variance: se * se, margin })).toBe(verdict);
    expect(compareStudies({ difference: -difference, variance: se * se, margin })).toBe(verdict);
  });

  it("never calls a less precise study the same where a more precise one was not", () => {
    for (let d = 0; d < 0.06; d += 0.003) {
      const found = [0.001, 0.004, 0.016, 0.064].map((se) =>
        compareStudies({ difference: d, variance: se * se, margin: 0.02 }),
      );
      found.forEach((verdict, i) => {
        if (i > 0 && verdict === "same") expect(found[i - 1]).toBe("same");
      });
    }
  });

  it("refuses what is no number", () => {
    expect(() => compareStudies({ difference: Number.NaN, variance: 1, margin: 1 })).toThrow(RangeError);
    expect(() => compareStudies({ difference: 0, variance: -1, margin: 1 })).toThrow(RangeError);
    expect(() => compareStudies({ difference: 0, variance: 1, margin: Infinity })).toThrow(RangeError);
  });
});
