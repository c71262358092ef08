import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GATE_MODES, gateSchema } from "../../core/gate.js";
import { createRng } from "../../stats/random/create-rng.js";
import { evaluateGate } from "./evaluate-gate.js";
import { anyFleet, cohort, drawFleet, limits } from "./fleet.suite.js";
import { passGate } from "./pass-gate.js";

describe("evaluateGate", () => {
  it("is a Gate JSON and survives it, for any fleet and mode", () => {
    fc.assert(
      fc.property(anyFleet, fc.constantFrom(...GATE_MODES), (fleet, mode) => {
        const got = evaluateGate(fleet, { mode });
        const text = JSON.stringify(got);
        expect(JSON.parse(text)).toEqual(got);
        expect(gateSchema.safeParse(JSON.parse(text)).success).toBe(true);
        expect(got.communities.map((one) => one.community)).toEqual(fleet.map((one) => one.key));
        expect(got.fleet).toEqual(got.by_mode[mode]);
        expect(got.fleet.passing).toBe(got.communities.filter((one) => one.passes[mode]).length);
        for (const one of got.communities) {
          expect(one.more_decisions_needed).toBe(one[mode].more);
          expect(one[mode].passes).toBe(one.passes[mode]);
          expect(one[mode].more === 0).toBe(one.passes[mode]);
          if (one[mode].more === null) expect(one[mode].reason).not.toBeNull();
          if (one.n < 25) expect(one.passes).toEqual({ paper: false, shrunk: false, certified: false });
          expect(one.advice.action === "automate").toBe(one.passes[mode]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("passes in each mode who passGate passes, and a scenario by its own limits", () => {
    const { cohorts } = drawFleet(createRng(3));
    const got = evaluateGate(cohorts, { mode: "shrunk" });
    for (const mode of GATE_MODES) {
      expect(got.communities.map((one) => one.passes[mode])).toEqual(passGate(cohorts, limits(), { mode }));
    }
    expect(got.scenarios.map((one) => one.name)).toEqual(["Lenient", "Moderate", "Standard", "Strict"]);
    expect(got.scenarios[2]).toEqual(got.fleet);
    const strict = passGate(cohorts, limits({ di: 0.95, ai: 0.1 }), { mode: "shrunk" });
    expect(got.scenarios[3]!.passing).toBe(strict.filter(Boolean).length);
    expect(got.states.map((row) => row.communities).reduce((sum, count) => sum + count)).toBe(270);
  });

  it("adds limits of one's own to the scenarios", () => {
    const got = evaluateGate([cohort(50, 1)], { limits: limits({ di: 0.92, ai: 0.12 }) });
    expect(got.scenarios.map((one) => one.name)).toEqual(["Lenient", "Moderate", "Standard", "Strict", "Own"]);
    expect(got.fleet).toMatchObject({ name: "Own", di: 0.92, ai: 0.12 });
    const chosen = evaluateGate([cohort(50, 1)], { scenarios: [{ name: "Mine", di: 0.9, ai: 0.15 }] });
    expect(chosen.scenarios.map((one) => one.name)).toEqual(["Mine"]);
  });

  it("answers an empty fleet with nulls", () => {
    const got = evaluateGate([]);
    expect(got).toMatchObject({ communities: [], shrinkage: { indefensible: null, ambiguity: null } });
    expect(got.fleet).toMatchObject({ passing: 0, community_coverage: null, fleet_di: null });
    expect(got.frontier).toMatchObject({ knee: null });
    expect(evaluateGate([], { frontier: false }).frontier).toBeNull();
  });

  it("knows a fleet in which nothing was scored", () => {
    const got = evaluateGate([{ ...cohort(0, 0), unscored: 40 }]);
    expect(got.fleet.counts.unscored).toBe(40);
    expect(got.communities[0]).toMatchObject({ di: null, ai: null, state: "insufficient", more_decisions_needed: 25 });
    expect(got.communities[0]!.shrunk.indefensible).toBeNull();
    expect(got.communities[0]!.certified.indefensible_upper).toBeNull();
  });

  it("gives posterior means and intervals that fit together, and bounds above the rates", () => {
    const { cohorts } = drawFleet(createRng(8), 60);
    for (const one of evaluateGate(cohorts).communities) {
      for (const rate of [one.shrunk.indefensible!, one.shrunk.ambiguity!]) {
        expect(rate.lower).toBeLessThan(rate.mean);
        expect(rate.upper).toBeGreaterThan(rate.mean);
      }
      expect(one.certified.indefensible_upper).toBeGreaterThan(one.indefensible / one.n);
      expect(one.di_interval!.lower).toBeLessThanOrEqual(one.di!);
    }
  });

  it("passes rules on to the advice", () => {
    const rules = [{ rule_id: "r7", title: "No <b>memes</b>", scope: "community", yes: 9, n: 12 }];
    const got = evaluateGate([cohort(50, 0, 12)], { rulesByCohort: (key) => (key === "a" ? rules : undefined) });
    expect(got.communities[0]!.advice).toMatchObject({ action: "clarify_rule", rule_id: "r7" });
    expect(got.communities[0]!.advice.text).toContain("No <b>memes</b>");
  });

  it("gives the same result for the same fleet in another order, community by community", () => {
    const { cohorts } = drawFleet(createRng(5), 80);
    const turned = evaluateGate([...cohorts].reverse());
    const straight = evaluateGate(cohorts);
    expect(turned.communities.reverse()).toEqual(straight.communities);
    expect(turned.fleet.counts).toEqual(straight.fleet.counts);
  });

  it("refuses limits, counts and error rates that are none", () => {
    expect(() => evaluateGate([], { limits: limits({ di: 90 }) })).toThrow("di: not a limit; got 90");
    expect(() => evaluateGate([cohort(10, 11)])).toThrow(RangeError);
    expect(() => evaluateGate([], { q: 0 })).toThrow(RangeError);
  });

  it("takes 2,000 communities", () => {
    const { cohorts } = drawFleet(createRng(6), 2000);
    expect(evaluateGate(cohorts).communities).toHaveLength(2000);
  });
});
