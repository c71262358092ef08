import { describe, expect, it } from "vitest";
import { paperPresetRates } from "./paper-preset.suite.js";
import { presetWorld } from "./presets.js";

describe("the preset of the paper", () => {
  it.each(paperPresetRates(0.08, 5))("$name agrees with the published rate, at a twelfth of the size", (rate) => {
    expect(Math.abs(rate.observed - rate.published)).toBeLessThan(4 * rate.standardError);
  });

  it("has the paper's sizes", () => {
    const { cohorts } = presetWorld("paper");
    const decisions = Object.fromEntries(cohorts.map((cohort) => [cohort.name, cohort.decisions]));
    expect(decisions).toEqual({
      random: 26_984,
      balanced: 19_899,
      underspecification: 37_286,
      fleet: 109_186,
      expert: 199,
    });
    // 82 of the Random Sample's 26,984 have no valid audit in the paper.
    expect(26_984 - 82 + 19_899 + 37_286 + 109_186).toBe(193_273);
  });
});
