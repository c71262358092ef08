import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/signal-experiment.js";
import { clusteredAuroc } from "./clustered-auroc.js";
import { clusteredSpearman } from "./clustered-spearman.js";
import { binarySpearmanBound, spearman } from "./spearman.js";

describe("clusteredSpearman", () => {
  it("has the interval of numerically derived influence values", () => {
    for (const { x, y, cluster, clusters, ...want } of reference.spearman) {
      const got = clusteredSpearman(Float64Array.from(x), Float64Array.from(y), cluster, clusters);
      expect(got.estimate).toBeCloseTo(want.estimate, 12);
      expect("cluster" in got && got.cluster!.lower).toBeCloseTo(want.lower, 6);
      expect("cluster" in got && got.cluster!.upper).toBeCloseTo(want.upper, 6);
    }
  });

  const row = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 4 }));

  it("is spearman, whatever the clusters, and turns its sign with a column", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const x = Float64Array.from(rows, ([a]) => a);
        const y = Float64Array.from(rows, ([, b]) => b);
        const cluster = rows.map(([, , c]) => c);
        const { cluster: interval, ...got } = clusteredSpearman(x, y, cluster, 5) as ReturnType<typeof spearman> & {
          cluster?: { lower: number; upper: number };
        };
        expect(got).toEqual(spearman(x, y));
        const turned = clusteredSpearman(
          x.map((value) => -value),
          y,
          cluster,
          5,
        );
        if (!interval || turned.estimate === null) return;
        expect(interval.lower).toBeLessThanOrEqual(got.estimate!);
        expect(turned.cluster!.upper).toBeCloseTo(-interval.lower, 9);
      }),
    );
  });

  it("is the same for a column and its exponential: only ranks count", () => {
    const [{ x, y, cluster, clusters }] = reference.spearman as [(typeof reference.spearman)[number]];
    const plain = clusteredSpearman(Float64Array.from(x), Float64Array.from(y), cluster, clusters);
    expect(clusteredSpearman(Float64Array.from(x, Math.exp), Float64Array.from(y), cluster, clusters)).toEqual(plain);
  });

  it("is undefined as spearman is", () => {
    expect(clusteredSpearman(Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3), [0, 1, 2], 3)).toMatchObject({
      estimate: null,
      reason: "a column is constant",
    });
    expect(clusteredSpearman(new Float64Array(0), new Float64Array(0), [], 0)).toMatchObject({ estimate: null, n: 0 });
    expect(clusteredSpearman(Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3), [0, 1, 2], 3)).not.toHaveProperty(
      "cluster",
    );
  });
});

describe("binarySpearmanBound", () => {
  it("is what a perfect order reaches, but for n / √(n² − 1)", () => {
    for (const { n, share, largest } of reference.bound) {
      expect((binarySpearmanBound(share) * n) / Math.sqrt(n * n - 1)).toBeCloseTo(largest, 10);
    }
    expect(() => binarySpearmanBound(1.1)).toThrow("got 1.1");
  });

  it("turns a correlation with a binary partner into an AUC", () => {
    const n = 400;
    const x = Float64Array.from({ length: n }, (_, i) => (i * 7919) % n);
    const y = x.map((value, i) => (value + ((i * 31) % 300) > 380 ? 1 : 0));
    const share = y.reduce((sum, one) => sum + one, 0) / n;
    const rho = clusteredSpearman(x, y, new Uint8Array(n), 1).estimate!;
    const area = clusteredAuroc(x, y, new Uint8Array(n), 1).estimate!;
    expect((rho / binarySpearmanBound(share)) * Math.sqrt(1 - 1 / n ** 2)).toBeCloseTo(2 * area - 1, 10);
  });
});
