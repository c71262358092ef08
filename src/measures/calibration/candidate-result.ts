import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { auroc } from "../../stats/ranks/auroc.js";
import type { TargetClasses } from "./calibration-model.js";
import { groupedMean, levelLogLosses, logLosses } from "./errors/score-losses.js";
import { weightedArea } from "./errors/weighted-auroc.js";
import type { CalibrationMethod } from "./fit/methods.js";

/** How a method did on rows it was not fitted on; losses in nats. */
export interface CandidateResult {
  method: CalibrationMethod | "pds";
  /** 1 − p(L3) and S: what a fitted method has to beat. */
  baseline: boolean;
  /** Why there are no numbers, else null. */
  reason: string | null;
  n: number;
  log_loss: number | null;
  /** Standard error of the log-loss with communities as units. */
  log_loss_se: number | null;
  /** Mean −ln P(level), for methods that tell three levels apart. */
  level_log_loss: number | null;
  brier: number | null;
  auroc: Estimate;
  /** Log-loss minus that of each baseline on the rows both have; below 0 this method is better. Null against itself. */
  against: { raw: Estimate | null; pds: Estimate | null };
  /** A smaller log-loss than every baseline that could be scored; null for a baseline. */
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

/** Scores out-of-fold predictions; rows whose score is NaN are left out and show in `n`. */
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
  // Three levels are scored only where the target has them; a binary model has none.
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
