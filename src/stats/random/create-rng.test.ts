import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { createRng } from "./create-rng.js";

const seed = fc.oneof(fc.string(), fc.maxSafeInteger());

function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("createRng", () => {
  it("repeats itself for the same seed, text or number", () => {
    fc.assert(
      fc.property(seed, (seed) => {
        const [a, b] = [createRng(seed), createRng(seed)];
        for (let i = 0; i < 5; i += 1) expect(a.next()).toBe(b.next());
        expect(a.int(1000)).toBe(b.int(1000));
        expect(a.fork("x").next()).toBe(b.fork("x").next());
      }),
    );
  });

  it.each(reference.create_rng)("draws what Python's integers draw for seed $seed", (want) => {
    const rng = createRng(want.seed);
    expect([rng.next(), rng.next(), rng.int(1000), rng.fork("a").next()]).toEqual(want.draws);
  });

  it("stays in [0, 1) and, for integers, in 0 … n−1", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed, n) => {
        const rng = createRng(seed);
        const [u, i] = [rng.next(), rng.int(n)];
        expect(u >= 0 && u < 1).toBe(true);
        expect(Number.isInteger(i) && i >= 0 && i < n).toBe(true);
      }),
    );
    expect(createRng(3).int(2 ** 32)).toBeLessThan(2 ** 32);
  });

  it("gives neighbouring seeds unrelated first numbers", () => {
    // 16 × 16 cells of (first number of seed i, of seed i+1): χ² with 255 degrees of freedom exceeds 330 once in 1,000.
    for (const make of [
      createRng,
      (i: number) => createRng(`row-${i}`),
      (i: number) => createRng(7).fork(`row-${i}`),
    ]) {
      const counts = new Array<number>(256).fill(0);
      for (let i = 0; i < 20_000; i += 1) {
        const cell = Math.floor(make(i).next() * 16) * 16 + Math.floor(make(i + 1).next() * 16);
        counts[cell] = counts[cell]! + 1;
      }
      expect(chiSquare(counts)).toBeLessThan(330);
    }
  });

  it("has 53 random bits: the last ones move too", () => {
    const rng = createRng(11);
    const low = new Set(Array.from({ length: 64 }, () => (rng.next() * 2 ** 53) % 16));
    expect(low.size).toBe(16);
  });

  it("forks a stream that does not depend on what was drawn before", () => {
    const fresh = createRng(5);
    const used = createRng(5);
    for (let i = 0; i < 10; i += 1) used.next();
    expect(used.fork("bootstrap").next()).toBe(fresh.fork("bootstrap").next());
    const streams = ["bootstrap", "bootstrap2", "", "split"].map((label) => fresh.fork(label).next());
    expect(new Set([...streams, createRng(5).next(), createRng(6).fork("split").next()]).size).toBe(6);
    expect(fresh.fork("a").fork("b").next()).not.toBe(fresh.fork("b").fork("a").next());
  });

  it("does not let 200,000 similar texts share a stream", () => {
    const first = new Set<number>();
    for (let i = 0; i < 200_000; i += 1) first.add(createRng(`run|decision-${i}|0`).next());
    expect(first.size).toBe(200_000);
  });

  it("refuses a seed or a range that is none", () => {
    expect(() => createRng(0.5)).toThrow(RangeError);
    expect(() => createRng(Number.NaN)).toThrow(RangeError);
    expect(() => createRng(1).int(0)).toThrow(RangeError);
    expect(() => createRng(1).int(2.5)).toThrow(RangeError);
  });
});
