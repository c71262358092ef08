import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/recalibration.js";
import { applyToColumns, type CalibrationModel } from "./calibration-model.js";
import { compileCalibration } from "./compile-calibration.js";
import { FEATURES } from "./features.js";
import { CALIBRATION_METHODS, fitIsotonic, fitMethod } from "./fit/methods.js";
import { fitBeta, fitMultinomial, fitPlatt } from "./fit/platt.js";
import { ridgeLogistic, ridgeSoftmax } from "./fit/ridge.js";
import { fitTemperature, fitVectorScaling, TEMPERATURE_RANGE } from "./fit/temperature.js";
import { referenceColumns } from "./reference-columns.suite.js";
import { allRows, emptyColumns, fillRow, rowOf, syntheticColumns, takeRows } from "./synthetic.suite.js";

const columns = referenceColumns();
const rows = allRows(columns);

describe("fits agree with outside optimisers", () => {
  it("fitTemperature with scipy, for levels and for two classes", () => {
    expect(fitTemperature(columns, rows).temperature).toBeCloseTo(reference.temperature.levels.temperature, 5);
    expect(fitTemperature(columns, rows, "binary").temperature).toBeCloseTo(
      reference.temperature.binary.temperature,
      5,
    );
  });

  it("fitPlatt with scikit-learn", () => {
    const { slope, intercept } = fitPlatt(columns, rows);
    expect(slope).toBeCloseTo(reference.platt.slope, 6);
    expect(intercept).toBeCloseTo(reference.platt.intercept, 6);
  });

  for (const [name, want] of Object.entries(reference.beta)) {
    it(`fitBeta with its definition minimised within bounds: ${name}`, () => {
      const { a, b, c } = fitBeta(referenceColumns(want.y.map((value) => (value === 1 ? 1 : 3))), rows);
      expect(a).toBeCloseTo(want.a, 5);
      expect(b).toBeCloseTo(want.b, 5);
      expect(c).toBeCloseTo(want.c, 5);
    });
  }

  it("fitVectorScaling with scipy", () => {
    const { scale, bias } = fitVectorScaling(columns, rows);
    for (const k of [0, 1, 2]) {
      expect(scale[k]).toBeCloseTo(reference.vector.scale[k]!, 5);
      expect(bias[k]).toBeCloseTo(reference.vector.bias[k]!, 5);
    }
  });

  it("fitIsotonic with scikit-learn, ends of one class pulled in", () => {
    const model = fitIsotonic(columns, rows);
    const { grid, value, pure_rows } = reference.isotonic;
    expect(pure_rows[1]).toBeGreaterThan(0);
    const at = emptyColumns(grid.length);
    for (const [i, p] of grid.entries()) {
      at.p1[i] = p;
      at.p3[i] = 1 - p;
    }
    const got = applyToColumns(model, at);
    for (const [i, want] of value.entries()) expect(got[i]).toBeCloseTo(want, 10);
  });

  for (const target of ["levels", "binary"] as const) {
    it(`fitMultinomial with scikit-learn: ${target}`, () => {
      const want = reference.multinomial[target];
      const model = fitMultinomial(columns, rows, { target });
      expect(model.features).toEqual([...FEATURES]);
      for (const j of FEATURES.keys()) {
        expect(model.mean[j]).toBeCloseTo(want.mean[j]!, 10);
        expect(model.sd[j]).toBeCloseTo(want.sd[j]!, 10);
        for (const k of model.weights.keys()) expect(model.weights[k]![j]).toBeCloseTo(want.weights[k]![j]!, 5);
      }
      for (const k of model.bias.keys()) expect(model.bias[k]).toBeCloseTo(want.bias[k]!, 5);
      const compiled = compileCalibration(model);
      for (const [i, p] of want.defensible.entries()) {
        const row = rowOf(columns, i);
        expect(compiled.defensible(row)).toBeCloseTo(p, 6);
        const levels = compiled.levels(row);
        if (target === "binary") expect(levels).toBeNull();
        else for (const k of [0, 1, 2]) expect(levels![k]).toBeCloseTo(want.levels![i]![k]!, 6);
      }
    });
  }
});

