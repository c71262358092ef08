import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { quantile } from "./sorted-order.js";

describe("quantile", () => {
  it.each(reference.quantile.quantiles)("agrees with numpy at $p", ({ p, value }) => {
    expect(quantile(reference.quantile.sorted, p)).toBeCloseTo(value, 12);
  });

  it("lies between the ends, rises with p, and hits a value at each of its own positions", () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 30 }), unit, unit, (values, p, q) => {
        const sorted = Float64Array.from(values).sort();
        const [low, high] = [quantile(sorted, Math.min(p, q)), quantile(sorted, Math.max(p, q))];
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(sorted[0]!);
        expect(high).toBeLessThanOrEqual(sorted.at(-1)!);
        expect(quantile(sorted, 0)).toBe(sorted[0]);
        expect(quantile(sorted, 1)).toBe(sorted.at(-1));
      }),
    );
  });

  it("refuses no values and a p outside 0 to 1", () => {
    expect(quantile([7], 0.3)).toBe(7);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => quantile([1], 1.01)).toThrow(RangeError);
    expect(() => quantile([1], Number.NaN)).toThrow(RangeError);
  });
});
