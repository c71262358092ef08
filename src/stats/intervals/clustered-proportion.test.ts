import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference, relativeError } from "../../../test/references/stats.js";
import { clusterIntervalSchema } from "../../core/estimate-schema.js";
import { clusteredProportion } from "./clustered-proportion.js";
import { clopperPearsonInterval } from "./proportion.js";

const cluster = fc
  .integer({ min: 1, max: 200 })
  .chain((n) => fc.record({ n: fc.constant(n), k: fc.integer({ min: 0, max: n }) }));

const clusters = fc.array(cluster, { minLength: 2, maxLength: 40 });

function pooled(rows: readonly { k: number; n: number }[]): number {
  return rows.reduce((sum, row) => sum + row.k, 0) / rows.reduce((sum, row) => sum + row.n, 0);
}

describe("clusteredProportion", () => {
  it.each(reference.clustered_proportion)("agrees with numpy on $clusters clusters ($method)", (want) => {
    const rows = want.k.map((k, i) => ({ k, n: want.n[i]! }));
    const got = clusteredProportion(rows, want.level)!;
    expect(got.method).toBe(want.method);
    expect(got.clusters).toBe(want.clusters);
    expect(relativeError(got.lower, want.lower)).toBeLessThan(1e-12);
    expect(relativeError(got.upper, want.upper)).toBeLessThan(1e-12);
    if (want.design_effect === null) expect(got.design_effect).toBeNull();
    else expect(got.design_effect).toBeCloseTo(want.design_effect, 11);
  });

  it("lies in [0, 1], encloses the pooled rate and is a valid record", () => {
    fc.assert(
      fc.property(clusters, fc.constantFrom(0.8, 0.95, 0.999), (rows, level) => {
        const got = clusterIntervalSchema.parse(clusteredProportion(rows, level));
        expect(got.lower).toBeGreaterThanOrEqual(0);
        expect(got.lower).toBeLessThanOrEqual(pooled(rows));
        expect(got.upper).toBeGreaterThanOrEqual(pooled(rows));
        expect(got.upper).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("never has an interval without width", () => {
    fc.assert(
      fc.property(cluster, fc.integer({ min: 2, max: 40 }), ({ k, n }, copies) => {
        const got = clusteredProportion(Array.from({ length: copies }, () => ({ k, n })))!;
        expect(got.upper - got.lower).toBeGreaterThan(1e-4);
        expect(got.method).toBe("Korn-Graubard");
        expect(got.design_effect).toBe(k === 0 || k === n ? null : 0);
      }),
    );
  });

  it("is unchanged when clusters are reordered or empty ones are added", () => {
    fc.assert(
      fc.property(clusters, (rows) => {
        const reordered = [{ k: 0, n: 0 }, ...rows.toReversed(), { k: 0, n: 0 }];
        const got = clusteredProportion(reordered)!;
        const want = clusteredProportion(rows)!;
        expect(got.clusters).toBe(want.clusters);
        expect(got.lower).toBeCloseTo(want.lower, 12);
        expect(got.upper).toBeCloseTo(want.upper, 12);
      }),
    );
  });

  it("is mirrored when successes and failures change places", () => {
    fc.assert(
      fc.property(clusters, (rows) => {
        const mirrored = clusteredProportion(rows.map(({ k, n }) => ({ k: n - k, n })))!;
        expect(mirrored.lower).toBeCloseTo(1 - clusteredProportion(rows)!.upper, 11);
      }),
    );
  });

  it("is never narrower than independent rows where Korn–Graubard is used", () => {
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 2, maxLength: 19 }), (rows) => {
        const got = clusteredProportion(rows)!;
        const n = rows.reduce((sum, row) => sum + row.n, 0);
        const independent = clopperPearsonInterval(pooled(rows) * n, n);
        expect(got.upper - got.lower).toBeGreaterThanOrEqual((independent.upper - independent.lower) * (1 - 1e-9));
      }),
    );
  });

  it("takes rows in the same cluster as one when they always agree", () => {
    // 30 clusters of 10 equal rows carry the information of 30 rows: design effect 10 · 30/29.
    const rows = Array.from({ length: 30 }, (_, i) => ({ k: i % 3 === 0 ? 10 : 0, n: 10 }));
    expect(clusteredProportion(rows)!.design_effect).toBeCloseTo((10 * 30) / 29, 10);
  });

  it("is null for fewer than two clusters with rows", () => {
    expect(clusteredProportion([])).toBeNull();
    expect(clusteredProportion([{ k: 3, n: 5 }])).toBeNull();
    expect(
      clusteredProportion([
        { k: 3, n: 5 },
        { k: 0, n: 0 },
      ]),
    ).toBeNull();
  });

  it("refuses more successes than rows, and a level that is none", () => {
    expect(() =>
      clusteredProportion([
        { k: 6, n: 5 },
        { k: 1, n: 5 },
      ]),
    ).toThrow(RangeError);
    expect(() =>
      clusteredProportion(
        [
          { k: 1, n: 5 },
          { k: 1, n: 5 },
        ],
        95,
      ),
    ).toThrow(RangeError);
  });
});
