import type { NewCalibration } from "../../core/calibration.js";
import { sameFamily } from "../../core/model-family.js";
import { VERSION } from "../../io/machine.js";
import { calibrationFits } from "../../measures/calibration/calibration-model.js";
import { chooseCalibration } from "../../measures/calibration/choose-calibration.js";
import { featureWorth, type RowIds } from "../../measures/calibration/feature-worth.js";
import {
  CALIBRATION_METHODS,
  type CalibrationMethod,
  hasTwoClassesOnly,
  isTwoClass,
  twoClassColumns,
} from "../../measures/calibration/fit/methods.js";
import { holdOut } from "../../measures/calibration/folds.js";
import { paperScores } from "../../measures/calibration/paper/design.js";
import { equalWeights, fitPaper, type PaperFit, type PaperMethod } from "../../measures/calibration/paper/fit-paper.js";
import { type ScoreColumns, selectRows } from "../../measures/calibration/score-columns.js";
import type { LoadedScores, TargetNote } from "../report/choose-target.js";
import { type EvaluatedOn, evaluateCalibration } from "./evaluate-calibration.js";

/** Caveats to a calibration's figures. */
export type CalibrationNote =
  | TargetNote
  | { code: "own_target" | "target_of_same_family" | "weighted" | "two_classes" }
  | { code: "foreign_evaluation"; mismatches: readonly string[] }
  | { code: "other_setting"; name: "tier" | "temperature"; fitted: unknown; measured: unknown }
  /** Measured verdicts whose decisions were also used for fitting. `by`: unit of the folds; null if no model was fitted. */
  | { code: "overlap"; verdicts: number; of: number; by: "community" | "row" | null }
  | { code: "equal_weights"; reason: string };

/** What was scored, used to name the figures. */
export interface ScoredRows {
  score: "pds" | "p_calibrated";
  on: EvaluatedOn["kind"];
  label: string;
}

/** Wording stored with a calibration; `present/calibrate/calibrate-words.ts` has it in English. */
export interface CalibrationWords {
  note(note: CalibrationNote): string;
  scored(rows: ScoredRows): string;
}

export interface CalibrationRequest {
  words: CalibrationWords;
  method: "paper" | "auto" | CalibrationMethod;
  component: "h_w" | "h_kappa";
  /** How the weights of S are found. Default `closed-simplex`. */
  optimiser?: PaperMethod;
  seed: number;
  draws: number;
  /** Share of the rows to measure on instead of fitting; null: no split. */
  holdout: number | null;
  name: string | null;
  createdAt: string;
  /** Called at the start of each slow stage. */
  onStage?: (stage: CalibrationStage) => void;
}

export type CalibrationStage =
  | { code: "fit_weights" }
  | { code: "cross_validate"; methods: readonly CalibrationMethod[] }
  | { code: "measure"; what: "pds" | "p_defensible" | "p_calibrated" | "levels_and_temperatures" };

/** A calibration, or why it could not be made. */
export type CalibrationOutcome = { refused: true; reason: string } | { refused: false; calibration: NewCalibration };

/** Fits the requested calibration and measures it on rows it was not fitted on. */
export function buildCalibration(
  loaded: LoadedScores,
  elsewhere: LoadedScores | null,
  request: CalibrationRequest,
): CalibrationOutcome {
  const { component, seed, optimiser: method = "closed-simplex" } = request;
  const split = request.holdout === null ? null : holdOut(loaded.main.columns, request.holdout, seed);
  const columns = split ? selectRows(loaded.main.columns, split.fit) : loaded.main.columns;
  const held = split ? selectRows(loaded.main.columns, split.held) : null;
  const target = loaded.target.kind === "self" ? "emitted" : "target";
  request.onStage?.({ code: "fit_weights" });
  const paper = {
    h_w: usable(fitPaper(columns, { component: "h_w", target, method })),
    h_kappa: usable(fitPaper(columns, { component: "h_kappa", target, method })),
  };
  const fit = paper[component];
  const weights = { ...fit.weights, component };
  const on: EvaluatedOn = {
    ...(elsewhere
      ? { kind: "other", label: elsewhere.label, columns: elsewhere.main.columns, ids: elsewhere.main.ids }
      : { kind: held ? "holdout" : "fitted", label: loaded.label, columns: held ?? columns, ids: null }),
    // A holdout takes other rows of the same table, so the two sets share none.
    fittedIds: split ? null : loaded.main.ids,
    loaded: elsewhere ?? (held ? null : loaded),
  };
  const common = { loaded, elsewhere, fit, paper, weights, on, request };
  if (request.method === "paper") return { refused: false, calibration: paperResult(common) };

  // As a baseline, S gets the weights that suit this target best, so that beating it is meaningful.
  const baseline: ScoreColumns = { ...columns, pds: paperScores(columns, weights) };
  const asked: readonly CalibrationMethod[] = request.method === "auto" ? CALIBRATION_METHODS : [request.method];
  const twoClasses = hasTwoClassesOnly(columns);
  const methods = twoClasses ? asked.filter((method) => isTwoClass({ kind: method })) : asked;
  if (methods.length === 0) {
    return { refused: true, reason: `${request.method} needs level_probs; the audits have p_defensible only` };
  }
  request.onStage?.({ code: "cross_validate", methods });
  const scored = twoClasses ? twoClassColumns(baseline) : baseline;
  const choice = chooseCalibration(scored, { seed, methods });
  if (choice.refused) return { refused: true, reason: choice.reason };
  const worth = featureWorth(scored, choice);
  const fittedRows = { defensible: choice.levels[0] + choice.levels[1], indefensible: choice.levels[2] };
  const { measured, model, prior_shift, overlap } = evaluateCalibration(on, weights, {
    choice,
    fittedRows,
    weighted: columns.targetWeight !== undefined,
    ...request,
  });
  return {
    refused: false,
    calibration: {
      ...identity(common, overlap),
      ...measured,
      method: choice.chosen,
      asked: request.method,
      n: choice.n,
      model: model as NewCalibration["model"],
      fitted_prior: choice.fitted_prior,
      prior_shift,
      choice: {
        classes: choice.target,
        levels: choice.levels,
        folds: choice.folds,
        features: { ...choice.features, ...(worth ? { worth } : {}) },
        candidates: choice.candidates,
        ...(columns.targetWeight ? { effective_rows: choice.effective_rows } : {}),
      },
      skipped: choice.skipped,
      warnings: [
        ...worded(common, [
          ...warningsOf(common),
          ...overlapWarning(on, overlap, choice.folds.by),
          ...(twoClasses ? [{ code: "two_classes" } as const] : []),
        ]),
        ...choice.warnings,
      ],
    },
  };
}

