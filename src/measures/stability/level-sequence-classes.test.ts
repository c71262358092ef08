import { describe, expect, it } from "vitest";
import { flipRate, samplingLaw } from "./cell-stats.js";
import { boundaryState, stabilityClass } from "./level-sequence.js";

describe("stabilityClass", () => {
  it("is half-open at its thresholds, whatever the rounding of the share", () => {
    expect(stabilityClass(38, 40)).toBe("rock_solid");
    expect(stabilityClass(949, 1000)).toBe("mostly_stable");
    expect(stabilityClass(32, 40)).toBe("mostly_stable");
    expect(stabilityClass(799, 1000)).toBe("moderate");
    expect(stabilityClass(18, 30)).toBe("moderate");
    expect(stabilityClass(599, 1000)).toBe("highly_unstable");
    for (let k = 100; k <= 2000; k += 100) {
      expect(stabilityClass(Math.round(0.95 * k), k)).toBe("rock_solid");
      expect(stabilityClass(Math.round(0.8 * k), k)).toBe("mostly_stable");
      expect(stabilityClass(Math.round(0.6 * k), k)).toBe("moderate");
    }
  });

  it("needs 30 replicates: with one, everything would be rock solid", () => {
    for (const k of [1, 2, 29]) expect(stabilityClass(k, k)).toBeNull();
    expect(stabilityClass(30, 30)).toBe("rock_solid");
  });
});

describe("boundaryState", () => {
  it("is unstable strictly between 10 and 90%", () => {
    expect(boundaryState(100, 1000)).toBe("stably_defensible");
    expect(boundaryState(101, 1000)).toBe("boundary_unstable");
    expect(boundaryState(899, 1000)).toBe("boundary_unstable");
    expect(boundaryState(900, 1000)).toBe("stably_indefensible");
    expect(boundaryState(0, 29)).toBeNull();
  });

  it("is never unstable for a rock solid case: arithmetic, not a finding", () => {
    for (let k = 30; k <= 200; k += 1) {
      for (let thirds = 0; thirds <= k; thirds += 1) {
        if (stabilityClass(Math.max(thirds, k - thirds), k) !== "rock_solid") continue;
        expect(boundaryState(thirds, k)).not.toBe("boundary_unstable");
      }
    }
  });
});

describe("flipRate", () => {
  it("is the share of pairs that differ", () => {
    expect(flipRate([3, 2, 1])).toBeCloseTo(11 / 15, 12);
    expect(flipRate([10, 0, 0])).toBe(0);
    expect(flipRate([1, 0, 0])).toBeNull();
    expect(flipRate([])).toBeNull();
  });
});

describe("samplingLaw", () => {
  it("sharpens below temperature 1, flattens above, and is the law itself at 1", () => {
    expect(samplingLaw(0.5, 0.3, 0.2, 1)).toEqual([0.5, 0.3, 0.2]);
    expect(samplingLaw(0.5, 0.3, 0.2, 0.1)![0]).toBeGreaterThan(0.99);
    expect(samplingLaw(0.5, 0.3, 0.2, 2)![2]).toBeGreaterThan(0.2);
    expect(samplingLaw(1e-200, 1e-210, 0, 0.1)).toEqual([1, expect.closeTo(0, 12), 0]);
  });

  it("takes the likeliest at temperature 0, and is unknown without probabilities", () => {
    expect(samplingLaw(0.2, 0.5, 0.3, 0)).toEqual([0, 1, 0]);
    expect(samplingLaw(0.4, 0.4, 0.2, 0)).toEqual([0.5, 0.5, 0]);
    expect(samplingLaw(Number.NaN, 0.5, 0.5, 1)).toBeNull();
    expect(samplingLaw(0, 0, 0, 1)).toBeNull();
  });
});
