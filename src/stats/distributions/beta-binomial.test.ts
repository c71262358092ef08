import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { relativeError } from "../../../test/references/stats.js";
import { betaBinomialFit, ENOUGH_COHORTS, posteriorBeta, posteriorExceeds } from "./beta-binomial-fit.js";
import { logBeta, logRisingFactorial } from "./special-functions.js";

const pair = (k: readonly number[], n: readonly number[]) => k.map((value, i) => ({ k: value, n: n[i]! }));
const counts = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([n, share]) => ({ k: Math.round(n * share), n }));

describe("the likelihood of the fit", () => {
  const logLikelihood = (k: number, n: number, a: number, b: number) =>
    logRisingFactorial(a, k) + logRisingFactorial(b, n - k) - logRisingFactorial(a + b, n);

  it.each(reference.log_likelihood)("is scipy's betabinom without the coefficient at $k of $n", (want) => {
    expect(relativeError(logLikelihood(want.k, want.n, want.a, want.b), want.value)).toBeLessThan(1e-9);
  });

  it("is the difference of two ln B, and logRisingFactorial the product it stands for", () => {
    const shape = fc.double({ min: 1e-3, max: 2e5, noNaN: true });
    fc.assert(
      fc.property(counts, shape, shape, ({ k, n }, a, b) => {
        const want = logBeta(a + k, b + n - k) - logBeta(a, b);
        expect(logLikelihood(k, n, a, b)).toBeCloseTo(want, 6);
        let product = 0;
        for (let i = 0; i < k; i += 1) product += Math.log(a + i);
        expect(relativeError(logRisingFactorial(a, k), product)).toBeLessThan(1e-9);
      }),
    );
  });

  it("has no place for a shape of 0", () => {
    expect(() => logRisingFactorial(0, 1)).toThrow(RangeError);
  });
});

describe("betaBinomialFit", () => {
  it.each(reference.fits)("finds scipy's maximum, fleet %#", (want) => {
    const fit = betaBinomialFit(pair(want.k, want.n))!;
    expect(fit.method).toBe("maximum likelihood");
    expect(fit.log_likelihood).toBeGreaterThanOrEqual(want.log_likelihood - 1e-8);
    expect(relativeError(fit.mean, want.mean)).toBeLessThan(1e-6);
    expect(relativeError(fit.concentration, want.concentration)).toBeLessThan(1e-5);
    want.exceeds.forEach((exceeds, i) => {
      expect(posteriorExceeds(fit.prior, want.k[i]!, want.n[i]!, 0.1)).toBeCloseTo(exceeds, 7);
      const { a, b } = posteriorBeta(fit.prior, want.k[i]!, want.n[i]!);
      expect(a / (a + b)).toBeCloseTo(want.posterior_mean[i]!, 7);
    });
  });

  it.each(reference.integrated)(
    "integrates few cohorts (integrateBetaBinomial) as a fixed grid of 601 × 601 does, fleet %#",
    (want) => {
      const fit = betaBinomialFit(pair(want.k, want.n))!;
      expect(fit).toMatchObject({ method: "integrated", grid_side: 25 });
      expect(fit.prior.weight.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
      want.exceeds.forEach((exceeds, i) => {
        expect(Math.abs(posteriorExceeds(fit.prior, want.k[i]!, want.n[i]!, 0.1) - exceeds)).toBeLessThan(2e-3);
        const { a, b } = posteriorBeta(fit.prior, want.k[i]!, want.n[i]!);
        expect(Math.abs(a / (a + b) - want.posterior_mean[i]!)).toBeLessThan(2e-3);
      });
    },
  );

  it("does not depend on the order of cohorts, to the last digit", () => {
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1, maxLength: 40 }), (cohorts) => {
        expect(betaBinomialFit([...cohorts].reverse())).toEqual(betaBinomialFit(cohorts));
      }),
      { numRuns: 25 },
    );
  });

  it("mirrors when success and failure change places", () => {
    const fleet = reference.fits[0]!;
    const fit = betaBinomialFit(pair(fleet.k, fleet.n))!;
    const mirror = betaBinomialFit(fleet.k.map((k, i) => ({ k: fleet.n[i]! - k, n: fleet.n[i]! })))!;
    expect(mirror.mean).toBeCloseTo(1 - fit.mean, 8);
    expect(mirror.concentration).toBeCloseTo(fit.concentration, 4);
  });

  it("ignores cohorts without trials, and is null when there are no others", () => {
    expect(betaBinomialFit([])).toBeNull();
    expect(betaBinomialFit([{ k: 0, n: 0 }])).toBeNull();
    const one = [{ k: 1, n: 40 }];
    expect(betaBinomialFit([...one, { k: 0, n: 0 }])).toEqual(betaBinomialFit(one));
    expect(() => betaBinomialFit([{ k: 2, n: 1 }])).toThrow(RangeError);
  });

  it("never believes in a rate of exactly 0, nor in cohorts that are all the same", () => {
    const zero = betaBinomialFit(Array.from({ length: ENOUGH_COHORTS + 10 }, (_, i) => ({ k: 0, n: 25 + i })))!;
    expect(zero).toMatchObject({ at_bound: true, method: "integrated" });
    expect(posteriorExceeds(zero.prior, 0, 25, 0.1)).toBeGreaterThan(0);
    const same = betaBinomialFit(Array.from({ length: ENOUGH_COHORTS }, () => ({ k: 2, n: 40 })))!;
    expect(same).toMatchObject({ at_bound: true, method: "integrated" });
    const { a, b } = posteriorBeta(same.prior, 2, 40);
    expect(a / (a + b)).toBeCloseTo(0.05, 2);
    // Wider than the pooled 60 of 1,200 alone would be, narrower than 2 of 40 alone.
    expect(a + b).toBeGreaterThan(42);
    expect(a + b).toBeLessThan(1202);
    const full = betaBinomialFit(Array.from({ length: 40 }, () => ({ k: 30, n: 30 })))!;
    expect(full.at_bound).toBe(true);
    expect(posteriorExceeds(full.prior, 30, 30, 0.1)).toBeCloseTo(1, 6);
  });

  it("shrinks: the posterior mean lies between the community's own rate and the fleet's", () => {
    const fleet = reference.fits[1]!;
    const fit = betaBinomialFit(pair(fleet.k, fleet.n))!;
    fleet.k.forEach((k, i) => {
      const own = k / fleet.n[i]!;
      const { a, b } = posteriorBeta(fit.prior, k, fleet.n[i]!);
      expect(a / (a + b)).toBeGreaterThanOrEqual(Math.min(own, fit.mean) - 1e-12);
      expect(a / (a + b)).toBeLessThanOrEqual(Math.max(own, fit.mean) + 1e-12);
    });
  });
});

describe("posteriorExceeds", () => {
  const flat = { a: [1, 2], b: [1, 8], weight: [0.5, 0.5] };
  it("rises with k, falls with the limit, and answers the ends", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 49 }), fc.double({ min: 0.01, max: 0.98, noNaN: true }), (k, limit) => {
        const here = posteriorExceeds(flat, k, 50, limit);
        expect(posteriorExceeds(flat, k + 1, 50, limit)).toBeGreaterThanOrEqual(here);
        expect(posteriorExceeds(flat, k, 50, limit + 0.01)).toBeLessThanOrEqual(here);
      }),
    );
    expect(posteriorExceeds(flat, 3, 50, 1)).toBe(0);
    expect(posteriorExceeds(flat, 3, 50, -0.1)).toBe(1);
    expect(() => posteriorExceeds(flat, 3, 2, 0.5)).toThrow(RangeError);
  });
});
