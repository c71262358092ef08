import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stability.js";
import { relativeError } from "../../../test/references/stats.js";
import { auroc } from "../ranks/auroc.js";
import { mannWhitney } from "./mann-whitney.js";

describe("mannWhitney", () => {
  it.each(reference.mann_whitney.map((row, i) => ({ ...row, i })))("agrees with scipy on sample $i", (want) => {
    const got = mannWhitney(want.x, want.y);
    expect(got.u).toBe(want.u);
    expect(relativeError(got.p_value!, want.p)).toBeLessThan(1e-10);
    expect(got.p_method === "exact").toBe(want.exact);
  });

  it("has the effect 2 AUROC − 1, with its interval", () => {
    const [x, y] = [
      [0.9, 0.8, 0.8, 0.4],
      [0.1, 0.8, 0.3],
    ];
    const area = auroc(x, y);
    expect(mannWhitney(x, y).effect).toMatchObject({
      estimate: 2 * area.estimate! - 1,
      lower: 2 * (area as { lower: number }).lower - 1,
      n: 7,
    });
    expect(mannWhitney([5, 6], [1, 2, 3]).effect.estimate).toBe(1);
  });

  it("turns round when the groups are exchanged, and does not care for order or scale", () => {
    const group = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(group, group, (x, y) => {
        const got = mannWhitney(x, y);
        const turned = mannWhitney(y, x);
        expect(turned.effect.estimate).toBeCloseTo(-got.effect.estimate!, 12);
        expect(turned.u! + got.u!).toBeCloseTo(x.length * y.length, 9);
        expect(turned.p_value ?? 2).toBeCloseTo(got.p_value ?? 2, 10);
        const moved = mannWhitney(
          [...x].reverse().map((v) => Math.exp(v)),
          y.map((v) => Math.exp(v)),
        );
        expect(moved.p_value ?? 2).toBeCloseTo(got.p_value ?? 2, 12);
        if (got.p_value !== null) expect(got.p_value).toBeGreaterThan(0);
        expect(got.p_value ?? 1).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is undefined without both groups, and has no p-value where all values are equal", () => {
    expect(mannWhitney([], [1])).toMatchObject({ u: null, p_value: null, effect: { estimate: null } });
    expect(mannWhitney([1, 1], [1, 1, 1])).toMatchObject({ u: 3, p_value: null, effect: { estimate: 0 } });
    expect(() => mannWhitney([Number.NaN], [1])).toThrow(RangeError);
  });
});
