import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng, shuffle } from "./create-rng.js";

function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("shuffle", () => {
  it("keeps the items and leaves its argument alone", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.string(), (items, seed) => {
        const before = [...items];
        expect(shuffle(items, createRng(seed)).toSorted()).toEqual(items.toSorted());
        expect(items).toEqual(before);
      }),
    );
  });

  it("gives each of the 24 orders of 4 equally often", () => {
    const rng = createRng("orders");
    const counts = new Map<string, number>();
    for (let i = 0; i < 24_000; i += 1) {
      const order = shuffle([1, 2, 3, 4], rng).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    // χ² with 23 degrees of freedom exceeds 49.7 once in 1,000.
    expect(counts.size).toBe(24);
    expect(chiSquare([...counts.values()])).toBeLessThan(49.7);
  });
});
