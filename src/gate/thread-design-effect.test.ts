import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusteredProportion } from "../stats/clustered-proportion.js";
import { createRng } from "../stats/create-rng.js";
import {
  ASSUMED_THREAD_CORRELATION,
  type ThreadSums,
  threadCorrelation,
  threadDesignEffect,
} from "./thread-design-effect.js";

function sumsOf(threads: readonly { k: number; n: number }[]): ThreadSums {
  const sum = (of: (thread: { k: number; n: number }) => number) => threads.reduce((total, one) => total + of(one), 0);
  return {
    threads: threads.length,
    n: sum(({ n }) => n),
    squares: sum(({ n }) => n * n),
    k: sum(({ k }) => k),
    kk: sum(({ k }) => k * k),
    kn: sum(({ k, n }) => k * n),
  };
}

describe("the likeness of a thread's verdicts", () => {
  it("is 1 where every thread speaks with one voice, and 0 where each is as mixed as the whole", () => {
    const voices = [...Array(20)].map((_, i) => ({ k: i % 2 ? 5 : 0, n: 5 }));
    expect(threadCorrelation([sumsOf(voices)])).toBe(1);
    const mixed = [...Array(20)].map(() => ({ k: 2, n: 4 }));
    expect(threadCorrelation([sumsOf(mixed)])).toBe(0);
  });

  it("gives the design effect of the clustered interval for threads of one size", () => {
    const threads = [1, 0, 3, 2, 0, 0, 4, 1, 2, 0].map((k) => ({ k, n: 4 }));
    const effect = threadDesignEffect(sumsOf(threads), threadCorrelation([sumsOf(threads)]));
    expect(effect).toBeCloseTo(clusteredProportion(threads)!.design_effect!, 12);
  });

  it("is assumed where nothing can be measured: no verdict of the kind, or no thread of several rows", () => {
    expect(threadCorrelation([])).toBe(ASSUMED_THREAD_CORRELATION);
    expect(threadCorrelation([sumsOf([...Array(9)].map(() => ({ k: 0, n: 5 })))])).toBe(ASSUMED_THREAD_CORRELATION);
    expect(threadCorrelation([sumsOf([...Array(9)].map((_, i) => ({ k: i % 2, n: 1 })))])).toBe(
      ASSUMED_THREAD_CORRELATION,
    );
  });

  it("is found again in simulated threads (ICC 0.2, fixed seed)", () => {
    const rng = createRng(7);
    // A thread shares one verdict with probability √0.2 for each row: pairs agree beyond chance with 0.2.
    const threads = [...Array(20_000)].map(() => {
      const shared = rng.next() < 0.3 ? 1 : 0;
      let k = 0;
      for (let i = 0; i < 5; i++) k += rng.next() < Math.sqrt(0.2) ? shared : rng.next() < 0.3 ? 1 : 0;
      return { k, n: 5 };
    });
    expect(threadCorrelation([sumsOf(threads)])).toBeCloseTo(0.2, 1);
  });

  it("stays within 0 and 1, and its effect is at least 1", () => {
    const thread = fc
      .integer({ min: 1, max: 6 })
      .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 0, max: n }) }));
    fc.assert(
      fc.property(fc.array(fc.array(thread, { maxLength: 8 }), { maxLength: 4 }), (fleet) => {
        const sums = fleet.map(sumsOf);
        const correlation = threadCorrelation(sums);
        expect(correlation).toBeGreaterThanOrEqual(0);
        expect(correlation).toBeLessThanOrEqual(1);
        for (const one of sums) expect(threadDesignEffect(one, correlation)).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
