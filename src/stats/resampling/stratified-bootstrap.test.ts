import { describe, expect, it } from "vitest";
import { createRng } from "../random/create-rng.js";
import { bootstrapEstimate, stratifiedBootstrap } from "./stratified-bootstrap.js";

describe("stratifiedBootstrap", () => {
  const mean = (values: readonly number[]) => (weights: Float64Array) => {
    const total = weights.reduce((sum, w) => sum + w, 0);
    return weights.reduce((sum, w, i) => sum + w * values[i]!, 0) / total;
  };

  it("keeps the sizes of the strata in every draw", () => {
    const strata = [0, 1, 1, 0, 1];
    stratifiedBootstrap(
      strata,
      (weights) => {
        expect(weights[0]! + weights[3]!).toBe(2);
        expect(weights[1]! + weights[2]! + weights[4]!).toBe(3);
        return [0];
      },
      { rng: createRng(1), draws: 50 },
    );
  });

  it("gives an interval near the normal one for a mean, and the same with the same seed", () => {
    const rng = createRng(3);
    const values = Array.from({ length: 400 }, () => rng.next());
    const run = () => stratifiedBootstrap(new Array(400).fill(0), (w) => [mean(values)(w)], { rng: createRng(9) })[0]!;
    const got = run();
    expect(run()).toEqual(got);
    // sd of a uniform is 0.289, so its mean of 400 has a standard error of 0.0144.
    expect(got.upper! - got.lower!).toBeGreaterThan(0.048);
    expect(got.upper! - got.lower!).toBeLessThan(0.066);
    expect(got.p_zero).toBeLessThan(0.001);
  });

  it("keeps what is paired: the difference of equal columns is exactly 0", () => {
    const values = [0.1, 0.5, 0.9, 0.3];
    const [difference] = stratifiedBootstrap([0, 0, 0, 0], (w) => [mean(values)(w) - mean(values)(w)], {
      rng: createRng(2),
      draws: 100,
    });
    expect(difference).toMatchObject({ value: 0, lower: 0, upper: 0, p_zero: 1 });
  });

  it("is undefined where the statistic is, or where it mostly is", () => {
    const drawn = stratifiedBootstrap([0, 0, 0], (w) => [null, w[0] === 1 ? 1 : null], {
      rng: createRng(2),
      draws: 200,
    });
    expect(drawn[0]).toMatchObject({ value: null, lower: null });
    expect(drawn[1]).toMatchObject({ value: 1, lower: null });
    expect(stratifiedBootstrap([0], () => [1], { rng: createRng(1) })[0]!.lower).toBeNull();
    expect(bootstrapEstimate(drawn[0]!, 3, "nothing there")).toEqual({ estimate: null, reason: "nothing there", n: 3 });
    expect(bootstrapEstimate(drawn[1]!, 3, "")).toMatchObject({ estimate: null });
    expect(() => stratifiedBootstrap([0, 0], () => [Number.NaN], { rng: createRng(1) })).toThrow(RangeError);
    expect(() => stratifiedBootstrap([0, 0], () => [1], { rng: createRng(1), draws: 0 })).toThrow(RangeError);
  });
});
