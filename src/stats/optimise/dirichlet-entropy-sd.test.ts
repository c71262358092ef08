import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/sampling.js";
import { dirichletEntropySd } from "./entropy.js";

const parameters = fc.array(fc.double({ min: 0.5, max: 500, noNaN: true }), { minLength: 2, maxLength: 12 });

describe("dirichletEntropySd", () => {
  it.each(reference.dirichlet_entropy)("agrees with integration for $parameters", ({ parameters, sd }) => {
    expect(Math.abs(dirichletEntropySd(parameters) - sd)).toBeLessThan(1e-10);
  });

  it("does not depend on the order and stays within half of the entropy's range", () => {
    fc.assert(
      fc.property(parameters, (a) => {
        const sd = dirichletEntropySd(a);
        expect(sd).toBeGreaterThan(0);
        expect(sd).toBeLessThanOrEqual(Math.log2(a.length) / 2);
        expect(dirichletEntropySd(a.toReversed())).toBeCloseTo(sd, 9);
      }),
    );
  });

  it("shrinks as evidence grows: a hundred times the draws, about a tenth of it", () => {
    expect(dirichletEntropySd([700, 200, 100]) / dirichletEntropySd([7, 2, 1])).toBeCloseTo(0.1, 1);
  });

  it("refuses parameters that are not above 0", () => {
    expect(() => dirichletEntropySd([0.5, -3])).toThrow(RangeError);
    expect(() => dirichletEntropySd([Number.NaN])).toThrow(RangeError);
  });
});
