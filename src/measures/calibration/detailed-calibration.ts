import type { CalibrationResult } from "../../core/calibration.js";
import type { CandidateResult } from "./candidate-result.js";
import type { ClasswiseError } from "./errors/classwise-error.js";
import type { ScoreEvaluation } from "./errors/evaluate-score.js";
import type { FeatureWorths } from "./feature-worth.js";
import type { ExtractionCheck } from "./paper/extraction-check.js";
import type { PaperFit } from "./paper/fit-paper.js";

/** Calibration of the three levels: as the auditor gives them, and as the model does where it has them. */
export interface ClasswiseErrors {
  raw: ClasswiseError | null;
  calibrated: ClasswiseError | null;
}

/** What another mix of classes does to the measure, and what correcting for it does. */
export interface PriorShiftResult {
  fitted: number[];
  deployed: number[];
  /** How the mix of the other rows is known: from their scores (EM), without looking at their labels, or from their labels. */
  method: "estimated" | "labels";
  before: ScoreEvaluation;
  after: ScoreEvaluation;
  /** The correction lowers the log-loss, so that the model is kept with it. */
  kept: boolean;
}

/** A row of the paper's table of held-out calibration, with what a calibrated probability does at the same temperature. */
export interface TemperatureRow {
  arm: string;
  temperature: number | null;
  /** Verdicts with a target that have S. */
  n: number;
  /** Audits without it. */
  skipped: number;
  extraction_rate: number | null;
  ece: number | null;
  ece_null_95: number | null;
  mean_pds: { all: number | null; defensible: number | null; indefensible: number | null };
  defensible_rate: number | null;
  calibrated: { ece: number | null; ece_null_95: number | null; log_loss: number | null } | null;
}

/** What a calibration says beyond its contract. A file may have been written by another version: nothing here is sure to be there. */
export interface CalibrationDetails {
  asked?: string;
  optimiser?: string;
  calibrated?: boolean;
  source?: string;
  holdout?: number | null;
  evaluated_on?: { kind: "fitted" | "holdout" | "other"; label: string; overlap?: number | null };
  paper?: Record<"h_w" | "h_kappa", PaperFit>;
  evaluation?: ScoreEvaluation;
  baselines?: { p_defensible: ScoreEvaluation; pds: ScoreEvaluation };
  choice?: {
    classes: string;
    levels: number[];
    folds: { count: number; by: "community" | "row"; communities: number };
    /** `worth`: of the multinomial model, where it was fitted. */
    features: { used: string[]; dropped: { feature: string; reason: string }[]; worth?: FeatureWorths };
    candidates: CandidateResult[];
  };
  classwise?: ClasswiseErrors;
  skipped?: Record<string, number>;
  prior_shift?: PriorShiftResult | null;
  temperatures?: TemperatureRow[];
  extraction?: ExtractionCheck | null;
  notes?: string[];
  warnings?: string[];
}

export type DetailedCalibration = CalibrationResult & CalibrationDetails;

export function detailed(calibration: CalibrationResult): DetailedCalibration {
  return calibration as DetailedCalibration;
}
