import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { betaQuantile, incompleteBeta, studentTCdf, studentTQuantile } from "./incomplete-beta.js";
import { normalCdf, normalQuantile } from "./normal.js";
import { logBeta, logGamma, stirlingRemainder } from "./special-functions.js";

const shape = fc.double({ min: 0.05, max: 5000, noNaN: true });
const probability = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });

describe("against mpmath at 60 digits, each value is right to 1e-12", () => {
  it.each(reference.log_gamma)("logGamma($x)", ({ x, value }) => {
    expect(relativeError(logGamma(x), value)).toBeLessThan(1e-14);
  });

  it.each(reference.log_beta)("logBeta($a, $b)", ({ a, b, value }) => {
    expect(relativeError(logBeta(a, b), value)).toBeLessThan(1e-14);
  });

  it.each(reference.incomplete_beta)("incompleteBeta($x, $a, $b)", ({ x, a, b, value }) => {
    expect(relativeError(incompleteBeta(x, a, b), value)).toBeLessThan(1e-12);
  });

  it.each(reference.beta_quantile)("betaQuantile($p, $a, $b)", ({ p, a, b, value }) => {
    expect(relativeError(betaQuantile(p, a, b), value)).toBeLessThan(1e-13);
  });

  it.each(reference.normal_cdf)("normalCdf($x)", ({ x, value }) => {
    expect(relativeError(normalCdf(x), value)).toBeLessThan(1e-13);
  });

  it.each(reference.normal_quantile)("normalQuantile($p)", ({ p, value }) => {
    expect(relativeError(normalQuantile(p), value)).toBeLessThan(1e-13);
  });

  it.each(reference.student_t_cdf)("studentTCdf($t, $df)", ({ t, df, value }) => {
    expect(relativeError(studentTCdf(t, df), value)).toBeLessThan(1e-12);
  });

  it.each(reference.student_t_quantile)("studentTQuantile($p, $df)", ({ p, df, value }) => {
    expect(relativeError(studentTQuantile(p, df), value)).toBeLessThan(1e-13);
  });
});

describe("identities that hold for every argument", () => {
  it("Γ(x+1) = x Γ(x)", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (x) => {
        const right = Math.log(x) + logGamma(x);
        expect(Math.abs(logGamma(x + 1) - right)).toBeLessThan(1e-13 * (1 + Math.abs(right) + Math.abs(Math.log(x))));
      }),
    );
  });

  it("Stirling's formula plus its remainder is ln Γ", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (z) => {
        const stirling = (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI);
        expect(Math.abs(stirling + stirlingRemainder(z) - logGamma(z))).toBeLessThan(1e-12);
      }),
    );
  });

  it("I_x(a, b) + I_{1−x}(b, a) = 1", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1024 }), shape, shape, (i, a, b) => {
        const x = i / 1024;
        expect(incompleteBeta(x, a, b) + incompleteBeta(1 - x, b, a)).toBeCloseTo(1, 13);
      }),
    );
  });

  it("I_x(1, b) has its closed form, tiny values included", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 0.999, noNaN: true }), shape, (x, b) => {
        expect(relativeError(incompleteBeta(x, 1, b), -Math.expm1(b * Math.log1p(-x)))).toBeLessThan(1e-11);
      }),
    );
  });

  it("a beta quantile leads back to its probability", () => {
    fc.assert(
      fc.property(probability, shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        // Where x rounds to 1 (or underflows to 0) no double leads back.
        fc.pre(x > 1e-300 && x < 1 - 1e-6);
        expect(relativeError(incompleteBeta(x, a, b), p)).toBeLessThan(1e-8);
      }),
    );
  });

  it("beta quantiles never fall as p rises", () => {
    fc.assert(
      fc.property(probability, probability, shape, shape, (p, q, a, b) => {
        expect(betaQuantile(Math.min(p, q), a, b)).toBeLessThanOrEqual(
          betaQuantile(Math.max(p, q), a, b) * (1 + 1e-14),
        );
      }),
    );
  });

  it("normal and t quantiles are antisymmetric and lead back to their probability", () => {
    fc.assert(
      fc.property(probability, fc.double({ min: 0.5, max: 1e4, noNaN: true }), (p, df) => {
        expect(relativeError(normalCdf(normalQuantile(p)), p)).toBeLessThan(1e-13);
        expect(relativeError(studentTCdf(studentTQuantile(p, df), df), p)).toBeLessThan(1e-12);
        expect(normalQuantile(1 - p)).toBe(-normalQuantile(1 - (1 - p)));
        expect(studentTQuantile(1 - p, df)).toBeCloseTo(-studentTQuantile(1 - (1 - p), df), 12);
      }),
    );
  });

  it("t with infinitely many degrees of freedom is normal", () => {
    expect(studentTCdf(-1.3, Infinity)).toBe(normalCdf(-1.3));
    expect(studentTQuantile(0.1, Infinity)).toBe(normalQuantile(0.1));
    expect(studentTQuantile(0.1, 1e9)).toBeCloseTo(normalQuantile(0.1), 8);
  });
});

describe("ends and nonsense", () => {
  it("answers the ends of each domain exactly", () => {
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1]);
    expect([betaQuantile(0, 2, 3), betaQuantile(1, 2, 3)]).toEqual([0, 1]);
    expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)]).toEqual([-Infinity, 0, Infinity]);
    expect([studentTQuantile(0, 3), studentTQuantile(0.5, 3), studentTQuantile(1, 3)]).toEqual([
      -Infinity,
      0,
      Infinity,
    ]);
    expect([studentTCdf(-Infinity, 3), studentTCdf(Infinity, 3)]).toEqual([0, 1]);
    expect([normalCdf(-Infinity), normalCdf(Infinity)]).toEqual([0, 1]);
    expect([logGamma(1), logGamma(2), logGamma(Infinity)]).toEqual([0, 0, Infinity]);
  });

  it("returns 0 where a quantile is below the smallest double", () => {
    expect(betaQuantile(0.1, 0.001, 1)).toBeLessThan(1e-300);
  });

  it("still answers for ten billion rows", () => {
    // P(X ≤ mean) ≈ ½ + (1−2p) / (3 √(2π n p q)), the first Edgeworth term.
    expect(incompleteBeta(0.3, 3e9, 7e9)).toBeCloseTo(0.5 + 0.4 / (3 * Math.sqrt(2 * Math.PI * 2.1e9)), 9);
  });

  it.each([
    () => logGamma(0),
    () => logGamma(Number.NaN),
    () => logBeta(-1, 2),
    () => incompleteBeta(1.1, 1, 1),
    () => incompleteBeta(0.5, 0, 1),
    () => betaQuantile(-0.1, 1, 1),
    () => betaQuantile(0.5, 1, Infinity),
    () => normalCdf(Number.NaN),
    () => normalQuantile(1.5),
    () => studentTCdf(1, 0),
    () => studentTQuantile(0.5, -1),
  ])("refuses nonsense: %s", (call) => {
    expect(call).toThrow(RangeError);
  });
});
