import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/calibration.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { classwiseError } from "./classwise-error.js";
import { evaluateScore } from "./evaluate-score.js";

type Columns = [Float64Array, Float64Array, Float64Array];

describe("classwiseError", () => {
  const { p, level, errors } = reference.classwise;
  const columns = p.map((column) => Float64Array.from(column)) as Columns;

  it("is the equal-frequency ECE of each level and their mean", () => {
    const got = classwiseError(columns, Uint8Array.from(level), { seed: 1, draws: 20 });
    for (const [l, error] of errors.entries()) expect(got.levels[l]!.value).toBeCloseTo(error, 12);
    expect(got.mean.value).toBeCloseTo(errors.reduce((sum, error) => sum + error, 0) / 3, 12);
    expect(got).toMatchObject({ n: 150, left_out: 0, seed: 1, draws: 20 });
  });

  it("has the null value of each level that its probability alone has", () => {
    const rng = createRng(6);
    // 20,000 rows in groups large enough to be drawn at once, 400 that are drawn one by one.
    for (const n of [400, 20_000]) {
      const p3 = Float64Array.from({ length: n }, () => 0.3 * rng.next() ** 2);
      const p2 = p3.map((p) => (1 - p) * 0.5 * rng.next());
      const p1 = p3.map((p, i) => 1 - p - p2[i]!);
      const got = classwiseError([p1, p2, p3], new Uint8Array(n).fill(1), { seed: 2, draws: 600 });
      for (const [l, column] of [p1, p2, p3].entries()) {
        const { null_mean, null_95 } = evaluateScore(column, new Uint8Array(n), { seed: 3, draws: 600 }).ece
          .equal_frequency;
        expect(Math.abs(got.levels[l]!.null_mean! / null_mean! - 1)).toBeLessThan(0.05);
        expect(Math.abs(got.levels[l]!.null_95! / null_95! - 1)).toBeLessThan(0.08);
      }
      const means = got.levels.map((error) => error.null_mean!);
      expect(got.mean.null_mean).toBeCloseTo((means[0]! + means[1]! + means[2]!) / 3, 12);
    }
  });

  it("leaves out rows without probabilities or target, is null of none, and refuses what is no probability", () => {
    const some = columns.map((column) => column.slice(0, 4)) as Columns;
    some[0][0] = Number.NaN;
    expect(classwiseError(some, Uint8Array.of(1, 0, 2, 3), { seed: 1, draws: 5 })).toMatchObject({ n: 2, left_out: 2 });
    const none = classwiseError(some, new Uint8Array(4), { seed: 1 });
    expect(none.mean).toEqual({ value: null, reason: "no rows", null_mean: null, null_95: null, p: null });
    some[0][1] = 1.5;
    expect(() => classwiseError(some, Uint8Array.of(1, 1, 1, 1), { seed: 1 })).toThrow(RangeError);
    expect(() => classwiseError(columns, Uint8Array.from(level), { seed: 1, bins: 0 })).toThrow("bins");
  });
});
