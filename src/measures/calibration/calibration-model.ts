import type { z } from "zod";
import type { calibrationModelSchema } from "../../core/calibration.js";
import { compileCalibration } from "./compile-calibration.js";
import type { ScoreColumns, ScoreRow } from "./score-columns.js";

/** What a calibration depends on. A calibration of one auditor does not apply to another's probabilities. @see paper Proposition A.1 */
export interface CalibratedWith {
  auditor?: string | null;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template?: string | null;
  signal?: string | null;
  /** How labels outside the candidates are treated; if unknown, `floor`, the default. */
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
 * Reasons why a calibration may not be applied to audits, one sentence each; empty if it fits. A value known on only one side is a mismatch; a
 * value unknown on both sides cannot be checked and is ignored.
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

/** A calibration as plain data. */
export type CalibrationModel = z.infer<typeof calibrationModelSchema>;
type OfKind<Kind> = Extract<CalibrationModel, { kind: Kind }>;

/** 1 − p(L3), unchanged. */
export type RawModel = OfKind<"raw">;
/** S under fitted weights: the paper's score, which is not a probability. */
export type PdsModel = OfKind<"pds">;
/** p_l^{1/T}, renormalised. */
export type TemperatureModel = OfKind<"temperature">;
/** σ(slope · logit p + intercept), p = 1 − p(L3). */
export type PlattModel = OfKind<"platt">;
/** σ(a ln p − b ln(1−p) + c). */
export type BetaModel = OfKind<"beta">;
/** An increasing line through the points (x, y), constant outside them. */
export type IsotonicModel = OfKind<"isotonic">;
/** softmax(scale_l ln p_l + bias_l). */
export type VectorModel = OfKind<"vector">;
/**
 * softmax (or, for a binary target, σ) of weights · (feature − mean)/sd + bias. Rows of `weights`: levels 1 to 3, or "defensible" alone. `dropped`
 * are features that could not be used, and why.
 */
export type MultinomialModel = OfKind<"multinomial">;

/** The classes a method was fitted to: the three levels, or defensible and indefensible. */
export type TargetClasses = MultinomialModel["target"];

/**
 * Class shares where the model was fitted and where it is used: three (the levels) or two (defensible, indefensible). The model's odds are
 * multiplied by the ratio of the shares. @see prior-shift.ts
 */
export type PriorShift = NonNullable<RawModel["prior"]>;

/** P(defensible) = P(L1) + P(L2) of one audit; null where the model needs an input that is absent. */
export function applyCalibration(model: CalibrationModel, row: ScoreRow): number | null {
  return compileCalibration(model).defensible(row);
}

/** Calibrated probabilities of the three levels; null where the model has none or needs an input that is absent. */
export function calibratedLevels(model: CalibrationModel, row: ScoreRow): [number, number, number] | null {
  return compileCalibration(model).levels(row);
}

/** P(defensible) of every row, NaN where a needed input is absent: the same numbers as `applyCalibration` gives row by row. */
export function applyToColumns(model: CalibrationModel, columns: ScoreColumns): Float64Array {
  return compileCalibration(model).columns(columns);
}
