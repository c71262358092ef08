import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DualClass } from "../../measures/metrics/paired/dual-audit.js";
import { dualVerdict } from "./ask-scope.js";

const side = (level: number | null, p_defensible: number | null = null) => ({ level, p_defensible });

describe("dualVerdict", () => {
  it.each<[number, number, DualClass, boolean]>([
    [1, 3, "determinate", false],
    [2, 2, "ambiguous", false],
    [1, 1, "ambiguous", false],
    [3, 2, "model_error", true],
    [3, 3, "void", false],
  ])("own level %i and opposite level %i are %s", (own, opposite, state, flagged) => {
    expect(dualVerdict(side(own), side(opposite))).toMatchObject({ state, flagged, reason: null });
  });

  it("is undefined without both verdicts, and says why", () => {
    expect(dualVerdict(side(null, 0.2), side(1, 0.5))).toEqual({
      ...{ state: null, flagged: false, reason: "one of the two audits has no verdict" },
      suspicion: 0.4,
    });
    expect(dualVerdict(side(3), side(1, 0.5)).suspicion).toBeNull();
  });

  it("is the more suspicious the likelier the opposite and the unlikelier the decision", () => {
    const p = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(p, p, p, (own, low, high) => {
        const [a, b] = low <= high ? [low, high] : [high, low];
        const at = (x: number, y: number) => dualVerdict(side(1, x), side(1, y)).suspicion!;
        expect(at(own, a)).toBeLessThanOrEqual(at(own, b));
        expect(at(a, own)).toBeGreaterThanOrEqual(at(b, own));
      }),
    );
  });
});
