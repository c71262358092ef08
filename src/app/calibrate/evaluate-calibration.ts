import type { CalibrationModel } from "../../measures/calibration/calibration-model.js";
import type { ClasswiseErrors, PriorShiftResult } from "../../measures/calibration/candidate-result.js";
import type { CalibrationChoice } from "../../measures/calibration/choose-calibration.js";
import { priorOfScores, withPrior } from "../../measures/calibration/compile-calibration.js";
import { classwiseError } from "../../measures/calibration/errors/classwise-error.js";
import { evaluateScore, type ScoreEvaluation } from "../../measures/calibration/errors/evaluate-score.js";
import { type RowIds, scoreParts, type UnseenPart, unseenParts } from "../../measures/calibration/feature-worth.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import { extractionCheck } from "../../measures/calibration/paper/extraction-check.js";
import { classShares, priorFactors, reweightOdds } from "../../measures/calibration/prior-shift.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";
import { type LoadedScores, temperatureRows } from "../report/choose-target.js";
import type { CalibrationStage, CalibrationWords } from "./build-calibration.js";

/** Errors by level are not computed for more rows than this. */
const MAXIMUM_ROWS = 200_000;

/** `levels`: three probabilities per row, from a model that has not seen the row; null: no model. */
function classwiseErrors(
  columns: ScoreColumns,
  levels: Float64Array | null,
  options: { seed: number; draws: number },
): ClasswiseErrors {
  const { n, p1, p2, p3, targetLevel, targetWeight: weights } = columns;
  if (n > MAXIMUM_ROWS || !targetLevel) return { raw: null, calibrated: null };
  const measured = (probs: [Float64Array, Float64Array, Float64Array]) => {
    const found = classwiseError(probs, targetLevel, { ...options, weights });
    return found.n === 0 ? null : found;
  };
  const level = (k: number) => Float64Array.from({ length: n }, (_, i) => levels![3 * i + k]!);
  return {
    raw: measured([p1, p2, p3]),
    calibrated: levels ? measured([level(0), level(1), level(2)]) : null,
  };
}

export interface SignalWeights {
  alpha: number;
  beta: number;
  gamma: number;
  component: "h_w" | "h_kappa";
}

export interface EvaluatedOn {
  /** `fitted`: the rows it was fitted on (scored by models that did not see them, if a model was fitted). */
  kind: "fitted" | "holdout" | "other";
  label: string;
  columns: ScoreColumns;
  /** Decisions of these rows and of the fitted rows; those in both are scored by a model that did not see them. */
  ids: RowIds;
  fittedIds: RowIds;
  /** The source of counts and arms; null for a part of the rows. */
  loaded: LoadedScores | null;
}

interface Settings {
  choice: CalibrationChoice | null;
  /** Number of fitted rows by class. */
  fittedRows: { defensible: number; indefensible: number };
  /** The labels of the fitted rows were drawn with unequal probabilities. */
  weighted: boolean;
  words: CalibrationWords;
  seed: number;
  draws: number;
  onStage?: (stage: CalibrationStage) => void;
}

