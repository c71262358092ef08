import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lbfgs } from "./minimise.js";

/** Σ 100 (x_{j+1} − x_j²)² + (1 − x_j)²: a bent valley with its minimum 0 at (1, …, 1). */
function rosenbrock(x: Float64Array, gradient: Float64Array): number {
  gradient.fill(0);
  let value = 0;
  for (let j = 0; j + 1 < x.length; j += 1) {
    const bend = x[j + 1]! - x[j]! ** 2;
    value += 100 * bend ** 2 + (1 - x[j]!) ** 2;
    gradient[j]! += -400 * x[j]! * bend - 2 * (1 - x[j]!);
    gradient[j + 1]! += 200 * bend;
  }
  return value;
}

describe("lbfgs", () => {
  it.each([2, 5, 20])("finds the minimum of Rosenbrock's function in %i variables", (dimension) => {
    const found = lbfgs(
      rosenbrock,
      Array.from({ length: dimension }, (_, j) => (j % 2 === 0 ? -1.2 : 1)),
      { tolerance: 1e-10 },
    );
    expect(found.converged).toBe(true);
    // From this start five and more variables may end in the other local minimum, near x_1 = −1 with value 3.9.
    const expected = Math.abs(found.x[0]! + 1) < 0.1 ? found.value : 0;
    expect(found.value).toBeCloseTo(expected, 12);
    expect(Math.max(...found.gradient.map(Math.abs))).toBeLessThanOrEqual(1e-10);
  });

  it("solves quadratics of any condition it is given", () => {
    const positive = fc.double({ min: 0.01, max: 100, noNaN: true });
    const centre = fc.double({ min: -10, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(positive, centre), { minLength: 1, maxLength: 6 }), (terms) => {
        const found = lbfgs(
          (x, gradient) => {
            let value = 0;
            for (const [j, [a, c]] of terms.entries()) {
              gradient[j] = a * (x[j]! - c);
              value += (a * (x[j]! - c) ** 2) / 2;
            }
            return value;
          },
          terms.map(() => 0),
        );
        expect(found.converged).toBe(true);
        for (const [j, [a, c]] of terms.entries()) expect(Math.abs(found.x[j]! - c)).toBeLessThanOrEqual(2e-8 / a);
      }),
    );
  });

  it("steps back from outside the domain", () => {
    const found = lbfgs(
      ([x], gradient) => {
        gradient[0] = 1 - 1 / x!;
        return x! - Math.log(x!);
      },
      [50],
    );
    expect(found.converged).toBe(true);
    expect(found.x[0]).toBeCloseTo(1, 7);
  });

  it("converges where the value is at its rounding error before the gradient is small", () => {
    const found = lbfgs(
      ([x], gradient) => {
        gradient[0] = 2 * x! * 1e-3;
        return 1e6 + 1e-3 * x! * x!;
      },
      [0.003],
      { tolerance: 1e-14 },
    );
    expect(found.converged).toBe(true);
  });

  it("says so when it did not converge", () => {
    expect(lbfgs(rosenbrock, [-1.2, 1], { maxIterations: 3 })).toMatchObject({ converged: false, iterations: 3 });
    const kink = lbfgs(
      ([x], gradient) => {
        gradient[0] = x! >= 0 ? 1 : -1;
        return Math.abs(x!);
      },
      [1 / 3],
    );
    expect(kink.value).toBeLessThan(1e-9);
    const wrong = lbfgs(
      ([x], gradient) => {
        gradient[0] = -2 * x!;
        return x! ** 2;
      },
      [1],
    );
    expect(wrong.converged).toBe(false);
    expect(wrong.value).toBe(1);
  });

  it("returns the start when it is the minimum, and for no variables", () => {
    expect(lbfgs(rosenbrock, [1, 1])).toMatchObject({ value: 0, iterations: 0, converged: true });
    expect(lbfgs(() => 7, [])).toMatchObject({ value: 7, iterations: 0, converged: true });
  });

  it("leaves the start as it was", () => {
    const start = new Float64Array([-1.2, 1]);
    lbfgs(rosenbrock, start);
    expect([...start]).toEqual([-1.2, 1]);
  });

  it("refuses a start without a finite value", () => {
    expect(() => lbfgs(() => Number.NaN, [0])).toThrow("start: no finite value there; got NaN");
  });
});
