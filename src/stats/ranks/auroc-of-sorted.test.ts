import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auroc, aurocOfSorted } from "./auroc.js";

describe("aurocOfSorted", () => {
  it("is auroc of the two classes, interval and all", () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 1 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 50 }), (rows) => {
        const sorted = rows.toSorted(([a], [b]) => a - b);
        const of = (target: number) => rows.filter(([, y]) => y === target).map(([score]) => score);
        const got = aurocOfSorted(
          sorted.map(([score]) => score),
          sorted.map(([, y]) => y),
        );
        const want = auroc(of(1), of(0));
        if (want.estimate === null) expect(got).toEqual(want);
        else {
          expect(got).toMatchObject({ method: want.method, n: want.n, estimate: want.estimate });
          expect("lower" in got && got.lower).toBeCloseTo(want.lower, 10);
          expect("upper" in got && got.upper).toBeCloseTo(want.upper, 10);
        }
      }),
    );
  });

  it("refuses scores that are not in order", () => {
    expect(() => aurocOfSorted([1, 2, 1], [0, 1, 0])).toThrow("not in ascending order; got 1 after 2");
    expect(() => aurocOfSorted([1, Number.NaN], [0, 1])).toThrow("not in ascending order");
  });
});
