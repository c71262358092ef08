import { describe, expect, it } from "vitest";
import { judgeDifference, printedVariance } from "./findings.js";

const row = (value: number, half: number, more: Partial<Parameters<typeof judgeDifference>[0]> = {}) => ({
  ...{ id: "gap.random.di", unit: "share" as const, digits: 3, paper: 0.923 },
  ours: { value, lower: value - half, upper: value + half, n: 1, method: "Wilson", reason: null },
  ...more,
});

describe("judgeDifference", () => {
  it("calls a precise neighbour the same, an imprecise one undecided, and a far one different", () => {
    expect(judgeDifference(row(0.92, 0.005))).toBe("same");
    expect(judgeDifference(row(0.92, 0.1))).toBe("undecided");
    expect(judgeDifference(row(0.8, 0.01))).toBe("different");
    expect(judgeDifference(row(0.8, 0.01, { ours: { ...row(0.8, 0.01).ours, lower: null } }))).toBeNull();
  });

  it("adds the paper's own error where it prints the number of rows", () => {
    // 62 % of 50 Flippers has a standard error of 6.9 points: 74 % is not significantly more.
    const flips = { id: "stability.0.1.flip_flippers", paper: 0.62, digits: 2 };
    expect(judgeDifference(row(0.74, 0.02, flips))).toBe("undecided");
    expect(printedVariance({ ...row(0, 0, flips) })).toBeCloseTo((0.62 * 0.38) / 50 + 0.01 ** 2 / 12, 12);
    // ρ = 0.66 of 30 cases: (1 − ρ²)²(1 + ρ²/2)/27.
    const rho = printedVariance({ id: "humans.pds", unit: "number", digits: 2, paper: 0.66 });
    expect(Math.sqrt(rho)).toBeCloseTo(0.1199, 3);
  });
});
