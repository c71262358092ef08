import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/selective.js";
import { relativeError } from "../../../test/references/stats.js";
import { binomialCdf } from "../distributions/incomplete-beta.js";
import { createRng } from "../random/create-rng.js";
import { hoeffdingBentkus } from "./bounded-e-value.js";

describe("hoeffdingBentkus", () => {
  it.each(reference.hoeffding_bentkus)("agrees with scipy for $sum of $n at $limit", ({ sum, n, limit, p }) => {
    expect(relativeError(hoeffdingBentkus(sum, n, limit), p)).toBeLessThan(1e-10);
  });

  it("rises with the sum, falls with the limit, and is never below the exact tail of whole losses", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 0.9, noNaN: true }),
        (n, a, b, limit) => {
          const [low, high] = [Math.min(a, b) * n, Math.max(a, b) * n];
          expect(hoeffdingBentkus(low, n, limit)).toBeLessThanOrEqual(hoeffdingBentkus(high, n, limit) * (1 + 1e-12));
          expect(hoeffdingBentkus(low, n, limit)).toBeGreaterThanOrEqual(
            hoeffdingBentkus(low, n, limit + 0.05) * (1 - 1e-12),
          );
          const k = Math.floor(low);
          expect(hoeffdingBentkus(k, n, limit)).toBeGreaterThanOrEqual(binomialCdf(k, n, limit) * (1 - 1e-12));
        },
      ),
    );
  });

  it("counts ten losses of 0.1 as one", () => {
    const sum = Array.from({ length: 10 }, () => 0.1).reduce((a, b) => a + b);
    expect(sum).not.toBe(1);
    expect(hoeffdingBentkus(3 * 0.1 + 2.7, 100, 0.1)).toBeCloseTo(hoeffdingBentkus(3, 100, 0.1), 12);
    expect(hoeffdingBentkus(sum, 50, 0.1)).toBeCloseTo(hoeffdingBentkus(1, 50, 0.1), 12);
  });

  it("is at most δ in at most a share δ of samples whose mean loss is at the limit", () => {
    const rng = createRng("hoeffding-bentkus");
    let rejected = 0;
    for (let sample = 0; sample < 4000; sample += 1) {
      let sum = 0;
      // Uniform on 0 to 0.2: mean 0.1.
      for (let i = 0; i < 40; i += 1) sum += 0.2 * rng.next();
      if (hoeffdingBentkus(sum, 40, 0.1) <= 0.1) rejected += 1;
    }
    expect(rejected / 4000).toBeLessThanOrEqual(0.1);
  });

  it("is 1 from the limit on, and refuses what is no sample", () => {
    expect(hoeffdingBentkus(5, 50, 0.1)).toBe(1);
    expect(hoeffdingBentkus(1, 1, 0.1)).toBe(1);
    expect(() => hoeffdingBentkus(0, 0, 0.1)).toThrow(RangeError);
    expect(() => hoeffdingBentkus(2, 1, 0.1)).toThrow(RangeError);
    expect(() => hoeffdingBentkus(0, 1, 0)).toThrow(RangeError);
    expect(() => hoeffdingBentkus(0, 1, 1)).toThrow(RangeError);
  });
});
