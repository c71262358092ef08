import type { CalibrationModel, TargetClasses } from "./calibration-model.js";
import type { FeatureName } from "./features.js";
import { fitBeta } from "./fit-beta.js";
import { fitIsotonic, ISOTONIC_MINIMUM } from "./fit-isotonic.js";
import { fitMultinomial } from "./fit-multinomial.js";
import { fitPlatt } from "./fit-platt.js";
import { fitTemperature } from "./fit-temperature.js";
import { fitVectorScaling } from "./fit-vector-scaling.js";
import type { ScoreColumns } from "./score-columns.js";

/** From the simplest (nothing fitted) to the richest: of two methods with the same loss the earlier is chosen. */
export const CALIBRATION_METHODS = [
  "raw",
  "temperature",
  "platt",
  "beta",
  "vector",
  "isotonic",
  "multinomial",
] as const;

export type CalibrationMethod = (typeof CALIBRATION_METHODS)[number];

export interface FitContext {
  target: TargetClasses;
  features: readonly FeatureName[];
  dropped: readonly { feature: FeatureName; reason: string }[];
}

/** Fits a method on some rows. */
export function fitMethod(
  method: CalibrationMethod,
  columns: ScoreColumns,
  rows: Int32Array,
  { target, features, dropped }: FitContext,
): CalibrationModel {
  switch (method) {
    case "raw":
      return { kind: "raw" };
    case "temperature":
      return fitTemperature(columns, rows, target);
    case "platt":
      return fitPlatt(columns, rows);
    case "beta":
      return fitBeta(columns, rows);
    case "vector":
      return fitVectorScaling(columns, rows);
    case "isotonic":
      return fitIsotonic(columns, rows);
    case "multinomial":
      return fitMultinomial(columns, rows, { target, features, dropped });
  }
}

/** Why a method cannot be fitted to so many rows of each class, or null where it can. */
export function unavailable(
  method: CalibrationMethod,
  counts: { target: TargetClasses; defensible: number; indefensible: number },
): string | null {
  if (method === "vector" && counts.target === "binary") return "needs rows of all three levels";
  if (method === "isotonic" && Math.min(counts.defensible, counts.indefensible) < ISOTONIC_MINIMUM) {
    return `needs ${ISOTONIC_MINIMUM} rows of each class; there are ${counts.defensible} defensible and ${counts.indefensible} indefensible`;
  }
  return null;
}