describe("every fit", () => {
  const big = syntheticColumns(600, 5);
  const all = allRows(big);
  const context = { target: "levels", features: FEATURES, dropped: [] } as const;
  const scores = (model: CalibrationModel) => applyToColumns(model, big);
  const closeTo = (got: Float64Array, want: Float64Array, digits: number) => {
    for (let i = 0; i < want.length; i += 1) expect(got[i]).toBeCloseTo(want[i]!, digits);
  };

  for (const method of CALIBRATION_METHODS) {
    const fitted = scores(fitMethod(method, big, all, context));

    it(`${method} does not depend on the order of rows`, () => {
      const reversed = takeRows(big, [...all].reverse());
      closeTo(scores(fitMethod(method, reversed, all, context)), fitted, 6);
    });

    it(`${method} is unchanged when every row comes twice`, () => {
      const twice = takeRows(big, [...all, ...all]);
      // Isotonic ends of one class move on purpose: twice the rows are more evidence.
      const digits = method === "isotonic" ? 1 : 6;
      closeTo(scores(fitMethod(method, twice, allRows(twice), context)), fitted, digits);
    });

    it(`${method} gives probabilities`, () => {
      for (const p of fitted) expect(p >= 0 && p <= 1).toBe(true);
    });
  }

  it("that looks at one number only is monotone in it", () => {
    const grid = emptyColumns(201);
    for (let i = 0; i <= 200; i += 1) {
      fillRow(grid, i, { ...NEUTRAL, probs: [(i / 200) * 0.9, (i / 200) * 0.1, 1 - i / 200] });
    }
    for (const method of ["platt", "beta", "isotonic"] as const) {
      const curve = applyToColumns(fitMethod(method, big, all, context), grid);
      for (let i = 1; i <= 200; i += 1) expect(curve[i]!).toBeGreaterThanOrEqual(curve[i - 1]!);
      expect(curve[200]!).toBeGreaterThan(curve[0]!);
    }
  });

  it("that is monotone falls back to the base rate where the score runs backwards", () => {
    const backwards = syntheticColumns(300, 6);
    for (let i = 0; i < 300; i += 1) backwards.targetLevel![i] = backwards.p3[i]! > 0.3 ? 1 : 3;
    const share = backwards.targetLevel!.filter((level) => level === 1).length / 300;
    for (const method of [fitPlatt, fitBeta]) {
      expect(applyToColumns(method(backwards, allRows(backwards)), backwards)[7]).toBeCloseTo(share, 6);
    }
  });

  it("of an isotonic curve pulls an end of one class in by its rows, never past its neighbour", () => {
    const steps = emptyColumns(12);
    // p = 0.1: three of level 3. p = 0.5: one of four is defensible. p = 0.9: five of level 1.
    for (let i = 0; i < 12; i += 1) {
      const p = i < 3 ? 0.1 : i < 7 ? 0.5 : 0.9;
      fillRow(steps, i, { ...NEUTRAL, probs: [p, 0, 1 - p], target: i < 6 ? 3 : 1 });
    }
    const curve = fitIsotonic(steps, allRows(steps));
    expect(curve.x).toEqual([0.1, 0.5, 0.9]);
    for (const [i, want] of [0.125, 0.25, 5.5 / 6].entries()) expect(curve.y[i]).toBeCloseTo(want, 12);
    const short = takeRows(steps, [0, 3, 4, 5, 5, 6, 7]);
    // One row alone would be ½/2 and (1+½)/2: the first may not pass 0.2.
    const ends = fitIsotonic(short, allRows(short)).y;
    for (const [i, want] of [0.2, 0.2, 0.75].entries()) expect(ends[i]).toBeCloseTo(want, 12);
  });

  it("stays finite where the classes do not overlap", () => {
    const apart = syntheticColumns(200, 7);
    for (let i = 0; i < 200; i += 1) apart.targetLevel![i] = apart.levelMap[i]!;
    for (const method of CALIBRATION_METHODS) {
      const model = fitMethod(method, apart, allRows(apart), context);
      expect(JSON.stringify(model)).not.toMatch(/null|NaN/);
      for (const p of applyToColumns(model, apart)) expect(p >= 0 && p <= 1).toBe(true);
    }
    expect(fitTemperature(apart, allRows(apart)).temperature).toBeLessThan(1);
  });

  it("of a temperature keeps to its range where no temperature is best", () => {
    const certain = emptyColumns(20);
    for (let i = 0; i < 20; i += 1) fillRow(certain, i, { ...NEUTRAL, probs: [0.6, 0.3, 0.1], target: 1 });
    expect(fitTemperature(certain, allRows(certain)).temperature).toBeCloseTo(TEMPERATURE_RANGE[0], 6);
  });

  it("of a multinomial model lists a feature that never changes", () => {
    const flat = syntheticColumns(120, 8);
    flat.citationBits.fill(0.7);
    const model = fitMultinomial(flat, allRows(flat));
    expect(model.dropped).toEqual([{ feature: "h_citation_bits", reason: "the same on every row fitted" }]);
    expect(model.features).not.toContain("h_citation_bits");
    expect(model.weights.every((row) => row.length === model.features.length)).toBe(true);
  });

  it("of a multinomial model takes 100,000 rows", () => {
    const many = takeRows(
      big,
      Array.from({ length: 100_000 }, (_, i) => i % 600),
    );
    const model = fitMultinomial(many, allRows(many));
    expect(model.features).toHaveLength(FEATURES.length);
  });

  it("of nothing is refused", () => {
    for (const method of [fitTemperature, fitPlatt, fitBeta, fitIsotonic, fitVectorScaling, fitMultinomial]) {
      expect(() => method(big, new Int32Array(0))).toThrow(RangeError);
    }
    expect(() => ridgeSoftmax(new Float64Array(0), 1, new Uint8Array(0), 1e-3)).toThrow("none");
    expect(() => ridgeLogistic(new Float64Array(0), 1, new Uint8Array(0), 1e-3)).toThrow("none");
  });
});

const NEUTRAL = { rho: 0, weightBits: 0.5, citationBits: 0.5, positive: 1, community: 0, target: 1 };
