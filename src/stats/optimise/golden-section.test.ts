import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goldenSection } from "./minimise.js";

describe("goldenSection", () => {
  it("finds the minimum of a parabola wherever it lies", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -9, max: 9, noNaN: true }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (at, k) => {
          const found = goldenSection((x) => k * (x - at) ** 2, -10, 10);
          expect(found.x).toBeCloseTo(at, 6);
          expect(found.at).toBe("inside");
        },
      ),
    );
  });

  it("says so when the minimum is at an end, where it may lie beyond", () => {
    expect(goldenSection((x) => x, 1, 4)).toMatchObject({ x: 1, value: 1, at: "lower" });
    expect(goldenSection((x) => -x, 1, 4)).toMatchObject({ x: 4, value: -4, at: "upper" });
  });

  it("takes the deeper of two valleys that are wider than the scan", () => {
    const f = (x: number) => Math.min((x - 1) ** 2, (x - 8) ** 2 - 1);
    expect(goldenSection(f, 0, 10).x).toBeCloseTo(8, 6);
    expect(goldenSection(f, 0, 10).value).toBeCloseTo(-1, 10);
  });

  it("accepts a function that is infinite in places, and refuses one that is not a number", () => {
    expect(goldenSection((x) => (x < 2 ? Number.POSITIVE_INFINITY : x), 0, 5).x).toBeCloseTo(2, 6);
    expect(() => goldenSection(() => Number.NaN, 0, 1)).toThrow("not defined at 0");
    expect(() => goldenSection((x) => x, 1, 1)).toThrow("empty");
  });
});
