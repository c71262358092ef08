import { compileCalibration } from "./compile-calibration.js";
import type { FeatureName } from "./features.js";
import type { ScoreColumns, ScoreRow } from "./score-columns.js";

/** What a calibration depends on. A calibration of one auditor says nothing of another's probabilities. @see paper Proposition A.1 */
export interface CalibratedWith {
  auditor?: string | null;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template?: string | null;
  signal?: string | null;
  /** What a label outside the candidates counts as; unknown is `floor`, the default. */
  missing?: string | null;
}

const MUST_MATCH = ["auditor", "auditor_version", "prompt_version", "template", "signal", "missing"] as const;
const NAMES: Record<(typeof MUST_MATCH)[number], string> = {
  auditor: "auditor",
  auditor_version: "auditor version",
  prompt_version: "prompt version",
  template: "template",
  signal: "signal mode",
  missing: "mode for missing labels",
};

/**
 * What keeps a calibration from being applied to audits, a sentence each; none: it fits. Something that only one side knows is a mismatch;
 * what neither knows cannot be checked and does not count.
 * @example calibrationFits({ evidence: { auditor: "baseline" } }, { auditor: "openai:gpt-4.1" }) // => ["auditor: calibrated on baseline, these audits are of openai:gpt-4.1"]
 */
export function calibrationFits(calibration: { evidence: CalibratedWith }, evidence: CalibratedWith): string[] {
  return MUST_MATCH.flatMap((field) => {
    const unknown = field === "missing" ? "floor" : null;
    const [fitted, met] = [calibration.evidence[field] ?? unknown, evidence[field] ?? unknown];
    if (fitted === met) return [];
    return [
      `${NAMES[field]}: calibrated on ${fitted ?? "an unknown one"}, these audits are of ${met ?? "an unknown one"}`,
    ];
  });
}

/** What a method was fitted to: the three levels, or defensible against indefensible. */
export type TargetClasses = "levels" | "binary";

/**
 * Class shares where the model was fitted and where it is used: three (the levels) or two (defensible, indefensible). The model's odds are
 * multiplied by the ratio of the shares. @see prior-shift.ts
 */
export interface PriorShift {
  fitted: number[];
  deployed: number[];
}

interface Shiftable {
  prior?: PriorShift | undefined;
}

/** 1 − p(L3) as it is. */
export interface RawModel extends Shiftable {
  kind: "raw";
}

/** S under fitted weights: the paper's score, no probability. */
export interface PdsModel {
  kind: "pds";
  weights: { alpha: number; beta: number; gamma: number; component: "h_w" | "h_kappa" };
}

/** p_l^{1/T}, renormalised. */
export interface TemperatureModel extends Shiftable {
  kind: "temperature";
  target: TargetClasses;
  temperature: number;
}

/** σ(slope · logit p + intercept), p = 1 − p(L3). */
export interface PlattModel extends Shiftable {
  kind: "platt";
  slope: number;
  intercept: number;
}

/** σ(a ln p − b ln(1−p) + c). */
export interface BetaModel extends Shiftable {
  kind: "beta";
  a: number;
  b: number;
  c: number;
}

/** A rising line through the points (x, y), level outside them. */
export interface IsotonicModel extends Shiftable {
  kind: "isotonic";
  x: number[];
  y: number[];
}

/** softmax(scale_l ln p_l + bias_l). */
export interface VectorModel extends Shiftable {
  kind: "vector";
  scale: [number, number, number];
  bias: [number, number, number];
}

/** softmax or, for a binary target, σ of weights · (feature − mean)/sd + bias. Rows of `weights`: levels 1 to 3, or "defensible" alone. */
export interface MultinomialModel extends Shiftable {
  kind: "multinomial";
  target: TargetClasses;
  features: FeatureName[];
  mean: number[];
  sd: number[];
  weights: number[][];
  bias: number[];
  l2: number;
  /** Features that could not be used, and why. */
  dropped: { feature: FeatureName; reason: string }[];
}

/** A calibration as plain data; its zod schema is `calibrationModelSchema` in domain/. */
export type CalibrationModel =
  | RawModel
  | PdsModel
  | TemperatureModel
  | PlattModel
  | BetaModel
  | IsotonicModel
  | VectorModel
  | MultinomialModel;

/** P(defensible) = P(L1) + P(L2) of one audit; null where the model needs an input that is absent. */
export function applyCalibration(model: CalibrationModel, row: ScoreRow): number | null {
  return compileCalibration(model).defensible(row);
}

/** Calibrated probabilities of the three levels; null where the model has none or needs an input that is absent. */
export function calibratedLevels(model: CalibrationModel, row: ScoreRow): [number, number, number] | null {
  return compileCalibration(model).levels(row);
}

/** P(defensible) of every row, NaN where a needed input is absent: the same numbers as row by row. */
export function applyToColumns(model: CalibrationModel, columns: ScoreColumns): Float64Array {
  return compileCalibration(model).columns(columns);
}
