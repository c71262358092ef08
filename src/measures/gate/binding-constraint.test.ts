import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyFleet, cohort, limits } from "./fleet.suite.js";
import { analyseBinding, bindingConstraint } from "./holdout-certificate.js";
import { paperGate } from "./pass-gate.js";

describe("bindingConstraint", () => {
  it("names the limit that excludes, and none for who passes or is too small", () => {
    expect(bindingConstraint(cohort(30, 3), limits())).toBeNull();
    expect(bindingConstraint(cohort(30, 4), limits())).toBe("di");
    expect(bindingConstraint(cohort(30, 3, 5), limits())).toBe("ai");
    expect(bindingConstraint(cohort(30, 4, 5), limits())).toBe("both");
    expect(bindingConstraint(cohort(20, 20), limits())).toBeNull();
  });
});

describe("analyseBinding", () => {
  it("counts under each limit exactly who would pass without it", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const { excluded } = analyseBinding(fleet, limits());
        const count = (change: object) => paperGate(fleet, limits(change)).filter(Boolean).length;
        const now = count({});
        expect(excluded.di.communities).toBe(count({ di: 0 }) - now);
        expect(excluded.ai.communities).toBe(count({ ai: 1 }) - now);
        const eligible = fleet.filter((one) => one.n >= 25).length;
        expect(excluded.di.communities + excluded.ai.communities + excluded.both.communities).toBe(eligible - now);
      }),
    );
  });

  it("tells the limit whose removal admits more decisions", () => {
    expect(analyseBinding([cohort(30, 4), cohort(500, 0, 100)], limits()).binding).toBe("ai");
    expect(analyseBinding([cohort(300, 40), cohort(50, 0, 10)], limits()).binding).toBe("di");
    expect(analyseBinding([cohort(100, 0)], limits()).binding).toBeNull();
  });

  it("separates what contradictions force: AI cannot lie below their share", () => {
    const fleet = [cohort(100, 25, 0, 22, "a"), cohort(100, 0, 5, 0, "b")];
    const { mechanical } = analyseBinding(fleet, limits());
    expect(mechanical).toMatchObject({ contradictions: 22, indefensible: 25, contradiction_share: 0.88 });
    // The paper's 88%: AI ≤ 0.15 implies DI ≥ 0.83.
    expect(mechanical.implied_di).toBeCloseTo(1 - 0.15 / 0.88, 12);
    expect(mechanical.contradictions_exceed_limit).toEqual({ communities: 1, decisions: 100, indefensible: 25 });
    expect(analyseBinding(fleet, limits({ variable: "ai_pure" })).mechanical.implied_di).toBeNull();
    expect(analyseBinding([cohort(50, 0)], limits()).mechanical.contradiction_share).toBeNull();
    expect(analyseBinding([cohort(50, 10, 0, 1)], limits()).mechanical.implied_di).toBeNull();
  });

  it("sees whether Moderate and Standard pass the same communities", () => {
    expect(analyseBinding([cohort(100, 12, 0, 12), cohort(100, 20, 0, 18)], limits()).moderate_is_standard.same).toBe(
      false,
    );
    const paper = analyseBinding([cohort(100, 12, 8, 10), cohort(100, 3, 2, 2)], limits());
    expect(paper.moderate_is_standard).toMatchObject({ same: true, between: { communities: 0 } });
    expect(analyseBinding([], limits()).moderate_is_standard.same).toBe(true);
  });
});
