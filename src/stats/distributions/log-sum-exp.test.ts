import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { logSumExp } from "./special-functions.js";

describe("logSumExp", () => {
  it.each(reference.log_sum_exp)("agrees with scipy on $values", ({ values, value }) => {
    expect(relativeError(logSumExp(values), value)).toBeLessThan(1e-14);
  });

  it("moves with a shift of all values and is never below the largest", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -900, max: 700, noNaN: true }), { minLength: 1 }), (values) => {
        expect(logSumExp(values)).toBeGreaterThanOrEqual(Math.max(...values));
        expect(logSumExp(values.map((v) => v - 1000))).toBeCloseTo(logSumExp(values) - 1000, 9);
      }),
    );
  });

  it("takes impossible events and nothing at all", () => {
    expect(logSumExp([])).toBe(-Infinity);
    expect(logSumExp([-Infinity, -Infinity])).toBe(-Infinity);
    expect(logSumExp([-Infinity, 0])).toBe(0);
    expect(logSumExp([Infinity, 0])).toBe(Infinity);
    expect(() => logSumExp([0, Number.NaN])).toThrow(RangeError);
  });
});
