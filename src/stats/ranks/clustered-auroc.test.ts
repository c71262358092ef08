import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/signal-experiment.js";
import type { DefinedEstimate } from "../../core/estimate.js";
import { auroc } from "./auroc.js";
import { clusteredAuroc } from "./clustered-auroc.js";

describe("clusteredAuroc", () => {
  it("has the interval of the areas without each cluster", () => {
    for (const { score, positive, cluster, clusters, ...want } of reference.auroc) {
      const got = clusteredAuroc(Float64Array.from(score), positive, cluster, clusters);
      expect(got.estimate).toBeCloseTo(want.estimate, 12);
      expect("cluster" in got && got.cluster!.lower).toBeCloseTo(want.lower, 7);
      expect("cluster" in got && got.cluster!.upper).toBeCloseTo(want.upper, 7);
    }
  });

  const row = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 4 }));
  const columns = (rows: [number, number, number][]) =>
    [Float64Array.from(rows, ([x]) => x), rows.map(([, y]) => y), rows.map(([, , c]) => c), 5] as const;

  it("is auroc of the two classes, and does not depend on the order of rows", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const of = (target: number) => rows.filter(([, y]) => y === target).map(([x]) => x);
        const want = auroc(of(1), of(0));
        const got = clusteredAuroc(...columns(rows));
        const turned = clusteredAuroc(...columns(rows.toReversed()));
        expect(got.estimate).toBe(want.estimate);
        if (got.estimate === null || turned.estimate === null) return;
        expect(got).toMatchObject({ n: want.n, method: (want as typeof got).method });
        expect(got.cluster === undefined).toBe(turned.cluster === undefined);
        if (got.cluster) expect(got.cluster.lower).toBeCloseTo(turned.cluster!.lower, 9);
      }),
    );
  });

  it("mirrors when the score is turned round", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 8, maxLength: 40 }), (rows) => {
        const got = clusteredAuroc(...columns(rows));
        const mirrored = clusteredAuroc(...columns(rows.map(([x, y, c]) => [-x, y, c])));
        if (got.estimate === null || mirrored.estimate === null) return;
        expect(got.estimate + mirrored.estimate).toBeCloseTo(1, 12);
        if (got.cluster && mirrored.cluster) expect(got.cluster.lower + mirrored.cluster.upper).toBeCloseTo(1, 6);
      }),
    );
  });

  it("is wider where rows are copies of each other, as DeLong's is not", () => {
    const scores = [0.1, 0.3, 0.35, 0.4, 0.6, 0.7, 0.2, 0.8];
    const classes = [0, 0, 1, 0, 1, 1, 1, 0];
    const repeat = (column: readonly number[], times: number) => column.flatMap((x) => Array<number>(times).fill(x));
    const once = clusteredAuroc(Float64Array.from(scores), classes, [0, 1, 2, 3, 4, 5, 6, 7], 8);
    const copied = clusteredAuroc(
      Float64Array.from(repeat(scores, 25)),
      repeat(classes, 25),
      repeat([0, 1, 2, 3, 4, 5, 6, 7], 25),
      8,
    );
    if (once.estimate === null || copied.estimate === null) throw new Error("undefined");
    expect(copied.upper - copied.lower).toBeLessThan((once.upper - once.lower) / 3);
    expect(copied.cluster!.lower).toBeCloseTo(once.cluster!.lower, 10);
    expect(copied.cluster!.design_effect).toBeCloseTo(25 * once.cluster!.design_effect!, 6);
  });

  it("is undefined without one of the classes, and has no clustered interval of one cluster", () => {
    expect(clusteredAuroc(new Float64Array(0), [], [], 0)).toMatchObject({ estimate: null, n: 0 });
    expect(clusteredAuroc(Float64Array.of(1, 2), [1, 1], [0, 1], 2)).toEqual({
      estimate: null,
      reason: "no negative rows",
      n: 2,
    });
    const one = clusteredAuroc(Float64Array.of(1, 2, 3, 4), [0, 1, 0, 1], [0, 0, 0, 0], 1);
    expect(one).not.toHaveProperty("cluster");
    expect(one).not.toHaveProperty("warnings");
  });

  it("says why several clusters give no interval", () => {
    const warned = (y: number[], cluster: number[]) =>
      (clusteredAuroc(Float64Array.from(y), y, cluster, 4) as DefinedEstimate).warnings?.[0];
    expect(warned([0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2])).toContain("one community has a whole class to itself");
    expect(warned([0, 1, 0, 1], [0, 0, 1, 1])).toContain("the same without each community");
  });

  it("refuses a score that is not a number", () => {
    expect(() => clusteredAuroc(Float64Array.of(Number.NaN), [1], [0], 1)).toThrow("got NaN");
  });
});
