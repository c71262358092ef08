import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/judge-error.js";
import { simplexProjection } from "../optimise/isotonic-regression.js";
import { confusionCorrection, roganGladen } from "./judge-correction.js";
import { type LabelledGroup, predictionPoweredMean } from "./prediction-powered-mean.js";
import { stratifiedUpperBound } from "./stratified-proportion.js";

const group = ([label, prediction, count, weight]: number[]): LabelledGroup => ({
  label: label!,
  prediction: prediction!,
  count: count!,
  weight: weight!,
});

/** Labelled rows of a yes/no judge: counts of (label, prediction) = 11, 10, 01, 00. */
const binary = (a: number, b: number, c: number, d: number): LabelledGroup[] => [
  { label: 1, prediction: 1, count: a },
  { label: 1, prediction: 0, count: b },
  { label: 0, prediction: 1, count: c },
  { label: 0, prediction: 0, count: d },
];
const rows = (k: number, n: number) => ({ n, mean: k / n, variance: (k * (n - k)) / (n * (n - 1)) });
const cell = fc.nat(80);

describe("predictionPoweredMean", () => {
  it.each(reference.prediction_powered.map((want, index) => ({ index, want })))(
    "agrees with the published variance minimised numerically, case $index",
    ({ want }) => {
      const form = want.form as "disjoint" | "nested";
      const got = predictionPoweredMean(want.groups.map(group), want.predicted, { form, bounds: [-10, 10] });
      expect(got).toMatchObject({ n_predicted: want.predicted.n, method: `prediction-powered, ${form}`, delta: 0.05 });
      if (got.estimate === null) throw new Error("undefined");
      expect(got.lambda).toBeCloseTo(want.lambda, 6);
      expect(got.estimate).toBeCloseTo(want.theta, 7);
      expect(got.standard_error).toBeCloseTo(want.se, 10);
      expect(got.lower).toBeCloseTo(want.lower, 7);
      expect(got.upper).toBeCloseTo(want.upper, 7);
      expect(got.upper_bound).toBeCloseTo(want.upper_bound, 7);
    },
  );

  it("has the closed form of λ where predictions vary alike in both parts", () => {
    const labelled = binary(20, 5, 10, 65);
    // Variance of f among the labelled, divisor n − 1, given to the other rows too.
    const variance = (0.3 * 0.7 * 100) / 99;
    const got = predictionPoweredMean(labelled, { n: 400, mean: 0.25, variance }, { form: "disjoint" });
    const covariance = ((0.2 - 0.25 * 0.3) * 100) / 99;
    if (got.estimate === null) throw new Error("undefined");
    expect(got.lambda).toBeCloseTo(covariance / (1.25 * variance), 12);
  });

  it("is never less precise than the labels alone, and does not trust a judge that is wrong throughout", () => {
    fc.assert(
      fc.property(cell, cell, cell, cell, fc.integer({ min: 2, max: 5000 }), (a, b, c, d, n) => {
        fc.pre(a + b + c + d >= 2);
        const others = rows(Math.floor(n / 3), n);
        const got = predictionPoweredMean(binary(a, b, c, d), others, { form: "disjoint" });
        if (got.estimate === null) throw new Error("undefined");
        const labels = a + b + c + d;
        const y = (a + b) / labels;
        expect(got.standard_error).toBeLessThanOrEqual(Math.sqrt((y * (1 - y)) / (labels - 1)) + 1e-12);
        expect(got.lambda).toBeGreaterThanOrEqual(0);
        expect(got.lambda).toBeLessThanOrEqual(1);
        if (a * d < b * c) expect(got.lambda).toBe(0);
        expect(got.lower).toBeLessThanOrEqual(got.estimate);
        expect(got.upper_bound).toBeLessThanOrEqual(got.upper + 1e-12);
      }),
    );
  });

  it("does not depend on the scale of the weights or on how rows are grouped", () => {
    const labelled = binary(12, 3, 5, 80).map((row, i) => ({ ...row, weight: i % 2 === 0 ? 2 : 7 }));
    const split = labelled.flatMap((row) => [
      { ...row, count: 1 },
      { ...row, count: row.count - 1 },
    ]);
    const scaled = labelled.map((row) => ({ ...row, weight: row.weight * 13 }));
    for (const form of ["disjoint", "nested"] as const) {
      const base = predictionPoweredMean(labelled, rows(90, 600), { form });
      for (const other of [split, scaled]) {
        const got = predictionPoweredMean(other, rows(90, 600), { form });
        if (base.estimate === null || got.estimate === null) throw new Error("undefined");
        expect(got.estimate).toBeCloseTo(base.estimate, 12);
        expect(got.standard_error).toBeCloseTo(base.standard_error, 12);
      }
    }
  });

  it("is the plain mean when every row is labelled or none is predicted", () => {
    const all = predictionPoweredMean(binary(10, 2, 3, 25), rows(13, 40), { form: "nested" });
    const none = predictionPoweredMean(binary(10, 2, 3, 25), { n: 0, mean: 0, variance: 0 }, { form: "disjoint" });
    for (const got of [all, none]) {
      if (got.estimate === null) throw new Error("undefined");
      expect(got.estimate).toBeCloseTo(0.3, 12);
      expect(got.standard_error).toBeCloseTo(Math.sqrt((0.3 * 0.7) / 39), 12);
      expect(got.lambda).toBe(0);
    }
  });

  it("warns where the normal approximation promises too much, and is undefined below two labels", () => {
    const perfect = predictionPoweredMean(binary(2, 0, 0, 20), rows(90, 900), { form: "disjoint" });
    expect(perfect).toMatchObject({
      warnings: [expect.stringMatching(/only 22 labels/), expect.stringMatching(/differ in 0 of 22/)],
    });
    expect(predictionPoweredMean(binary(1, 0, 0, 0), rows(1, 9), { form: "nested" })).toEqual({
      estimate: null,
      reason: "fewer than two labels",
      n: 1,
    });
    const bad = [{ label: 1, prediction: 1, count: 3, weight: 0 }];
    expect(() => predictionPoweredMean(bad, rows(1, 9), { form: "nested" })).toThrow(/weight/);
  });
});

