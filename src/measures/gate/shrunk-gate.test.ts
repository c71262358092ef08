import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { anyFleet, cohort, limits } from "./fleet.suite.js";
import type { GateCohort } from "./gate-input.js";
import { fitShrinkage } from "./limits.js";
import { admissionLadder, shrunkGate } from "./pass-gate.js";

const gate = (fleet: Parameters<typeof fitShrinkage>[0], q?: number) =>
  shrunkGate(fleet, limits(), fitShrinkage(fleet, "ai"), q);

describe("shrunkGate", () => {
  it("adds the two tail probabilities, each from its own fit", () => {
    const { k, n, exceeds } = reference.fits[0]!;
    const fleet = k.map((value, i) => cohort(n[i]!, value, 0, 0, `c${i}`));
    const verdicts = gate(fleet);
    exceeds.forEach((want, i) => {
      expect(verdicts[i]!.indefensible_exceeds).toBeCloseTo(want, 7);
      const { f_c, indefensible_exceeds, ambiguity_exceeds } = verdicts[i]!;
      expect(f_c).toBe(Math.min(1, indefensible_exceeds! + ambiguity_exceeds!));
    });
  });

  it("admits by ascending f_c while the running mean is at most q, never above 2q, never below the minimum", () => {
    fc.assert(
      fc.property(anyFleet, fc.double({ min: 0.01, max: 0.4, noNaN: true }), (fleet, q) => {
        const verdicts = gate(fleet, q);
        const passing = verdicts.filter((verdict) => verdict.passes);
        const mean = passing.reduce((sum, verdict) => sum + verdict.f_c!, 0) / Math.max(1, passing.length);
        expect(mean).toBeLessThanOrEqual(q + 1e-12);
        const worst = Math.max(-1, ...passing.map((verdict) => verdict.f_c!));
        expect(worst).toBeLessThanOrEqual(2 * q);
        verdicts.forEach((verdict, i) => {
          if (fleet[i]!.n < 25) expect(verdict.passes).toBe(false);
          else if (verdict.f_c! <= worst) expect(verdict.passes).toBe(true);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("does not depend on order and names", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const passes = gate(fleet).map((verdict) => verdict.passes);
        const other = [...fleet].reverse().map((one, i) => ({ ...one, key: `x${i}` }));
        expect(gate(other).map((verdict) => verdict.passes)).toEqual([...passes].reverse());
      }),
      { numRuns: 40 },
    );
  });

  it("passes a community with enough good verdicts, not one with 25, and none without any", () => {
    const good = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => cohort(300, 6 + i, 9, 0, `good${i}`));
    const bad = [0, 1, 2, 3, 4, 5].map((i) => cohort(120, 40 + i, 20, 10, `bad${i}`));
    const verdicts = gate([...good, ...bad, cohort(25, 2, 3, 0, "small"), cohort(24, 0, 0, 0, "few")]);
    expect(verdicts.slice(0, 8).every((verdict) => verdict.passes)).toBe(true);
    expect(verdicts.slice(8).some((verdict) => verdict.passes)).toBe(false);
    expect(gate([])).toEqual([]);
    expect(gate([cohort(0, 0)])[0]).toEqual({
      passes: false,
      f_c: null,
      indefensible_exceeds: null,
      ambiguity_exceeds: null,
    });
  });

  it("knows one community, a fleet without any fault, and one whose communities are all alike", () => {
    expect(gate([cohort(200, 4, 6)])[0]).toMatchObject({ passes: true });
    expect(gate([cohort(25, 2, 3)])[0]).toMatchObject({ passes: false });
    const faultless = Array.from({ length: 40 }, (_, i) => cohort(25 + i, 0, 0, 0, `c${i}`));
    expect(gate(faultless).every((verdict) => verdict.passes && verdict.f_c! > 0)).toBe(true);
    const alike = Array.from({ length: 40 }, (_, i) => cohort(100, 20, 10, 10, `c${i}`));
    const verdicts = gate(alike);
    expect(new Set(verdicts.map((verdict) => verdict.f_c)).size).toBe(1);
    expect(verdicts.some((verdict) => verdict.passes)).toBe(false);
  });
});

describe("shrunkGate with threads", () => {
  it("takes verdicts in threads as n* of them at the same rate", () => {
    const others = [3, 5, 8, 12, 20, 40, 60].map((k, i) => cohort(200, k, 2 * k, 0, `o${i}`));
    const waves = { ...cohort(400, 8, 8), design_effect: 4 };
    const f = (one: GateCohort) => gate([one, ...others])[0]!.f_c!;
    expect(f(waves)).toBeGreaterThan(f(cohort(400, 8, 8)));
    expect(f(waves)).toBe(f(cohort(100, 2, 2)));
    expect(f({ ...cohort(400, 8, 8), design_effect: 0.5 })).toBe(f(cohort(400, 8, 8)));
  });

  it("does not let the discount make a bad rate look like the fleet's", () => {
    const good = Array.from({ length: 19 }, (_, i) => cohort(400, 8, 8, 8, `o${i}`));
    const [waves] = gate([{ ...cohort(400, 90, 0), design_effect: 33 }, ...good]);
    expect(waves!.passes).toBe(false);
    expect(waves!.indefensible_exceeds).toBeGreaterThan(0.99);
  });
});

describe("admissionLadder", () => {
  it("takes equal values together or not at all", () => {
    // 0.01 and one 0.09 would have the mean 0.05; both 0.09 have 0.063.
    expect(admissionLadder([0.09, 0.01, 0.09], 0.05).highest).toBe(0.01);
    expect(admissionLadder([0.09, 0.01], 0.05).highest).toBe(0.09);
    expect(admissionLadder([0.001, 0.001, 0.11], 0.05).highest).toBe(0.001);
    expect(admissionLadder([], 0.05).highest).toBe(-1);
    expect(admissionLadder([0.06], 0.05).highest).toBe(-1);
  });
});
