import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/sampling.js";
import { relativeError } from "../../../test/references/stats.js";
import { digamma, trigamma } from "./special-functions.js";

const positive = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

describe("digamma and trigamma", () => {
  it.each(reference.gammas)("agree with mpmath at $x", (row) => {
    expect(relativeError(digamma(row.x), row.digamma)).toBeLessThan(1e-13);
    expect(relativeError(trigamma(row.x), row.trigamma)).toBeLessThan(1e-13);
  });

  it("obey ψ(x + 1) = ψ(x) + 1/x and ψ₁(x + 1) = ψ₁(x) − 1/x²", () => {
    fc.assert(
      fc.property(positive, (x) => {
        expect(Math.abs(digamma(x + 1) - digamma(x) - 1 / x)).toBeLessThan(1e-9 * (1 + 1 / x));
        expect(Math.abs(trigamma(x + 1) - trigamma(x) + 1 / (x * x))).toBeLessThan(1e-9 * (1 + 1 / (x * x)));
      }),
    );
  });

  it("refuse what is not above 0", () => {
    for (const x of [0, -1.5, Number.NaN, Infinity]) {
      expect(() => digamma(x)).toThrow(RangeError);
      expect(() => trigamma(x)).toThrow(RangeError);
    }
  });
});
