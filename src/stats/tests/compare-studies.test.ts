import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/paired.js";
import { normalQuantile } from "../distributions/normal.js";
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

  it.each(reference.studies)(
    "has the ends of the difference of two rates: $first.value and $second.value",
    ({ first, second, margin, wide, narrow, verdict }) => {
      const difference = first.value - second.value;
      const variance = {
        below: ((difference - wide[0]!) / normalQuantile(0.975)) ** 2,
        above: ((wide[1]! - difference) / normalQuantile(0.975)) ** 2,
      };
      expect(compareStudies({ difference, variance, margin })).toBe(verdict);
      // Same just when the 90% interval lies within the margin, different just when the 95% interval leaves 0 out.
      const least = Math.max(-narrow[0]!, narrow[1]!);
      expect(compareStudies({ difference, variance, margin: least + 1e-9 })).toBe("same");
      expect(compareStudies({ difference, variance, margin: least - 1e-9 })).not.toBe("same");
      for (const [end, away] of [
        [wide[0]!, 1e-9],
        [wide[1]!, -1e-9],
      ] as const) {
        expect(compareStudies({ difference: difference - end + away, variance, margin: 0 })).toBe("different");
        expect(compareStudies({ difference: difference - end - away, variance, margin: 0 })).toBe("undecided");
      }
      const turned = { below: variance.above, above: variance.below };
      expect(compareStudies({ difference: -difference, variance: turned, margin })).toBe(verdict);
      expect(compareStudies({ difference, variance: { below: 4e-5, above: 4e-5 }, margin })).toBe(
        compareStudies({ difference, variance: 4e-5, margin }),
      );
    },
  );

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
    expect(() => compareStudies({ difference: 0, variance: { below: 1, above: -1 }, margin: 1 })).toThrow(RangeError);
    expect(() => compareStudies({ difference: 0, variance: 1, margin: Infinity })).toThrow(RangeError);
  });
});
