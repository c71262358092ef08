import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { InputError } from "../../core/errors.js";
import { anyCohort, anyFleet, cohort, limits } from "./fleet.suite.js";
import { stateSummary } from "./gate-evaluation.js";
import { checkCohorts, checkLimits, fleetState, indefensibleLimit, meetsLimits } from "./limits.js";
import { paperGate } from "./pass-gate.js";

describe("meetsLimits", () => {
  it("takes limits as inclusive on counts: 27 of 30 meet 0.90, 26 do not", () => {
    expect(meetsLimits(cohort(30, 3), limits())).toBe(true);
    expect(meetsLimits(cohort(30, 4), limits())).toBe(false);
    expect(meetsLimits(cohort(40, 0, 6), limits())).toBe(true);
    expect(meetsLimits(cohort(40, 0, 7), limits())).toBe(false);
    expect(meetsLimits(cohort(0, 0), limits())).toBe(false);
  });

  it("is exact for every count and every limit in whole per cent", () => {
    fc.assert(
      fc.property(anyCohort, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (counts, di, ai) => {
        const one = { key: "a", ...counts };
        const exact =
          one.n > 0 && (one.n - one.indefensible) * 100 >= di * one.n && one.inverse_yes * 100 <= ai * one.n;
        expect(meetsLimits(one, limits({ di: di / 100, ai: ai / 100 }))).toBe(exact);
      }),
    );
  });

  it("limits AI_pure instead of AI when asked", () => {
    const contradicted = cohort(100, 8, 10, 8);
    expect(meetsLimits(contradicted, limits())).toBe(false);
    expect(meetsLimits(contradicted, limits({ variable: "ai_pure" }))).toBe(true);
  });

  it("has an indefensible limit without the noise of 1 − 0.9", () => {
    expect(indefensibleLimit(limits())).toBe(0.1);
    expect(indefensibleLimit(limits({ di: 0.85 }))).toBe(0.15);
  });
});

describe("checks", () => {
  it("refuse limits that are no rates and counts that do not fit together", () => {
    expect(() => checkLimits(limits())).not.toThrow();
    for (const wrong of [{ di: 90 }, { ai: -0.1 }, { di: Number.NaN }, { min_decisions: 2.5 }, { min_decisions: -1 }]) {
      expect(() => checkLimits(limits(wrong))).toThrow(InputError);
    }
    expect(() => checkCohorts([cohort(30, 3, 2, 1)])).not.toThrow();
    for (const wrong of [cohort(30, 31), cohort(30, 1, 0, 2), cohort(30, 3, 28), cohort(3.5, 0), cohort(-1, 0)]) {
      expect(() => checkCohorts([wrong])).toThrow(RangeError);
    }
  });
});

describe("fleetState", () => {
  it("names exactly one of four states", () => {
    expect(fleetState(cohort(24, 0), limits())).toBe("insufficient");
    expect(fleetState(cohort(25, 0), limits())).toBe("earned_autonomy");
    expect(fleetState(cohort(30, 4), limits())).toBe("policy_gaps");
    expect(fleetState(cohort(30, 4, 20), limits())).toBe("policy_gaps");
    expect(fleetState(cohort(40, 0, 7), limits())).toBe("normative_complexity");
    expect(fleetState(cohort(0, 0), limits({ min_decisions: 0 }))).toBe("insufficient");
  });

  it("is earned autonomy exactly when the paper's gate passes", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const states = fleet.map((one) => fleetState(one, limits()));
        expect(paperGate(fleet, limits())).toEqual(states.map((state) => state === "earned_autonomy"));
      }),
    );
  });
});

describe("stateSummary", () => {
  it("counts communities and decisions, with means over communities beside pooled rates", () => {
    const rows = stateSummary([cohort(30, 0), cohort(90, 9), cohort(30, 15), cohort(5, 5)], limits());
    expect(rows.map((row) => row.state)).toEqual([
      "earned_autonomy",
      "policy_gaps",
      "normative_complexity",
      "insufficient",
    ]);
    expect(rows[0]).toMatchObject({ communities: 2, decisions: 120, indefensible: 9, mean_di: 0.95, pooled_di: 0.925 });
    expect(rows[1]).toMatchObject({ communities: 1, mean_di: 0.5 });
    expect(rows[2]).toMatchObject({ communities: 0, decisions: 0, mean_di: null, pooled_di: null, mean_ai: null });
    expect(rows[3]).toMatchObject({ communities: 1, mean_di: 0 });
  });
});

describe("the paper's gate on 25 decisions", () => {
  const passes = (k: number, yes: number) => paperGate([cohort(25, k, yes)], limits())[0]!;

  it("asks for at most 2 of level 3 and at most 3 ambiguous", () => {
    expect([0, 1, 2, 3].map((k) => passes(k, 0))).toEqual([true, true, true, false]);
    expect([2, 3, 4].map((yes) => passes(0, yes))).toEqual([true, true, false]);
  });

  it.each(reference.at_25.di)("passes the DI limit at a true rate of %d with probability %d", (rate, want) => {
    expect(sumOver(25, rate!, (k) => (passes(k, 0) ? 1 : 0))).toBeCloseTo(want!, 12);
  });

  it.each([
    [0, 0.25],
    [0.03, 0.23],
    [0.06, 0.18],
    [0.1, 0.12],
  ])("passes as a whole at 15%% level 3 when a defensible verdict fires the inverse in %d: %d", (pure, want) => {
    const chance = sumOver(25, 0.15, (k) =>
      sumOver(k, 0.88, (contradictions) =>
        sumOver(25 - k, pure, (open) => (paperGate([cohort(25, k, open, contradictions)], limits())[0] ? 1 : 0)),
      ),
    );
    expect(chance).toBeCloseTo(want, 2);
  });
});

/** Mean of f over a binomial number of successes. */
function sumOver(n: number, p: number, f: (k: number) => number): number {
  let probability = (1 - p) ** n;
  let sum = 0;
  for (let k = 0; k <= n; k += 1) {
    sum += probability * f(k);
    probability *= ((n - k) / (k + 1)) * (p / (1 - p));
  }
  return sum;
}
