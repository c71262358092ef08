import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng, sampleWithoutReplacement } from "./create-rng.js";

function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("sampleWithoutReplacement", () => {
  it("gives k different integers below n", () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.string(), (a, b, seed) => {
        const [k, n] = [Math.min(a, b), Math.max(a, b)];
        const sample = sampleWithoutReplacement(n, k, createRng(seed));
        expect(sample).toHaveLength(k);
        expect(new Set(sample).size).toBe(k);
        expect(sample.every((i) => Number.isInteger(i) && i >= 0 && i < n)).toBe(true);
      }),
    );
  });

  it("takes every ordered pair of 4 equally often", () => {
    const rng = createRng("pairs");
    const counts = new Map<string, number>();
    for (let i = 0; i < 12_000; i += 1) {
      const pair = sampleWithoutReplacement(4, 2, rng).join();
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    // χ² with 11 degrees of freedom exceeds 31.3 once in 1,000.
    expect(counts.size).toBe(12);
    expect(chiSquare([...counts.values()])).toBeLessThan(31.3);
  });

  it("does not allocate the population", () => {
    expect(sampleWithoutReplacement(2 ** 32, 3, createRng(1))).toHaveLength(3);
  });

  it("refuses more than there are", () => {
    expect(() => sampleWithoutReplacement(3, 4, createRng(1))).toThrow(RangeError);
    expect(() => sampleWithoutReplacement(3, -1, createRng(1))).toThrow(RangeError);
  });
});
