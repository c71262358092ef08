import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/paired.js";
import { tangoInterval } from "./two-proportions.js";

const tables = fc
  .tuple(fc.nat(60), fc.nat(60), fc.nat(300))
  .filter(([b, c, rest]) => b + c + rest > 0)
  .map(([b, c, rest]) => ({ b, c, n: b + c + rest }));

describe("tangoInterval", () => {
  it.each(reference.tango)("agrees with the score test inverted by brute force at $b, $c of $n, $level", (want) => {
    const got = tangoInterval(want.b, want.c, want.n, want.level);
    expect(got.lower).toBeCloseTo(want.lower, 8);
    expect(got.upper).toBeCloseTo(want.upper, 8);
  });

  it("encloses the difference, stays within −1 and 1, and is mirrored when the two change places", () => {
    fc.assert(
      fc.property(tables, ({ b, c, n }) => {
        const got = tangoInterval(b, c, n);
        const mirrored = tangoInterval(c, b, n);
        expect(got.lower).toBeLessThanOrEqual((b - c) / n);
        expect(got.upper).toBeGreaterThanOrEqual((b - c) / n);
        expect(got.lower).toBeGreaterThanOrEqual(-1);
        expect(got.upper).toBeLessThanOrEqual(1);
        expect(mirrored).toEqual({ lower: -got.upper, upper: -got.lower });
      }),
    );
  });

  it("narrows when the same table is seen ten times, and widens with the level", () => {
    fc.assert(
      fc.property(tables, ({ b, c, n }) => {
        const once = tangoInterval(b, c, n);
        const often = tangoInterval(10 * b, 10 * c, 10 * n);
        const wide = tangoInterval(b, c, n, 0.99);
        expect(often.upper - often.lower).toBeLessThanOrEqual(once.upper - once.lower + 1e-12);
        expect(wide.lower).toBeLessThanOrEqual(once.lower + 1e-12);
        expect(wide.upper).toBeGreaterThanOrEqual(once.upper - 1e-12);
      }),
    );
  });

  it("has an interval of its own size when nothing changed: z²/(n + z²) each way", () => {
    const z2 = 1.959963984540054 ** 2;
    expect(tangoInterval(0, 0, 50).upper).toBeCloseTo(z2 / (50 + z2), 10);
    expect(tangoInterval(3, 0, 3).upper).toBe(1);
  });

  it("refuses tables that cannot be", () => {
    expect(() => tangoInterval(0, 0, 0)).toThrow(RangeError);
    expect(() => tangoInterval(3, 3, 5)).toThrow(/more than rows/);
    expect(() => tangoInterval(-1, 0, 5)).toThrow(RangeError);
    expect(() => tangoInterval(1, 0, 5, 1)).toThrow(RangeError);
  });
});