export function evaluateCalibration(on: EvaluatedOn, weights: SignalWeights, settings: Settings) {
  const { choice, onStage } = settings;
  const { columns } = on;
  const y = defensibleTargets(columns.targetLevel ?? new Uint8Array(columns.n));
  const evaluate = (score: Float64Array): ScoreEvaluation =>
    evaluateScore(score, y, {
      seed: settings.seed,
      draws: settings.draws,
      weights: columns.targetWeight,
      clusters: columns.community,
    });
  // A baseline is measured on the rows that the model scored.
  const seen = choice && on.kind === "fitted" ? choice.outOfFold : null;
  const s = masked(paperScores(columns, weights), seen);
  onStage?.({ code: "measure", what: "pds" });
  const pds = evaluate(s);
  onStage?.({ code: "measure", what: "p_defensible" });
  const raw = evaluate(masked(columns.pDefensible, seen));
  if (choice) onStage?.({ code: "measure", what: "p_calibrated" });
  const unseen =
    choice && on.kind !== "fitted" ? unseenParts(choice, on.fittedIds, { n: columns.n, ids: on.ids }) : null;
  const shift =
    // Rows weighted by their sampling design already have the population's mix of classes.
    on.kind !== "other" || settings.weighted
      ? null
      : choice
        ? modelShift(columns, unseen!.parts, choice, evaluate)
        : signalShift(s, pds, settings.fittedRows, evaluate);
  const kept = shift?.kept && shift.model ? { fitted: shift.fitted, deployed: shift.deployed } : null;
  const model = kept ? shift!.model : (choice?.model ?? null);
  const scored = unseen ? scoreParts(corrected(unseen.parts, kept), columns) : null;
  const main = choice
    ? shift
      ? kept
        ? shift.after
        : shift.before
      : evaluate(scored?.score ?? choice.outOfFold)
    : pds;
  const armScores = choice
    ? (arm: { columns: ScoreColumns; ids?: RowIds }) =>
        scoreParts(
          corrected(unseenParts(choice, on.fittedIds, { n: arm.columns.n, ids: arm.ids }).parts, kept),
          arm.columns,
        ).score
    : null;
  onStage?.({ code: "measure", what: "levels_and_temperatures" });
  const measured = {
    score: settings.words.scored({ score: choice ? "p_calibrated" : "pds", on: on.kind, label: on.label }),
    ...contract(main),
    mean_pds: pds.mean_score,
    evaluation: main,
    baselines: { p_defensible: raw, pds },
    classwise: classwiseErrors(columns, scored?.levels ?? null, settings),
    extraction: extractionCheck(columns, weights.component),
    temperatures: on.loaded ? temperatureRows(on.loaded, weights, armScores, settings) : [],
  };
  const { model: _, ...shown } = shift ?? { model: null };
  const overlap = unseen?.overlap ?? (choice || on.kind !== "other" ? null : sharedRows(on, s));
  return { measured, model, prior_shift: shift ? (shown as PriorShiftResult) : null, overlap };
}

/** Number of measured rows whose decisions were also used to fit the weights of S; null: no ids to compare. */
function sharedRows({ ids, fittedIds }: EvaluatedOn, s: Float64Array): number | null {
  if (!ids || !fittedIds) return null;
  const fitted = new Set(fittedIds);
  return ids.reduce((count, id, i) => count + (!Number.isNaN(s[i]!) && fitted.has(id) ? 1 : 0), 0);
}

/** The same models, corrected for another mix of classes. */
function corrected(parts: readonly UnseenPart[], prior: Mix | null): readonly UnseenPart[] {
  if (!prior) return parts;
  return parts.map(({ model, rows }) => ({ model: model.kind === "pds" ? model : withPrior(model, prior), rows }));
}

/** The score, limited to rows that have the other score, too. */
function masked(score: Float64Array, other: Float64Array | null): Float64Array {
  return other ? score.map((value, i) => (Number.isNaN(other[i]!) ? Number.NaN : value)) : score;
}

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

type Mix = { fitted: number[]; deployed: number[] };
type ShiftWithModel = PriorShiftResult & { model: CalibrationModel | null };

/** A model's odds, corrected for the mix of classes estimated from its own scores; the labels there are not used for the estimate. */
function modelShift(
  columns: ScoreColumns,
  parts: readonly UnseenPart[],
  { model, fitted_prior }: CalibrationChoice,
  evaluate: (score: Float64Array) => ScoreEvaluation,
): ShiftWithModel | null {
  if (model.kind === "pds") return null;
  const scores = scoreParts(parts, columns);
  const estimated = priorOfScores(scores, fitted_prior);
  if (!estimated) return null;
  const [first, second, third] = fitted_prior as [number, number, number];
  const fitted = estimated.prior.length === 2 ? [first + second, third] : [first, second, third];
  const mix = { fitted, deployed: estimated.prior };
  const before = evaluate(scores.score);
  const after = evaluate(scoreParts(corrected(parts, mix), columns).score);
  const kept =
    before.log_loss.value !== null && after.log_loss.value !== null && after.log_loss.value < before.log_loss.value;
  return { ...mix, method: "estimated", before, after, kept, model: withPrior(model, mix) };
}

/** S cannot estimate the mix, so it is corrected for the mix that the labels show. */
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
