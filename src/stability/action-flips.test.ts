import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DefinedEstimate } from "../domain/estimate.js";
import { actionFlips } from "./action-flips.js";

const decision = fc.record({
  community: fc.constantFrom("a", "b", "c"),
  counts: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })),
});
const decisions = fc.array(decision, { minLength: 2, maxLength: 30 });

/** The proposals one by one: every pair of them compared. */
function pairwise(counts: readonly number[]): number {
  const all = counts.flatMap((count, action) => Array<number>(count).fill(action));
  let differ = 0;
  let pairs = 0;
  for (let i = 0; i < all.length; i++) {
    for (let j = 0; j < i; j++) {
      pairs++;
      if (all[i] !== all[j]) differ++;
    }
  }
  return differ / pairs;
}

describe("flips of a decider", () => {
  it("are those that comparing every two proposals gives", () => {
    fc.assert(
      fc.property(decisions, (all) => {
        const flips = actionFlips(all);
        const kept = all.filter(({ counts }) => counts[0] + counts[1] >= 2);
        expect(flips.n).toBe(kept.length);
        if (kept.length < 2) return;
        const mean = kept.reduce((sum, { counts }) => sum + pairwise(counts), 0) / kept.length;
        expect(flips.flip_rate.estimate).toBeCloseTo(mean, 12);
        const { k, n } = flips.off_dominant as DefinedEstimate;
        expect(n).toBe(kept.reduce((sum, { counts }) => sum + counts[0] + counts[1], 0));
        expect(k).toBe(kept.reduce((sum, { counts }) => sum + Math.min(...counts), 0));
        expect((flips.flipped as DefinedEstimate).k).toBe(kept.filter(({ counts }) => Math.min(...counts) > 0).length);
      }),
    );
  });

  it("do not depend on the order of decisions or on which action is which", () => {
    fc.assert(
      fc.property(decisions, (all) => {
        const turned = all.map(({ community, counts }) => ({ community, counts: [...counts].reverse() })).reverse();
        const [one, other] = [actionFlips(all), actionFlips(turned)];
        expect(other.off_dominant).toEqual({ ...one.off_dominant, cluster: expectClose(one.off_dominant) });
        expect(other.flip_rate.estimate ?? 0).toBeCloseTo(one.flip_rate.estimate ?? 0, 12);
      }),
    );
  });

  it("are none where the action is the same every time, with an interval that says how sure that is", () => {
    const steady = Array.from({ length: 40 }, (_, i) => ({ community: `c${i % 4}`, counts: [0, 20] }));
    const flips = actionFlips(steady);
    expect(flips.flip_rate).toMatchObject({ estimate: 0 });
    expect(flips.flipped).toMatchObject({ estimate: 0, lower: 0, k: 0, n: 40 });
    expect((flips.flipped as DefinedEstimate).upper).toBeGreaterThan(0.05);
  });

  it("are undefined where nothing was proposed twice", () => {
    for (const all of [[], [{ community: "a", counts: [1, 0] }]]) {
      expect(actionFlips(all)).toMatchObject({
        n: 0,
        flip_rate: { estimate: null, reason: "no decision was proposed twice" },
        off_dominant: { estimate: null },
        flipped: { estimate: null },
      });
    }
  });
});

/** The cluster interval up to the last digit, which the order of sums decides. */
function expectClose(estimate: ReturnType<typeof actionFlips>["off_dominant"]): unknown {
  if (estimate.estimate === null || !estimate.cluster) return undefined;
  const { lower, upper, design_effect } = estimate.cluster;
  return {
    ...estimate.cluster,
    lower: expect.closeTo(lower, 10),
    upper: expect.closeTo(upper, 10),
    design_effect: design_effect === null ? null : expect.closeTo(design_effect, 10),
  };
}
