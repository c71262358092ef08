import { applyToColumns, type CalibrationModel } from "../calibration/calibration-model.js";
import type { CalibrationChoice } from "../calibration/choose-calibration.js";
import { deployedPrior, withPrior } from "../calibration/deployed-prior.js";
import { evaluateScore, type ScoreEvaluation } from "../calibration/evaluate-score.js";
import { extractionCheck } from "../calibration/extraction-check.js";
import { defensibleTargets, paperScores } from "../calibration/paper-scores.js";
import { classShares, priorFactors, reweightOdds } from "../calibration/prior-shift.js";
import type { ScoreColumns } from "../calibration/score-columns.js";
import { isTwoClass, twoClassColumns } from "../calibration/two-class-columns.js";
import type { LoadedScores } from "../workspace/load-scores.js";
import { classwiseErrors } from "./classwise-errors.js";
import { temperatureRows } from "./temperature-rows.js";

export interface SignalWeights {
  alpha: number;
  beta: number;
  gamma: number;
  component: "h_w" | "h_kappa";
}

/** The rows a calibration is measured on. */
export interface EvaluatedOn {
  /** `fitted`: the rows it was fitted on (by models that did not see them, where a model was fitted). */
  kind: "fitted" | "holdout" | "other";
  label: string;
  columns: ScoreColumns;
  /** What has counts and arms; null for a part of the rows. */
  loaded: LoadedScores | null;
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

interface Settings {
  choice: CalibrationChoice | null;
  /** Rows fitted, by class. */
  fittedRows: { defensible: number; indefensible: number };
  seed: number;
  draws: number;
}

/** More rows than this get no bootstrap over communities: it would take longer than everything else. */
const BOOTSTRAP_ROWS = 20_000;

export function evaluateCalibration(on: EvaluatedOn, weights: SignalWeights, settings: Settings) {
  const { choice } = settings;
  const { columns } = on;
  const y = defensibleTargets(columns.targetLevel ?? new Uint8Array(columns.n));
  const evaluate = (score: Float64Array): ScoreEvaluation =>
    evaluateScore(score, y, {
      seed: settings.seed,
      draws: settings.draws,
      ...(columns.n <= BOOTSTRAP_ROWS ? { clusters: columns.community } : {}),
    });
  // A baseline is measured on the rows that the model has scored.
  const seen = choice && on.kind === "fitted" ? choice.outOfFold : null;
  const s = masked(paperScores(columns, weights), seen);
  const pds = evaluate(s);
  const raw = evaluate(masked(columns.pDefensible, seen));
  const shift =
    on.kind !== "other"
      ? null
      : choice
        ? modelShift(isTwoClass(choice.model) ? twoClassColumns(columns) : columns, choice, evaluate)
        : signalShift(s, pds, settings.fittedRows, evaluate);
  const model = shift?.kept && shift.model ? shift.model : (choice?.model ?? null);
  const main = choice ? (shift?.kept ? shift.after : (shift?.before ?? evaluate(ownScores(on, choice)))) : pds;
  const measured = {
    score: scoreName(on, choice),
    ...contract(main),
    mean_pds: pds.mean_score,
    evaluation: main,
    baselines: { p_defensible: raw, pds },
    classwise: classwiseErrors(columns, on.kind === "fitted" ? null : model, settings),
    extraction: extractionCheck(columns, weights.component),
    temperatures: on.loaded ? temperatureRows(on.loaded, weights, model, settings) : [],
  };
  const { model: _, ...told } = shift ?? { model: null };
  return { measured, model, prior_shift: shift ? (told as PriorShiftResult) : null };
}

/** The scores of rows where another score is there too. */
function masked(score: Float64Array, other: Float64Array | null): Float64Array {
  return other ? score.map((value, i) => (Number.isNaN(other[i]!) ? Number.NaN : value)) : score;
}

/** P(defensible) of rows that the model has not seen. */
function ownScores(on: EvaluatedOn, choice: CalibrationChoice): Float64Array {
  return on.kind === "fitted" ? choice.outOfFold : scoreColumns(choice.model, on.columns);
}

/** A model's scores; one that needs 1 − p(L3) only takes it from wherever it stands. */
export function scoreColumns(model: CalibrationModel, columns: ScoreColumns): Float64Array {
  return applyToColumns(model, isTwoClass(model) ? twoClassColumns(columns) : columns);
}

function scoreName(on: EvaluatedOn, choice: CalibrationChoice | null): string {
  const name = choice ? "p_calibrated" : "pds";
  if (on.kind === "holdout") return `${name} of the rows held out`;
  if (on.kind === "other") return `${name} of ${on.label}`;
  return choice
    ? `${name} of each row by a model that was not fitted on it`
    : `${name} of the rows its weights were fitted on`;
}

/** The fields that every calibration has. */
function contract({ ece, brier, log_loss, auroc }: ScoreEvaluation) {
  return {
    ece: {
      equal_frequency: ece.equal_frequency.value,
      tie_averaged: ece.tie_averaged.value,
      equal_width: ece.equal_width.value,
      debiased_rms: ece.debiased_rms.value,
      smooth: ece.smooth.value,
      null_95: ece.equal_frequency.null_95,
    },
    brier: brier.value,
    log_loss: log_loss.value,
    auroc: auroc.estimate,
  };
}

type ShiftWithModel = PriorShiftResult & { model: CalibrationModel | null };

/** A model's odds, corrected for the mix of classes that its own scores suggest: the labels there are not looked at. */
function modelShift(
  columns: ScoreColumns,
  { model, fitted_prior }: CalibrationChoice,
  evaluate: (score: Float64Array) => ScoreEvaluation,
): ShiftWithModel | null {
  if (model.kind === "pds") return null;
  const estimated = deployedPrior(model, columns, fitted_prior);
  if (!estimated) return null;
  const [first, second, third] = fitted_prior as [number, number, number];
  const fitted = estimated.prior.length === 2 ? [first + second, third] : [first, second, third];
  const corrected = withPrior(model, { fitted, deployed: estimated.prior });
  const before = evaluate(applyToColumns(model, columns));
  const after = evaluate(applyToColumns(corrected, columns));
  const kept =
    before.log_loss.value !== null && after.log_loss.value !== null && after.log_loss.value < before.log_loss.value;
  return { fitted, deployed: estimated.prior, method: "estimated", before, after, kept, model: corrected };
}

/** S has no estimate of the mix: it is corrected for the one that the labels show. */
function signalShift(
  s: Float64Array,
  before: ScoreEvaluation,
  rows: { defensible: number; indefensible: number },
  evaluate: (score: Float64Array) => ScoreEvaluation,
): ShiftWithModel | null {
  if (before.n === 0 || rows.defensible + rows.indefensible === 0) return null;
  const fitted = classShares([rows.defensible, rows.indefensible]);
  const deployed = classShares([before.n_defensible, before.n_indefensible]);
  const factors = priorFactors({ fitted, deployed }, 2);
  const after = evaluate(s.map((score) => reweightOdds(score, factors)));
  return { fitted, deployed, method: "labels", before, after, kept: false, model: null };
}
