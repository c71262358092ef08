import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stability.js";
import { createRng } from "../random/create-rng.js";
import { varianceComponents } from "./variance-components.js";

describe("varianceComponents", () => {
  it.each(reference.components)("agrees with the mean squares of statsmodels for $cases cases × $levels", (want) => {
    const got = varianceComponents(want)()!;
    expect(got.within).toBeCloseTo(want.within_component, 10);
    expect(got.effects).toHaveLength(want.effects.length);
    for (const { factors, with_case, component } of want.effects) {
      const own = got.effects.find((one) => one.with_case === with_case && String(one.factors) === String(factors));
      expect(own?.component).toBeCloseTo(component, 10);
    }
  });

  it("treats a weight of 2 as the same case twice", () => {
    const { cases, levels, mean, within, count } = reference.components[1]!;
    const cells = mean.length / cases;
    const twice = (values: number[]) => [...values, ...values.slice(0, cells)];
    const longer = { cases: cases + 1, levels, mean: twice(mean), within: twice(within), count: twice(count) };
    const weights = new Float64Array(cases).fill(1);
    weights[0] = 2;
    const weighted = varianceComponents({ cases, levels, mean, within, count })(weights)!;
    const plain = varianceComponents(longer)()!;
    plain.effects.forEach((effect, i) => {
      expect(weighted.effects[i]!.component).toBeCloseTo(effect.component, 10);
    });
    expect(weighted.within).toBeCloseTo(plain.within, 12);
  });

  it("recovers planted components, with unequal numbers of replicates", () => {
    const rng = createRng(5);
    const normal = () => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
    const [cases, temperatures] = [3000, 3];
    const mean: number[] = [];
    const within: number[] = [];
    const count: number[] = [];
    for (let c = 0; c < cases; c += 1) {
      const own = normal();
      for (let t = 0; t < temperatures; t += 1) {
        const n = 2 + rng.int(6);
        const cell = own + 0.5 * normal();
        const values = Array.from({ length: n }, () => cell + 0.7 * normal());
        const m = values.reduce((a, b) => a + b, 0) / n;
        mean.push(m);
        within.push(values.reduce((sum, v) => sum + (v - m) ** 2, 0) / (n - 1));
        count.push(n);
      }
    }
    const got = varianceComponents({ cases, levels: [temperatures], mean, within, count })()!;
    const find = (factors: number[], with_case: boolean) =>
      got.effects.find((one) => one.with_case === with_case && String(one.factors) === String(factors))!.component;
    expect(find([], true)).toBeCloseTo(1, 1);
    expect(find([0], true)).toBeCloseTo(0.25, 1);
    expect(Math.abs(find([0], false))).toBeLessThan(0.01);
    expect(got.within).toBeCloseTo(0.49, 1);
  });

  it("leaves negative estimates as they are, and refuses tables with holes", () => {
    const flat = varianceComponents({ cases: 2, levels: [1], mean: [1, 1], within: [4, 4], count: [2, 2] })()!;
    expect(flat.effects).toEqual([{ factors: [], with_case: true, component: -2, degrees: 1 }]);
    expect(varianceComponents({ cases: 1, levels: [], mean: [1], within: [1], count: [2] })()).toBeNull();
    expect(() => varianceComponents({ cases: 2, levels: [2], mean: [1], within: [1], count: [2] })).toThrow(RangeError);
    expect(() => varianceComponents({ cases: 1, levels: [1], mean: [1], within: [1], count: [1] })).toThrow(RangeError);
  });
});