describe("roganGladen", () => {
  const of = ([k, n]: number[]) => ({ k: k!, n: n! });
  it.each(reference.rogan_gladen)("agrees with Lang and Reiczigel's formula at $apparent, $level", (want) => {
    const got = roganGladen(of(want.apparent), of(want.sensitivity), of(want.specificity), want.level);
    // An interval that is cut to a point says nothing.
    if (want.lower === want.upper) {
      expect(got).toMatchObject({ estimate: null, reason: expect.stringMatching(/do not fit this rate/) });
      return;
    }
    if (got.estimate === null) throw new Error("undefined");
    expect(got.estimate).toBeCloseTo(want.estimate, 12);
    expect(got.lower).toBeCloseTo(want.lower, 10);
    expect(got.upper).toBeCloseTo(want.upper, 10);
  });

  it("gives the apparent rate for a judge without errors, and rises with it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), fc.nat(50), fc.nat(50), (n, k, missed, alarms) => {
        const hits = Math.min(k, n);
        const perfect = roganGladen({ k: hits, n }, { k: 50, n: 50 }, { k: 90, n: 90 });
        expect(perfect.estimate).toBeCloseTo(hits / n, 12);
        const judge = [
          { k: 100 - missed, n: 100 },
          { k: 100 - alarms, n: 100 },
        ] as const;
        const got = roganGladen({ k: hits, n }, ...judge);
        const more = roganGladen({ k: Math.min(n, hits + 1), n }, ...judge);
        if (missed + alarms >= 100) expect(got.estimate).toBeNull();
        else if (got.estimate !== null && more.estimate !== null) {
          expect(more.estimate).toBeGreaterThanOrEqual(got.estimate);
          expect(got.lower).toBeLessThanOrEqual(got.estimate);
          expect(got.upper).toBeGreaterThanOrEqual(got.estimate);
        }
      }),
    );
  });

  it("is undefined for a judge no better than chance and without labels of a class", () => {
    expect(roganGladen({ k: 5, n: 10 }, { k: 5, n: 10 }, { k: 5, n: 10 })).toMatchObject({
      estimate: null,
      reason: expect.stringMatching(/not above 1/),
      n: 10,
    });
    // 1/3 + 2/3 is 1 in counts and above it in floating point.
    expect(roganGladen({ k: 5, n: 10 }, { k: 1, n: 3 }, { k: 2, n: 3 }).estimate).toBeNull();
    expect(roganGladen({ k: 5, n: 10 }, { k: 0, n: 0 }, { k: 5, n: 10 })).toMatchObject({
      reason: expect.stringMatching(/sensitivity is unknown/),
    });
    expect(roganGladen({ k: 5, n: 10 }, { k: 1, n: 1 }, { k: 0, n: 0 })).toMatchObject({
      reason: expect.stringMatching(/specificity is unknown/),
    });
    expect(roganGladen({ k: 0, n: 0 }, { k: 1, n: 1 }, { k: 1, n: 1 })).toEqual({
      estimate: null,
      reason: "no rows",
      n: 0,
    });
  });

  it("says when the correction left the range and was cut", () => {
    const got = roganGladen({ k: 0, n: 60 }, { k: 30, n: 40 }, { k: 190, n: 200 });
    expect(got).toMatchObject({ estimate: 0, warnings: [expect.stringMatching(/was cut to 0/)] });
  });

  it("is undefined where the whole interval lies outside, and takes effective numbers", () => {
    expect(roganGladen({ k: 116, n: 2992 }, { k: 48, n: 53 }, { k: 148, n: 180 })).toEqual({
      estimate: null,
      reason: expect.stringMatching(/-0\.19.*below 0/),
      n: 2992,
    });
    expect(roganGladen({ k: 60, n: 60 }, { k: 30, n: 40 }, { k: 190, n: 200 })).toMatchObject({
      reason: expect.stringMatching(/above 1/),
    });
    const real = roganGladen({ k: 20, n: 100 }, { k: 40.5, n: 45 }, { k: 9.9, n: 11 });
    expect(real.estimate).toBeCloseTo(0.125, 12);
  });
});

