import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scenarioSchema } from "../../core/gate.js";
import { conditionalRiskReduction, exposureReduction, gateCounts } from "./adjustment.js";
import { anyFleet, cohort, limits } from "./fleet.suite.js";
import { paperGate } from "./pass-gate.js";
import { PAPER_SCENARIOS, scenarioResult } from "./scenarios.js";

const run = (fleet: Parameters<typeof paperGate>[0], change = {}) => {
  const own = limits(change);
  return scenarioResult("Standard", fleet, paperGate(fleet, own), own);
};

describe("scenarioResult", () => {
  const fleet = [
    cohort(100, 2, 5, 1, "good"),
    cohort(300, 6, 3, 6, "large"),
    cohort(100, 32, 4, 28, "gaps"),
    cohort(20, 0, 0, 0, "few"),
  ];

  it("has every number of the format, from counts that are shown", () => {
    const got = run(fleet);
    expect(scenarioSchema.parse(JSON.parse(JSON.stringify(got)))).toEqual(got);
    expect(got.counts).toEqual({
      communities: 4,
      eligible_communities: 3,
      passing_communities: 2,
      decisions: 520,
      eligible_decisions: 500,
      automated_decisions: 400,
      eligible_indefensible: 40,
      automated_indefensible: 8,
      automated_ambiguous: 15,
      unscored: 0,
    });
    expect(got).toMatchObject({
      passing: 2,
      community_coverage: 2 / 3,
      decision_coverage_eligible: 0.8,
      decision_coverage_all: 400 / 520,
      fleet_di: 0.98,
      fleet_ai: 15 / 400,
      base_indefensible_rate: 0.08,
      automated_indefensible_rate: 0.02,
      exposure_reduction: 0.8,
      conditional_risk_reduction: 0.75,
      reasons: {},
    });
    expect(got.random_gate_baseline).toBeCloseTo(0.2, 15);
    expect(got.estimates.base_indefensible_rate).toMatchObject({ k: 40, n: 500, method: "wilson" });
    expect(got.estimates.base_indefensible_rate).toHaveProperty("cluster.clusters", 3);
  });

  it("gives null with a reason where there is nothing to divide by", () => {
    const empty = run([]);
    expect(empty).toMatchObject({
      passing: 0,
      community_coverage: null,
      decision_coverage_all: null,
      base_indefensible_rate: null,
      exposure_reduction: null,
      random_gate_baseline: null,
    });
    const nulls = Object.entries(empty).filter(([, value]) => value === null);
    expect(Object.keys(empty.reasons).sort()).toEqual(nulls.map(([field]) => field).sort());
    const closed = run([cohort(50, 20)]);
    expect(closed).toMatchObject({
      community_coverage: 0,
      fleet_di: null,
      exposure_reduction: 1,
      random_gate_baseline: 1,
    });
    expect(closed.reasons).toEqual({
      fleet_di: "no community passes",
      fleet_ai: "no community passes",
      automated_indefensible_rate: "no community passes",
      conditional_risk_reduction: "no community passes",
    });
    const faultless = run([cohort(50, 0)]);
    expect(faultless).toMatchObject({ automated_indefensible_rate: 0, exposure_reduction: null });
    expect(faultless.reasons.conditional_risk_reduction).toBe("no indefensible decision among the eligible ones");
  });

  it("keeps the identity exposure reduction = 1 − coverage · r_auto / r_base", () => {
    fc.assert(
      fc.property(anyFleet, (cohorts) => {
        const got = run(cohorts, { di: 0.6, ai: 0.6 });
        if (got.automated_indefensible_rate === null || got.exposure_reduction === null) return;
        const product = got.decision_coverage_eligible! * got.automated_indefensible_rate;
        expect(got.exposure_reduction).toBeCloseTo(1 - product / got.base_indefensible_rate!, 10);
        expect(got.conditional_risk_reduction).toBeLessThanOrEqual(got.exposure_reduction + 1e-12);
      }),
    );
  });

  it("covers no more under stricter limits", () => {
    fc.assert(
      fc.property(anyFleet, (cohorts) => {
        const passing = PAPER_SCENARIOS.map(({ di, ai }) => run(cohorts, { di, ai }).passing);
        for (let i = 1; i < passing.length; i += 1) expect(passing[i]).toBeLessThanOrEqual(passing[i - 1]!);
      }),
    );
  });
});

describe("risk reductions", () => {
  // 1 − coverage · rate / base with one base of 6.085% gives every row of the paper's table.
  it.each([
    ["Lenient", 0.847, 0.0308, 0.571],
    ["Standard", 0.774, 0.0276, 0.649],
    ["Strict", 0.627, 0.0236, 0.757],
    ["in the text", 0.786, 0.0272, 0.649],
  ])("reproduce the paper's %s", (_, coverage, rate, want) => {
    const eligible_decisions = 1_000_000;
    const counts = {
      eligible_decisions,
      eligible_indefensible: 0.06085 * eligible_decisions,
      automated_decisions: coverage * eligible_decisions,
      automated_indefensible: coverage * rate * eligible_decisions,
    };
    expect(Math.abs(exposureReduction(counts)! - want)).toBeLessThan(1e-3);
    expect(conditionalRiskReduction(counts)).toBeCloseTo(1 - rate / 0.06085, 10);
  });

  it("a gate that takes the same share of every community has no conditional reduction", () => {
    const counts = {
      eligible_decisions: 100,
      eligible_indefensible: 10,
      automated_decisions: 40,
      automated_indefensible: 4,
    };
    expect(conditionalRiskReduction(counts)).toBeCloseTo(0, 12);
    expect(exposureReduction(counts)).toBeCloseTo(1 - 0.4, 12);
  });
});

describe("gateCounts", () => {
  it("refuses a pass below the minimum and lists that do not match", () => {
    expect(() => gateCounts([cohort(5, 0)], [true], limits())).toThrow(RangeError);
    expect(() => gateCounts([cohort(50, 0)], [], limits())).toThrow(RangeError);
  });
});
