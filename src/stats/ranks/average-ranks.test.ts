import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { averageRanks } from "./sorted-order.js";

describe("averageRanks", () => {
  it.each(reference.spearman)("agrees with scipy's rankdata on $x", ({ x, ranks_x }) => {
    expect(averageRanks(x)).toEqual(ranks_x);
  });

  it("sums to n(n+1)/2, keeps order and gives equal values equal ranks", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 60 }), (x) => {
        const ranks = averageRanks(x);
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBe((x.length * (x.length + 1)) / 2);
        x.forEach((value, i) => {
          const below = x.filter((other) => other < value).length;
          const equal = x.filter((other) => other === value).length;
          expect(ranks[i]).toBe(below + (equal + 1) / 2);
        });
      }),
    );
  });

  it("ranks infinities, ties 0 with −0 and refuses NaN", () => {
    expect(averageRanks([Infinity, -Infinity, Infinity, 3])).toEqual([3.5, 1, 3.5, 2]);
    expect(averageRanks([0, -0])).toEqual([1.5, 1.5]);
    expect(averageRanks([])).toEqual([]);
    expect(() => averageRanks([1, Number.NaN])).toThrow(RangeError);
  });
});