describe("confusionCorrection", () => {
  it.each(reference.confusion)("agrees with numpy and a numerical gradient at $judged", (want) => {
    const got = confusionCorrection(want.table, want.judged);
    want.raw.forEach((value, i) => {
      expect(got.raw![i]).toBeCloseTo(value, 12);
      expect(got.shares![i]!.estimate).toBeCloseTo(want.projected[i]!, 6);
      const lower = Math.min(got.shares![i]!.estimate, Math.max(0, value - want.half[i]!));
      expect(got.shares![i]!.lower).toBeCloseTo(lower, 7);
    });
    expect(got.projected).toBe(want.raw.some((value) => value < 0));
  });

  it("changes nothing for a judge without errors and is Rogan–Gladen for two classes", () => {
    const perfect = confusionCorrection(
      [
        [5, 0, 0],
        [0, 7, 0],
        [0, 0, 2],
      ],
      [60, 30, 10],
    );
    [0.6, 0.3, 0.1].forEach((share, i) => {
      expect(perfect.shares![i]!.estimate).toBeCloseTo(share, 12);
    });
    const two = confusionCorrection(
      [
        [45, 5],
        [10, 90],
      ],
      [20, 80],
    );
    const one = roganGladen({ k: 20, n: 100 }, { k: 45, n: 50 }, { k: 90, n: 100 });
    expect(two.shares![0]!.estimate).toBeCloseTo(one.estimate!, 12);
  });

  it("is undefined with the reason for a class without labels and for a judge that says always the same", () => {
    const missing = [
      [3, 1],
      [0, 0],
    ];
    expect(confusionCorrection(missing, [1, 1])).toMatchObject({
      shares: null,
      reason: "no labelled row is of class 2",
    });
    const constant = [
      [4, 0],
      [4, 0],
    ];
    expect(confusionCorrection(constant, [1, 1]).reason).toMatch(/cannot be inverted/);
    expect(confusionCorrection([[1]], [0]).reason).toBe("no rows");
    expect(() => confusionCorrection([[1, 2]], [1])).toThrow(RangeError);
    expect(() => confusionCorrection([[1]], [1, 2])).toThrow(RangeError);
  });
});

describe("simplexProjection", () => {
  it("gives the nearest probability vector: none of a grid is nearer", () => {
    const value = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(value, value, value), (vector) => {
        const got = simplexProjection(vector);
        expect(got.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
        expect(Math.min(...got)).toBeGreaterThanOrEqual(0);
        const distance = (p: readonly number[]) => p.reduce((sum, x, i) => sum + (x - vector[i]!) ** 2, 0);
        for (let i = 0; i <= 10; i++) {
          for (let j = 0; i + j <= 10; j++) {
            expect(distance(got)).toBeLessThanOrEqual(distance([i / 10, j / 10, (10 - i - j) / 10]) + 1e-9);
          }
        }
      }),
    );
  });

  it("refuses nothing and what is not finite", () => {
    expect(() => simplexProjection([])).toThrow(RangeError);
    expect(() => simplexProjection([1, Number.NaN])).toThrow(RangeError);
  });
});

describe("stratifiedUpperBound", () => {
  it.each(reference.stratified_bound)("is the greatest rate that its bounds allow: $bound", (want) => {
    expect(stratifiedUpperBound(want.strata, want.delta)).toBeCloseTo(want.bound, 9);
  });

  it("is a probability, at least the rate seen, and falls when labels without the property are added", () => {
    const stratum = fc
      .tuple(fc.nat(30), fc.nat(30), fc.nat(200))
      .map(([k, rest, unlabelled]) => ({ k, labelled: k + rest, n: k + rest + unlabelled }));
    fc.assert(
      fc.property(stratum, stratum, (first, second) => {
        fc.pre(first.n + second.n > 0);
        const bound = stratifiedUpperBound([first, second], 0.05);
        const seen = [first, second].reduce((sum, s) => sum + (s.labelled ? s.n * (s.k / s.labelled) : s.n), 0);
        expect(bound).toBeGreaterThanOrEqual(seen / (first.n + second.n) - 1e-9);
        expect(bound).toBeLessThanOrEqual(1);
        if (second.n > second.labelled) {
          const more = { ...second, labelled: second.labelled + 1 };
          expect(stratifiedUpperBound([first, more], 0.05)).toBeLessThanOrEqual(bound + 1e-12);
        }
      }),
    );
  });

  it("refuses an empty population and more labels than rows", () => {
    expect(() => stratifiedUpperBound([], 0.05)).toThrow(RangeError);
    expect(() => stratifiedUpperBound([{ n: 1, labelled: 2, k: 0 }], 0.05)).toThrow(/more than rows/);
  });
});
