import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/clusters.js";
import { clusterJackknife, effectiveClusters } from "./cluster-jackknife.js";
import { clusteredProportion, pooledProportion } from "./clustered-proportion.js";

const clustersOf = (k: readonly number[], n: readonly number[]) => k.map((hits, c) => ({ k: hits, n: n[c]! }));

describe("pooledProportion", () => {
  it.each(
    reference.pooled.map((row) => [`${row.k.slice(0, 8)} of ${row.n.slice(0, 8)} at ${row.level}`, row] as const),
  )("agrees with rows dropped and counted one by one: %s", (_, row) => {
    const got = pooledProportion(clustersOf(row.k, row.n), row.level)!;
    expect(got.lower).toBeCloseTo(row.lower, 9);
    expect(got.upper).toBeCloseTo(row.upper, 9);
    expect(got.clusters).toBe(row.clusters);
    expect(got.effective_clusters).toBeCloseTo(row.effective_clusters, 9);
    if (row.design_effect === null) expect(got.design_effect).toBeNull();
    else expect(got.design_effect).toBeCloseTo(row.design_effect, 9);
  });

  it("is wider than the interval for equal sizes where one community has most of the rows", () => {
    const clusters = clustersOf([160, 9, 8, 10, 10, 7, 9, 9], [200, 10, 10, 10, 10, 10, 10, 10]);
    const [even, uneven] = [clusteredProportion(clusters)!, pooledProportion(clusters)!];
    expect(uneven.effective_clusters).toBeCloseTo(270 ** 2 / (200 ** 2 + 700), 9);
    expect(uneven.upper - uneven.lower).toBeGreaterThan(2 * (even.upper - even.lower));
  });

  it("encloses the rate, stays in 0 to 1 and has width, whatever the clusters", () => {
    const cluster = fc
      .integer({ min: 1, max: 60 })
      .chain((n) => fc.record({ k: fc.integer({ min: 0, max: n }), n: fc.constant(n) }));
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 2, maxLength: 12 }), (clusters) => {
        const { lower, upper, effective_clusters } = pooledProportion(clusters)!;
        const p = clusters.reduce((sum, { k }) => sum + k, 0) / clusters.reduce((sum, { n }) => sum + n, 0);
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(p).toBeGreaterThanOrEqual(lower - 1e-12);
        expect(p).toBeLessThanOrEqual(upper + 1e-12);
        expect(upper - lower).toBeGreaterThan(1e-9);
        expect(effective_clusters).toBeGreaterThanOrEqual(1 - 1e-12);
        expect(effective_clusters).toBeLessThanOrEqual(clusters.length + 1e-9);
      }),
    );
  });

  it("needs two clusters with rows", () => {
    expect(pooledProportion([])).toBeNull();
    expect(pooledProportion([{ k: 1, n: 4 }])).toBeNull();
    expect(
      pooledProportion([
        { k: 1, n: 4 },
        { k: 0, n: 0 },
      ]),
    ).toBeNull();
    expect(() =>
      pooledProportion([
        { k: 5, n: 4 },
        { k: 0, n: 1 },
      ]),
    ).toThrow(RangeError);
  });
});

describe("clusterJackknife", () => {
  it.each(reference.jackknife)("agrees with a ratio whose rows were dropped community by community: $sizes", (row) => {
    const got = clusterJackknife(row.theta, row.left_out, row.sizes)!;
    expect(got.lower).toBeCloseTo(row.lower, 9);
    expect(got.upper).toBeCloseTo(row.upper, 9);
    expect(got.effective_clusters).toBeCloseTo(row.effective_clusters, 10);
  });

  it("is undefined where the statistic rests on one cluster, or there is no second", () => {
    expect(clusterJackknife(0.5, [0.5, null], [3, 4])).toBeNull();
    expect(clusterJackknife(0.5, [0.4, null], [3, 0])).toBeNull();
    expect(clusterJackknife(0.5, [], [])).toBeNull();
    expect(() => clusterJackknife(Number.NaN, [0.5, 0.5], [3, 4])).toThrow(RangeError);
    expect(() => clusterJackknife(0.5, [0.5], [3, 4])).toThrow(RangeError);
  });

  it("counts clusters by what they weigh", () => {
    expect(effectiveClusters([10, 10, 10])).toBeCloseTo(3, 12);
    expect(effectiveClusters([1000, 1, 1])).toBeCloseTo(1.004, 3);
    expect(effectiveClusters([0, 0])).toBeNull();
    expect(() => effectiveClusters([1, -1])).toThrow(RangeError);
  });
});