interface Common {
  loaded: LoadedScores;
  elsewhere: LoadedScores | null;
  fit: PaperFit;
  paper: Record<"h_w" | "h_kappa", PaperFit>;
  weights: { alpha: number; beta: number; gamma: number; component: "h_w" | "h_kappa" };
  on: EvaluatedOn;
  request: CalibrationRequest;
}

function paperResult(common: Common): NewCalibration {
  const { fit, weights, request } = common;
  const on = { ...common.on, fittedIds: idsWithSignal(common) };
  const fittedRows = { defensible: fit.n_defensible, indefensible: fit.n_indefensible };
  const { measured, prior_shift, overlap } = evaluateCalibration(on, weights, {
    choice: null,
    fittedRows,
    weighted: common.loaded.main.columns.targetWeight !== undefined,
    ...request,
  });
  return {
    ...identity(common, overlap),
    ...measured,
    method: "paper",
    asked: "paper",
    optimiser: fit.method,
    n: fit.n,
    model: null,
    calibrated: fit.calibrated,
    prior_shift,
    warnings: [
      ...worded(common, [
        ...warningsOf(common),
        ...(fit.calibrated ? overlapWarning(on, overlap, null) : []),
        ...(fit.reason ? [{ code: "equal_weights", reason: fit.reason } as const] : []),
      ]),
      ...fit.warnings,
    ],
  };
}

function idsWithSignal({ on: { fittedIds }, loaded, weights }: Common): RowIds {
  const { targetLevel } = loaded.main.columns;
  const s = paperScores(loaded.main.columns, weights);
  return fittedIds?.filter((_, i) => targetLevel?.[i] && !Number.isNaN(s[i]!));
}

/** Reports figures measured on decisions that were also used for fitting. */
function overlapWarning(on: EvaluatedOn, overlap: number | null, by: "community" | "row" | null): CalibrationNote[] {
  return overlap ? [{ code: "overlap", verdicts: overlap, of: on.columns.n, by }] : [];
}

function worded({ request: { words } }: Common, notes: readonly CalibrationNote[]): string[] {
  return notes.map((note) => words.note(note));
}

/** Rows of one class fit any weights, so equal weights replace them, as they do if nothing could be fitted. */
function usable(fit: PaperFit): PaperFit {
  if (!fit.calibrated || (fit.n_defensible > 0 && fit.n_indefensible > 0)) return fit;
  return { ...fit, ...equalWeights(`all ${fit.n} rows are of one class`) };
}

function identity(common: Common, overlap: number | null) {
  const { loaded, fit, paper, request, on } = common;
  return {
    component: request.component,
    weights: fit.weights,
    loss: fit.loss,
    active_constraints: fit.active_constraints,
    created_at: request.createdAt,
    software: VERSION,
    name: request.name,
    evidence: loaded.evidence,
    target: loaded.target,
    seed: request.seed,
    draws: request.draws,
    source: loaded.label,
    notes: worded(common, loaded.notes),
    holdout: request.holdout,
    evaluated_on: { kind: on.kind, label: on.label, ...(on.kind === "other" && { overlap }) },
    paper,
  };
}

function warningsOf({ loaded, elsewhere }: Pick<Common, "loaded" | "elsewhere">): CalibrationNote[] {
  const warnings: CalibrationNote[] = [];
  if (loaded.target.kind === "self") warnings.push({ code: "own_target" });
  if (sameFamily(loaded.target.auditor ?? null, loaded.evidence.auditor ?? "")) {
    warnings.push({ code: "target_of_same_family" });
  }
  if (loaded.main.columns.targetWeight) warnings.push({ code: "weighted" });
  if (!elsewhere) return warnings;
  const mismatches = calibrationFits({ evidence: loaded.evidence }, elsewhere.evidence);
  if (mismatches.length > 0) warnings.push({ code: "foreign_evaluation", mismatches });
  for (const name of ["tier", "temperature"] as const) {
    const [fitted, measured] = [loaded.evidence[name], elsewhere.evidence[name]];
    if (fitted !== measured) warnings.push({ code: "other_setting", name, fitted, measured });
  }
  return warnings;
}
