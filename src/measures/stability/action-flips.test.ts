import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DefinedEstimate } from "../../core/estimate.js";
import { createRng } from "../../stats/random/create-rng.js";
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
        // One decision has no interval.
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
        expect(other.off_dominant).toEqual(expectClose(one.off_dominant));
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
    // 40 decisions, not 800 proposals.
    expect((flips.off_dominant as DefinedEstimate).upper).toBeGreaterThan(0.05);
    expect((flips.off_dominant as DefinedEstimate).cluster!.upper).toBeGreaterThan(0.05);
  });

  it("have no interval by community where all communities are alike: it would have no width", () => {
    const alike = Array.from({ length: 12 }, (_, i) => ({ community: `c${i % 4}`, counts: [0, 20] }));
    expect(actionFlips(alike).flip_rate).toMatchObject({
      estimate: 0,
      warnings: [expect.stringMatching(/all values are equal/)],
    });
    expect(actionFlips(alike).flip_rate).not.toHaveProperty("cluster");
    // Communities alike, decisions not: one of three in each.
    const differ = actionFlips(alike.map((one, i) => (i % 3 === 0 ? { ...one, counts: [3, 17] } : one))).flip_rate;
    const { lower, upper, cluster } = differ as DefinedEstimate;
    expect(cluster).toBeUndefined();
    expect(upper).toBeGreaterThan(lower);
  });

  it("cover the share off the commonest action in 95% of samples, since decisions are the unit and not proposals", () => {
    const rng = createRng(3);
    const [decisions, proposals, runs] = [50, 20, 300];
    const sample = () =>
      Array.from({ length: decisions }, (_, i) => {
        const p = rng.next() < 0.7 ? 0 : rng.next();
        const k = Array.from({ length: proposals }, () => rng.next() < p).filter(Boolean).length;
        return { community: `c${i % 10}`, counts: [k, proposals - k] };
      });
    const samples = Array.from({ length: runs }, () => actionFlips(sample()).off_dominant as DefinedEstimate);
    const truth = samples.reduce((sum, { estimate }) => sum + estimate, 0) / runs;
    const covered = (interval: (one: DefinedEstimate) => { lower: number; upper: number }) =>
      samples.filter((one) => interval(one).lower <= truth && truth <= interval(one).upper).length / runs;
    // Four standard errors of 300 samples; proposals taken as independent cover 60%.
    expect(covered((one) => one)).toBeGreaterThan(0.9);
    expect(covered((one) => one)).toBeLessThan(0.999);
    expect(covered((one) => one.cluster!)).toBeGreaterThan(0.9);
  });

  it("have no interval off the commonest action with one decision, however often it was proposed", () => {
    expect(actionFlips([{ community: "a", counts: [5, 15] }]).off_dominant).toEqual({
      estimate: null,
      reason: "one decision has no interval",
      n: 20,
    });
  });

  it("have a by-community interval at least as wide as that over decisions", () => {
    fc.assert(
      fc.property(decisions, (all) => {
        const { off_dominant: one } = actionFlips(all);
        if (one.estimate === null || !one.cluster) return;
        expect(one.cluster.upper - one.cluster.lower).toBeGreaterThanOrEqual(one.upper - one.lower - 1e-12);
        expect(one.lower).toBeLessThanOrEqual(one.estimate + 1e-12);
        expect(one.upper).toBeGreaterThanOrEqual(one.estimate - 1e-12);
      }),
    );
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

/** The intervals up to the last digit, which the order of sums decides. */
function expectClose(estimate: ReturnType<typeof actionFlips>["off_dominant"]): unknown {
  if (estimate.estimate === null) return estimate;
  const close = <T extends { lower: number; upper: number }>(interval: T) => ({
    ...interval,
    lower: expect.closeTo(interval.lower, 10),
    upper: expect.closeTo(interval.upper, 10),
  });
  if (!estimate.cluster) return close(estimate);
  const { design_effect, ...cluster } = estimate.cluster;
  const effect = design_effect === null ? null : expect.closeTo(design_effect, 10);
  return { ...close(estimate), cluster: { ...close(cluster), design_effect: effect } };
}
