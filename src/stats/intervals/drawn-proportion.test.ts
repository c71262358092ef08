import { describe, expect, it } from "vitest";
import references from "../../../test/references/label-designs.json" with { type: "json" };
import { createRng } from "../random/create-rng.js";
import { type DrawnLabels, type DrawnProportionOptions, drawnProportion, drawnStrata } from "./drawn-proportion.js";
import { stratifiedJackknife } from "./stratified-jackknife.js";
import { stratifiedProportion } from "./stratified-proportion.js";

const label = (inclusion: number, yes: boolean, count = 1, cell = ""): DrawnLabels => {
  return { cell, inclusion, yes, predicted: false, count };
};

describe("drawnProportion", () => {
  for (const [i, one] of references.drawn.entries()) {
    const { rows, predicted, sizes } = one;
    it(`is what numpy finds, case ${i}: ${rows.length} labels, sizes ${sizes}${predicted ? ", with predictions" : ""}`, () => {
      const labels = rows.map(([cell, inclusion, y, f]) => {
        return { cell, inclusion, yes: y === 1, predicted: f === 1, count: 1 } as DrawnLabels;
      });
      const options = { sizes, ...(predicted ? { predicted } : {}) } as DrawnProportionOptions;
      const got = drawnProportion(labels, options);
      if (got.estimate === null) throw new Error(got.reason);
      for (const field of ["estimate", "lower", "upper", "upper_bound", "standard_error"] as const) {
        expect(got[field]).toBeCloseTo(one[field], 8);
      }
      expect(got.lambda).toBeCloseTo(one.lambda, 5);
    });
  }

  it("is the stratified share where cells have known sizes and one chance each", () => {
    const cells = [
      { name: "a", k: 3, n: 40, size: 400 },
      { name: "b", k: 11, n: 20, size: 25 },
    ];
    const labels = cells.flatMap(({ name, k, n, size }) => [
      label(n / size, true, k, name),
      label(n / size, false, n - k, name),
    ]);
    const [got, want] = [drawnProportion(labels), stratifiedProportion(cells)];
    if (got.estimate === null || want.estimate === null) throw new Error("undefined");
    expect(got.estimate).toBeCloseTo(want.estimate, 12);
    expect(got.lower).toBeCloseTo(want.lower, 12);
    expect(got.upper).toBeCloseTo(want.upper, 12);
    // What the sizes of cells leave to chance widens it.
    const wider = drawnProportion(labels, { sizes: "estimated" });
    expect(wider.estimate === null ? 0 : wider.upper).toBeGreaterThan(got.upper);
  });

  it("does not depend on the order of labels or on how they are counted", () => {
    const labels = Array.from({ length: 60 }, (_, i) => label(0.02 + (i % 13) / 20, i % 7 === 0));
    const got = drawnProportion(labels);
    expect(drawnProportion([...labels].reverse())).toEqual(got);
    const pairs = drawnProportion([label(0.5, true, 2), label(0.1, false, 3)]);
    const single = [label(0.5, true), label(0.5, true), label(0.1, false), label(0.1, false), label(0.1, false)];
    expect(drawnProportion(single)).toEqual(pairs);
  });

  it("is undefined without labels, certain where every label was sure to be drawn, and refuses impossible chances", () => {
    expect(drawnProportion([])).toEqual({ estimate: null, reason: "no labels", n: 0 });
    expect(drawnProportion([label(1, true, 3), label(1, false, 1)])).toMatchObject({
      estimate: 0.75,
      lower: 0.75,
      upper: 0.75,
      warnings: ["all members were sampled: the share is known"],
    });
    expect(() => drawnProportion([label(0, true)])).toThrow(RangeError);
    expect(() => drawnProportion([label(1.1, true)])).toThrow(RangeError);
  });

  it("holds the truth as often as it says, with a chance of its own for each label; counting all the same does not", () => {
    const rng = createRng(3);
    const hits = { own: 0, powered: 0, same: 0 };
    const worlds = 300;
    for (let world = 0; world < worlds; world += 1) {
      const labels: DrawnLabels[] = [];
      let [bad, said] = [0, 0];
      for (let i = 0; i < 1500; i += 1) {
        const yes = rng.next() < 0.2;
        const predicted = rng.next() < (yes ? 0.8 : 0.1);
        if (yes) bad += 1;
        if (predicted) said += 1;
        // What the auditor doubts is drawn more often, each with a chance of its own.
        const inclusion = Math.min(1, (predicted ? 0.3 : 0.06) * (0.5 + rng.next()));
        if (rng.next() < inclusion) labels.push({ cell: "", inclusion, yes, predicted, count: 1 });
      }
      const truth = bad / 1500;
      const holds = (got: ReturnType<typeof drawnProportion>) =>
        got.estimate !== null && got.lower <= truth && truth <= got.upper ? 1 : 0;
      hits.own += holds(drawnProportion(labels));
      hits.powered += holds(drawnProportion(labels, { predicted: { n: 1500, mean: said / 1500 } }));
      hits.same += holds(drawnProportion(labels.map((one) => ({ ...one, inclusion: labels.length / 1500 }))));
    }
    // Three standard errors of 0.95 are 0.038.
    expect(hits.own / worlds).toBeGreaterThan(0.91);
    expect(hits.powered / worlds).toBeGreaterThan(0.91);
    expect(hits.same / worlds).toBeLessThan(0.2);
  });
});

describe("drawnStrata", () => {
  const rows = [
    { cell: "a", inclusion: 0.5 },
    { cell: "a", inclusion: 0.5 },
    { cell: "b", inclusion: 0.1 },
  ];

  it("are cells of known size, or every row by itself", () => {
    expect(drawnStrata(rows)).toEqual({ stratum: [0, 0, 1], sizes: [4, 10] });
    expect(drawnStrata(rows, { sizes: "estimated" })).toEqual({ stratum: [0, 1, 2], sizes: [2, 2, 10] });
    expect(drawnStrata([...rows, { cell: "a", inclusion: 0.2 }]).stratum).toEqual([0, 1, 2, 3]);
    expect(drawnStrata([...rows, { cell: "", inclusion: 0.2 }]).stratum).toEqual([0, 1, 2, 3]);
  });

  it("give the jackknife as many degrees of freedom as rows count", () => {
    for (const { y, chances, estimate, lower, upper } of references.singles) {
      const { stratum, sizes } = drawnStrata(chances.map((inclusion) => ({ cell: "", inclusion })));
      const mean = (w: Float64Array) => {
        const total = w.reduce((sum, one) => sum + one, 0);
        return w.reduce((sum, one, i) => sum + one * y[i]!, 0) / total;
      };
      const got = stratifiedJackknife(stratum, sizes, mean);
      if (got.estimate === null) throw new Error(got.reason);
      expect(got.estimate).toBeCloseTo(estimate, 10);
      expect(got.lower).toBeCloseTo(lower, 8);
      expect(got.upper).toBeCloseTo(upper, 8);
    }
  });
});
