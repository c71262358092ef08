import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { calibrationModelSchema } from "../../core/calibration.js";
import { probabilisticDefensibilitySignal } from "../signals/components.js";
import { applyCalibration, applyToColumns, type CalibrationModel, calibratedLevels } from "./calibration-model.js";
import { compileCalibration } from "./compile-calibration.js";
import { FEATURES, INPUTS, loadRow, writeFeatures } from "./features.js";
import { CALIBRATION_METHODS, fitMethod } from "./fit/methods.js";
import { fitMultinomial } from "./fit/platt.js";
import type { ScoreRow } from "./score-columns.js";
import { allRows, emptyColumns, rowOf, syntheticColumns } from "./synthetic.suite.js";

const data = syntheticColumns(400, 11);
const context = { features: FEATURES, dropped: [] };
const fitted: CalibrationModel[] = [
  ...CALIBRATION_METHODS.map((method) => fitMethod(method, data, allRows(data), { ...context, target: "levels" })),
  fitMultinomial(data, allRows(data), { target: "binary" }),
  { kind: "temperature", target: "binary", temperature: 3 },
  { kind: "pds", weights: { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" } },
  { kind: "pds", weights: { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_kappa" } },
];
const shifts = [
  { fitted: [0.6, 0.25, 0.15], deployed: [0.8, 0.15, 0.05] },
  { fitted: [0.85, 0.15], deployed: [0.95, 0.05] },
];
const models: CalibrationModel[] = [
  ...fitted,
  ...fitted.flatMap((model) => (model.kind === "pds" ? [] : shifts.map((prior) => ({ ...model, prior })))),
];
const ROW: ScoreRow = {
  level_probs: [0.7, 0.2, 0.1],
  level_map: 1,
  lambda_nats: Math.log(0.7),
  h_weight_bits: 0.4,
  h_citation_bits: 0.3,
  inverse_log_odds: -2,
  inverse_yes_prob: 1 / (1 + Math.exp(2)),
  positive: true,
};

/** Anything an auditor may hand over, and some things it should not. */
const probability = fc.oneof(fc.constantFrom(0, 1, 1e-300, 1e-12, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
const signal = fc.oneof(fc.constant(Number.NaN), fc.double({ min: 0, max: 4, noNaN: true }));
const hostile = fc.record({
  probs: fc.oneof(fc.tuple(probability, probability, probability), fc.constant([Number.NaN, Number.NaN, Number.NaN])),
  rho: fc.oneof(
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.double({ min: -40, max: 40, noNaN: true }),
  ),
  yes: fc.oneof(fc.constant(Number.NaN), probability),
  weightBits: signal,
  citationBits: signal,
  map: fc.integer({ min: 0, max: 3 }),
  positive: fc.integer({ min: 0, max: 1 }),
});

describe("a calibration", () => {
  it("gives the same numbers row by row and for columns", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), (rows) => {
        const columns = emptyColumns(rows.length);
        for (const [i, row] of rows.entries()) {
          [columns.p1[i], columns.p2[i], columns.p3[i]] = row.probs as [number, number, number];
          columns.inverseLogOdds[i] = row.rho;
          columns.inverseYesProb[i] = row.yes;
          columns.weightBits[i] = row.weightBits;
          columns.citationBits[i] = row.citationBits;
          columns.levelMap[i] = row.map;
          columns.positive[i] = row.positive;
          columns.lambdaNats[i] = Math.log(Math.max(...row.probs));
        }
        for (const model of models) {
          const scores = applyToColumns(model, columns);
          for (let i = 0; i < columns.n; i += 1) {
            const alone = applyCalibration(model, rowOf(columns, i));
            expect(Number.isNaN(scores[i]!) ? null : scores[i]).toBe(alone);
            // Finite and a probability, whatever came in.
            expect(alone === null || (alone >= 0 && alone <= 1)).toBe(true);
            const levels = calibratedLevels(model, rowOf(columns, i));
            if (levels === null) continue;
            expect(levels[0] + levels[1] + levels[2]).toBeCloseTo(1, 12);
            expect(levels[0] + levels[1]).toBeCloseTo(alone!, 12);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("survives a file", () => {
    for (const model of models) {
      // The assignment is a test too: what the schema lets through is a model, and the other way round.
      const again: CalibrationModel = calibrationModelSchema.parse(JSON.parse(JSON.stringify(model)));
      const kept: z.infer<typeof calibrationModelSchema> = again;
      expect(kept).toEqual(JSON.parse(JSON.stringify(model)));
      expect(applyToColumns(again, data)).toEqual(applyToColumns(model, data));
    }
  });

  it("has no score for an audit without probabilities", () => {
    const row: ScoreRow = { ...ROW, level_probs: null, level_map: null, lambda_nats: null };
    for (const model of models) {
      expect(applyCalibration(model, row)).toBeNull();
      expect(calibratedLevels(model, row)).toBeNull();
    }
  });

  it("has no score where a feature it needs is absent, and has one where it never used it", () => {
    const model = fitMultinomial(data, allRows(data));
    expect(applyCalibration(model, { ...ROW, h_citation_bits: null })).toBeNull();
    const without = fitMultinomial(data, allRows(data), { features: FEATURES.filter((f) => f !== "h_citation_bits") });
    expect(applyCalibration(without, { ...ROW, h_citation_bits: null })).not.toBeNull();
    expect(
      applyCalibration({ kind: "platt", slope: 1, intercept: 0 }, { ...ROW, h_citation_bits: null }),
    ).not.toBeNull();
  });

  it("refuses probabilities that are none", () => {
    for (const level_probs of [
      [-0.1, 0.6, 0.5],
      [0, 0, 0],
      [Number.POSITIVE_INFINITY, 0, 0],
    ] as const) {
      expect(applyCalibration({ kind: "raw" }, { ...ROW, level_probs })).toBeNull();
    }
  });

  it("is 1 − p(L3) unfitted, and every identity leaves that alone", () => {
    const identities: CalibrationModel[] = [
      { kind: "raw" },
      { kind: "temperature", target: "levels", temperature: 1 },
      { kind: "platt", slope: 1, intercept: 0 },
      { kind: "beta", a: 1, b: 1, c: 0 },
      { kind: "vector", scale: [1, 1, 1], bias: [2, 2, 2] },
      { kind: "isotonic", x: [0, 1], y: [0, 1] },
    ];
    for (const model of identities) expect(applyCalibration(model, ROW)).toBeCloseTo(0.9, 12);
  });

  it("halves log-odds between levels at temperature 2", () => {
    const levels = calibratedLevels({ kind: "temperature", target: "levels", temperature: 2 }, ROW)!;
    expect(Math.log(levels[0] / levels[2])).toBeCloseTo(Math.log(0.7 / 0.1) / 2, 12);
    expect(calibratedLevels({ kind: "temperature", target: "binary", temperature: 2 }, ROW)).toBeNull();
  });

  it("of kind pds is S", () => {
    const weights = { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" } as const;
    expect(applyCalibration({ kind: "pds", weights }, ROW)).toBe(probabilisticDefensibilitySignal(ROW, weights));
    expect(applyCalibration({ kind: "pds", weights }, { ...ROW, h_weight_bits: null })).toBeNull();
  });

  it("takes ρ from σ(ρ) where it is infinite in mode paper", () => {
    const model = fitMultinomial(data, allRows(data));
    const infinite = { ...ROW, inverse_log_odds: Number.POSITIVE_INFINITY };
    const unsaid = { ...ROW, inverse_log_odds: null, inverse_yes_prob: 1 };
    expect(applyCalibration(model, unsaid)).toBe(applyCalibration(model, infinite));
    expect(applyCalibration(model, { ...unsaid, inverse_yes_prob: null })).toBeNull();
  });

  it("looks at every signal of an audit, and at the decision", () => {
    const input = new Float64Array(INPUTS);
    const out = new Float64Array(FEATURES.length);
    loadRow({ ...ROW, level_probs: [0.5, 0, 0.5], level_map: null, inverse_log_odds: -90 }, input);
    writeFeatures(input, out);
    expect([...out]).toEqual([0, Math.log(1e-12) - Math.log(0.5), -14, 0.4, 0.3, 0, 1, 1]);
    loadRow({ ...ROW, level_map: 2, inverse_log_odds: 20, positive: false }, input);
    writeFeatures(input, out);
    expect([...out].slice(2)).toEqual([14, 0.4, 0.3, 1, 0, 0]);
  });

  it("scores a million rows", () => {
    const million = emptyColumns(1_000_000);
    million.p1.fill(0.6);
    million.p2.fill(0.3);
    million.p3.fill(0.1);
    const compiled = compileCalibration(fitMultinomial(data, allRows(data)));
    compiled.columns(data);
    const scores = compiled.columns(million);
    expect(scores[999_999]).toBe(scores[0]);
  });
});
