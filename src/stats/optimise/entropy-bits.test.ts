import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { entropyBits } from "./entropy.js";

const masses = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 21 });

describe("entropyBits", () => {
  it.each(reference.entropy_bits)("agrees with scipy on $probs", ({ probs, value }) => {
    expect(relativeError(entropyBits(probs)!, value)).toBeLessThan(1e-12);
  });

  it("lies between 0 and log2 k, whatever the order and the scale", () => {
    fc.assert(
      fc.property(masses, (probs) => {
        const bits = entropyBits(probs);
        fc.pre(bits !== null && probs.reduce((sum, p) => sum + p, 0) > 1e-290);
        expect(bits).toBeGreaterThanOrEqual(0);
        expect(bits).toBeLessThanOrEqual(Math.log2(probs.length) + 1e-12);
        expect(entropyBits(probs.toReversed())).toBeCloseTo(bits!, 12);
        expect(entropyBits(probs.map((p) => p * 8))).toBeCloseTo(bits!, 12);
      }),
    );
  });

  it("is exactly 0, never −0, for certainty", () => {
    expect(entropyBits([0, 3, 0])).toBe(0);
    expect(entropyBits(new Float64Array([1]))).toBe(0);
  });

  it("is null without mass and refuses what is no mass", () => {
    expect(entropyBits([])).toBeNull();
    expect(entropyBits([0, 0])).toBeNull();
    expect(() => entropyBits([0.5, -0.1])).toThrow(RangeError);
    expect(() => entropyBits([Number.NaN])).toThrow(RangeError);
    expect(() => entropyBits([Infinity])).toThrow(RangeError);
  });
});
