import { describe, expect, it } from "vitest";
import { paperPresetRates } from "../../src/simulation/world/paper-preset.suite.js";
import { record } from "./record.js";

describe("the preset of the paper, at full size", () => {
  it.each([1, 2, 3])("has the published rates within sampling error, seed %i", (seed) => {
    for (const { name, published, observed, standardError } of paperPresetRates(1, seed)) {
      expect(Math.abs(observed - published), `${name}: ${observed}, published ${published}`).toBeLessThan(
        3.5 * standardError,
      );
      record({
        page: "simulation",
        topic: "Published rates in the simulated world",
        method: `seed ${seed}`,
        setting: `${name}, published ${published.toFixed(4)}`,
        measure: "rate as audited",
        promise: null,
        observed,
        standard_error: standardError,
        // Decisions, as good as drawn one by one.
        draws: Math.round((published * (1 - published)) / standardError ** 2),
        seed,
      });
    }
  });
});
