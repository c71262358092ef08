import type { CandidateResult } from "../calibration/candidate-result.js";
import type { ScoreEvaluation } from "../calibration/evaluate-score.js";
import type { ExtractionCheck } from "../calibration/extraction-check.js";
import type { PaperFit } from "../calibration/fit-paper.js";
import type { CalibrationResult } from "../domain/calibration.js";
import type { ClasswiseErrors } from "./classwise-errors.js";
import type { PriorShiftResult } from "./evaluate-calibration.js";
import type { TemperatureRow } from "./temperature-rows.js";

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
    features: { used: string[]; dropped: { feature: string; reason: string }[] };
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
