import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stability.js";
import { lowess } from "./lowess.js";

describe("lowess", () => {
  it.each(reference.lowess.map((row, i) => ({ ...row, i })))("agrees with statsmodels on sample $i", (want) => {
    const got = lowess(want.x, want.y, { share: want.share, rounds: want.rounds });
    const distinct = [...want.x.keys()].filter((i) => i === 0 || want.x[i] !== want.x[i - 1]);
    expect(got.x).toEqual(distinct.map((i) => want.x[i]));
    const worst = Math.max(...distinct.map((i, place) => Math.abs(got.y[place]! - want.fit[i]!)));
    expect(worst).toBeLessThan(1e-9);
  });

  it("does not depend on the order of rows, and follows a straight line exactly", () => {
    const { x, y } = reference.lowess[0]!;
    expect(lowess([...x].reverse(), [...y].reverse())).toEqual(lowess(x, y));
    const line = lowess([5, 1, 4, 2, 3], [11, 3, 9, 5, 7]);
    line.x.forEach((at, i) => {
      expect(line.y[i]).toBeCloseTo(2 * at + 1, 10);
    });
  });

  it("takes the mean where x does not vary, and is empty below two rows", () => {
    expect(lowess([1, 1, 1, 1], [1, 2, 3, 6], { rounds: 0 })).toEqual({ x: [1], y: [3] });
    expect(lowess([], [])).toEqual({ x: [], y: [] });
    expect(lowess([1], [2])).toEqual({ x: [], y: [] });
    expect(() => lowess([1, 2], [1])).toThrow(RangeError);
    expect(() => lowess([1, Number.NaN], [1, 2])).toThrow(RangeError);
  });
});
