import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/paired.js";
import { createRng, type Rng } from "../random/create-rng.js";
import { type ClusterBootstrapOptions, clusterBootstrap } from "./cluster-bootstrap.js";

/** A stream that hands out a list of indices. */
function listed(indices: readonly number[]): Rng {
  let next = 0;
  return { next: () => 0, int: () => indices[next++]!, fork: () => listed(indices) };
}

/** Σ w k / Σ w n. */
function ratio(k: readonly number[], n: readonly number[]): (weights: Float64Array) => number | null {
  return (weights) => {
    let top = 0;
    let bottom = 0;
    for (let c = 0; c < weights.length; c++) {
      top += weights[c]! * k[c]!;
      bottom += weights[c]! * n[c]!;
    }
    return bottom === 0 ? null : top / bottom;
  };
}

const sizes = [40, 12, 9, 30, 22, 17];
const hits = [8, 1, 3, 2, 9, 1];
const run = (options: Partial<ClusterBootstrapOptions> & { seed?: number } = {}) =>
  clusterBootstrap(6, ratio(hits, sizes), { rng: createRng(options.seed ?? 1), ...options })!;

describe("clusterBootstrap", () => {
  const { k, n, draws, percentile, bca } = reference.cluster_bootstrap;
  it.each([
    { method: "percentile" as const, want: percentile },
    { method: "bca" as const, want: bca },
  ])("gives numpy's $method interval of the same resamples", ({ method, want }) => {
    const got = clusterBootstrap(k.length, ratio(k, n), { rng: listed(draws.flat()), draws: draws.length, method })!;
    expect(got.lower).toBeCloseTo(want[0]!, 12);
    expect(got.upper).toBeCloseTo(want[1]!, 12);
    expect(got).toMatchObject({ method, draws: 400, undefined_draws: 0, level: 0.95, warnings: [] });
  });

  it("depends on the seed alone, and a wider level gives a wider interval", () => {
    expect(run({ seed: 5 })).toEqual(run({ seed: 5 }));
    expect(run({ seed: 6 })).not.toEqual(run({ seed: 5 }));
    const wide = run({ level: 0.99 });
    expect(wide.lower).toBeLessThan(run().lower);
    expect(wide.upper).toBeGreaterThan(run().upper);
  });

  it("draws exactly as many clusters as there are", () => {
    clusterBootstrap(
      6,
      (weights) => {
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeGreaterThanOrEqual(5);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(6);
        return weights[0]!;
      },
      { rng: createRng(1), draws: 50, method: "bca" },
    );
  });

  it("is near the normal interval of a mean with many clusters", () => {
    const values = Array.from({ length: 400 }, (_, i) => Math.sin(i));
    const mean = values.reduce((a, b) => a + b) / 400;
    const sd = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / 400);
    const ones = values.map(() => 1);
    const got = clusterBootstrap(400, ratio(values, ones), { rng: createRng(3), method: "bca", draws: 4000 })!;
    expect(got.lower).toBeCloseTo(mean - (1.96 * sd) / 20, 2);
    expect(got.upper).toBeCloseTo(mean + (1.96 * sd) / 20, 2);
  });

  it("lies between the extremes of the clusters, whatever they are", () => {
    const rows = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 20 })), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(rows, fc.constantFrom("percentile" as const, "bca" as const), (list, method) => {
        const top = list.map(([hit, rest]) => hit / (hit + rest));
        const statistic = ratio(
          list.map(([hit]) => hit),
          list.map(([hit, rest]) => hit + rest),
        );
        const got = clusterBootstrap(list.length, statistic, { rng: createRng(1), draws: 100, method })!;
        expect(got.lower).toBeLessThanOrEqual(got.upper);
        expect(got.lower).toBeGreaterThanOrEqual(Math.min(...top) - 1e-12);
        expect(got.upper).toBeLessThanOrEqual(Math.max(...top) + 1e-12);
      }),
    );
  });

  it("counts undefined draws and warns of few clusters", () => {
    const got = clusterBootstrap(3, (w) => (w[0] === 0 ? null : w[0]!), { rng: createRng(2), draws: 500 })!;
    expect(got.undefined_draws).toBeGreaterThan(100);
    expect(got.undefined_draws).toBeLessThan(250);
    expect(got.warnings.join(" ")).toMatch(/only 3 clusters/);
    expect(got.warnings.join(" ")).toMatch(/undefined in \d+ of 500 draws/);
  });

  it("falls back to percentile, and says so, where BCa cannot be had", () => {
    const without = clusterBootstrap(4, (w) => (w[0] === 0 ? null : 1), { rng: createRng(1), method: "bca" })!;
    expect(without.method).toBe("percentile");
    expect(without.warnings.join(" ")).toMatch(/left out/);
    const oneSided = clusterBootstrap(4, (w) => (w.every((x) => x === 1) ? 2 : Math.max(...w) / 10), {
      rng: listed([0, 0, 1, 2, 1, 1, 2, 3]),
      draws: 2,
      method: "bca",
    })!;
    expect(oneSided.method).toBe("percentile");
    expect(oneSided.warnings.join(" ")).toMatch(/same side/);
  });

  it("is undefined for one cluster, for an undefined statistic, and when most draws are undefined", () => {
    expect(clusterBootstrap(1, () => 1, { rng: createRng(1) })).toBeNull();
    expect(clusterBootstrap(0, () => 1, { rng: createRng(1) })).toBeNull();
    expect(clusterBootstrap(5, () => null, { rng: createRng(1) })).toBeNull();
    const mostly = (w: Float64Array) => (w.every((x) => x === 1) ? 1 : null);
    expect(clusterBootstrap(5, mostly, { rng: createRng(1) })).toBeNull();
  });

  it("refuses what is no number of draws and no finite statistic", () => {
    expect(() => clusterBootstrap(5, () => Number.NaN, { rng: createRng(1) })).toThrow(/not finite/);
    expect(() => clusterBootstrap(5, () => 1, { rng: createRng(1), draws: 0 })).toThrow(/number of draws/);
    expect(() => clusterBootstrap(5, () => 1, { rng: createRng(1), level: 1 })).toThrow(RangeError);
  });
});
