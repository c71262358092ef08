import type { CalibrationResult } from "../../core/calibration.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { auroc } from "../../stats/ranks/auroc.js";
import type { TargetClasses } from "./calibration-model.js";
import type { ClasswiseError } from "./errors/classwise-error.js";
import type { ScoreEvaluation } from "./errors/evaluate-score.js";
import { groupedMean, levelLogLosses, logLosses } from "./errors/score-cells.js";
import { weightedArea } from "./errors/weighted-auroc.js";
import type { FeatureWorths } from "./feature-worth.js";
import type { CalibrationMethod } from "./fit/methods.js";
import type { ExtractionCheck } from "./paper/extraction-check.js";
import type { PaperFit } from "./paper/fit-paper.js";

/** Calibration of the three levels: of the auditor's own probabilities, and of the model's if it has them. */
export interface ClasswiseErrors {
  raw: ClasswiseError | null;
  calibrated: ClasswiseError | null;
}

/** The effect of a different class mix on the measure, and of correcting for it. */
export interface PriorShiftResult {
  fitted: number[];
  deployed: number[];
  /** How the class mix of the other rows was found: estimated from their scores (EM) without their labels, or counted from their labels. */
  method: "estimated" | "labels";
  before: ScoreEvaluation;
  after: ScoreEvaluation;
  /** Whether the correction lowers the log-loss, in which case the model keeps it. */
  kept: boolean;
}

/** A row of the paper's table of held-out calibration, with the results of a calibrated probability at the same temperature. */
export interface TemperatureRow {
  arm: string;
  temperature: number | null;
  /** Verdicts with both a target and S. */
  n: number;
  /** Audits without S. */
  skipped: number;
  extraction_rate: number | null;
  ece: number | null;
  ece_null_95: number | null;
  mean_pds: { all: number | null; defensible: number | null; indefensible: number | null };
  defensible_rate: number | null;
  calibrated: { ece: number | null; ece_null_95: number | null; log_loss: number | null } | null;
}

/** The contents of a calibration beyond its contract. The file may come from another version, so every field may be missing. */
interface CalibrationDetails {
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
    /** `worth`: of the multinomial model's features, if it was fitted. */
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

/** A method's results on rows it was not fitted on; losses in nats. */
export interface CandidateResult {
  method: CalibrationMethod | "pds";
  /** 1 − p(L3) or S: a fitted method has to beat both. */
  baseline: boolean;
  /** Why there are no numbers; otherwise null. */
  reason: string | null;
  n: number;
  log_loss: number | null;
  /** Standard error of the log-loss with communities as units. */
  log_loss_se: number | null;
  /** Mean −ln P(level), for methods that separate the three levels. */
  level_log_loss: number | null;
  brier: number | null;
  auroc: Estimate;
  /** Log-loss minus that of each baseline, on the rows both have; below 0, this method is better. A baseline compared with itself: null. */
  against: { raw: Estimate | null; pds: Estimate | null };
  /** Whether its log-loss is below that of every baseline that could be scored; null for a baseline. */
  beats_baselines: boolean | null;
}

export function unavailableCandidate(method: CalibrationMethod | "pds", reason: string): CandidateResult {
  return {
    method,
    baseline: method === "raw" || method === "pds",
    reason,
    n: 0,
    log_loss: null,
    log_loss_se: null,
    level_log_loss: null,
    brier: null,
    auroc: undefinedEstimate(reason),
    against: { raw: null, pds: null },
    beats_baselines: null,
  };
}

/** Scores out-of-fold predictions. Rows with a NaN score are left out and not counted in `n`. */
export function candidateResult(
  method: CalibrationMethod | "pds",
  { score, levels }: { score: Float64Array; levels: Float64Array | null },
  truth: {
    y: Uint8Array;
    level: Uint8Array;
    community: Int32Array;
    target: TargetClasses;
    weight: Float64Array | null;
  },
  baselines: { raw: Float64Array; pds: Float64Array },
): CandidateResult {
  const { y, level, community, weight } = truth;
  const losses = logLosses(score, y);
  const mean = groupedMean(losses, community, weight);
  if (mean.estimate === null) return unavailableCandidate(method, `S is absent: ${mean.reason}`);
  const against = {
    raw: method === "raw" ? null : groupedMean(minus(losses, baselines.raw), community, weight),
    pds: method === "pds" ? null : groupedMean(minus(losses, baselines.pds), community, weight),
  };
  const baseline = method === "raw" || method === "pds";
  // Three levels are scored only if the target has them; a binary model does not.
  const ofLevels =
    levels && truth.target === "levels" ? groupedMean(levelLogLosses(levels, level), community, weight) : null;
  return {
    method,
    baseline,
    reason: null,
    n: mean.n,
    log_loss: mean.estimate,
    log_loss_se: mean.standard_error ?? null,
    level_log_loss: ofLevels?.estimate ?? null,
    brier: groupedMean(
      score.map((s, i) => (s - y[i]!) ** 2),
      community,
      weight,
    ).estimate,
    auroc: weight
      ? weightedArea(score, y, weight)
      : auroc(
          score.filter((s, i) => y[i] === 1 && !Number.isNaN(s)),
          score.filter((s, i) => y[i] === 0 && !Number.isNaN(s)),
        ),
    against,
    beats_baselines: baseline
      ? null
      : [against.raw, against.pds].every((difference) => difference?.estimate == null || difference.estimate < 0),
  };
}

function minus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - b[i]!);
}

/** Whether predicted and observed rates are further apart than chance explains: then the score is no probability to rely on. */
export function failsCheck({ equal_frequency: error, null_95: limit }: CalibrationResult["ece"]): boolean {
  return error !== null && limit !== null && error > limit;
}
