import type { NewCalibration } from "../../core/calibration.js";
import { sameFamily } from "../../core/model-family.js";
import { VERSION } from "../../io/package-file.js";
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
import { type EvaluatedOn, evaluateCalibration } from "./evaluate-calibration.js";
import type { LoadedScores } from "./load-scores.js";

export interface CalibrationRequest {
  method: "paper" | "auto" | CalibrationMethod;
  component: "h_w" | "h_kappa";
  /** What finds the weights of S. Default `closed-simplex`. */
  optimiser?: PaperMethod;
  seed: number;
  draws: number;
  /** Share of the rows to measure on instead of fitting; null: none. */
  holdout: number | null;
  name: string | null;
  createdAt: string;
  /** Told what is being done, for work that takes long. */
  onStage?: (stage: CalibrationStage) => void;
}

/** What takes its time. */
export type CalibrationStage =
  | { code: "fit_weights" }
  | { code: "cross_validate"; methods: readonly CalibrationMethod[] }
  | { code: "measure"; what: "pds" | "p_defensible" | "p_calibrated" | "levels_and_temperatures" };

/** A calibration, or why there is none. */
export type CalibrationOutcome = { refused: true; reason: string } | { refused: false; calibration: NewCalibration };

/** Fits what was asked for and measures it on rows it was not fitted on. */
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
    // Rows held out are other rows of the same decisions' table: nothing is in both.
    fittedIds: split ? null : loaded.main.ids,
    loaded: elsewhere ?? (held ? null : loaded),
  };
  const common = { loaded, elsewhere, fit, paper, weights, on, request };
  if (request.method === "paper") return { refused: false, calibration: paperResult(common) };

  // S as a baseline gets the weights that suit this target best, so that beating it means something.
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
        ...warningsOf(common),
        ...overlapWarning(on, overlap, choice.folds.by),
        ...(twoClasses ? ["without level_probs only methods on 1 − p(L3) can be tried"] : []),
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
      ...warningsOf(common),
      ...(fit.calibrated ? overlapWarning(on, overlap, null) : []),
      ...(fit.reason ? [`equal weights, because ${fit.reason}`] : []),
      ...fit.warnings,
    ],
  };
}

/** The decisions that the weights of S were fitted on. */
function idsWithSignal({ on: { fittedIds }, loaded, weights }: Common): RowIds {
  const { targetLevel } = loaded.main.columns;
  const s = paperScores(loaded.main.columns, weights);
  return fittedIds?.filter((_, i) => targetLevel?.[i] && !Number.isNaN(s[i]!));
}

/** What was measured on decisions that were fitted on too must say so. `by`: what folds are of; null where no model was fitted. */
function overlapWarning(on: EvaluatedOn, overlap: number | null, by: "community" | "row" | null): string[] {
  if (!overlap) return [];
  const what = `${overlap} of the ${on.columns.n} verdicts measured are on decisions that were fitted on too`;
  if (by === null) return [`${what}: the weights of S have seen their labels`];
  return [`${what}: each of these is scored by a model fitted without ${by === "community" ? "its community" : "it"}`];
}

/** Rows of one class fit any weights: then, as where nothing could be fitted, equal ones stand in. */
function usable(fit: PaperFit): PaperFit {
  if (!fit.calibrated || (fit.n_defensible > 0 && fit.n_indefensible > 0)) return fit;
  return { ...fit, ...equalWeights(`all ${fit.n} rows are of one class`) };
}

function identity({ loaded, fit, paper, request, on }: Common, overlap: number | null) {
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
    notes: loaded.notes,
    holdout: request.holdout,
    evaluated_on: { kind: on.kind, label: on.label, ...(on.kind === "other" && { overlap }) },
    paper,
  };
}

/** What must be known before the numbers are believed. */
function warningsOf({ loaded, elsewhere }: Pick<Common, "loaded" | "elsewhere">): string[] {
  const warnings: string[] = [];
  if (loaded.target.kind === "self") {
    warnings.push(
      "the target is the level that the same answer gave, as in the paper: this measures the auditor's agreement with itself, not whether it is right",
    );
  }
  if (sameFamily(loaded.target.auditor ?? null, loaded.evidence.auditor ?? "")) {
    warnings.push("the target is of an auditor of the same family: where both err alike, nothing shows it");
  }
  if (loaded.main.columns.targetWeight) {
    warnings.push("labels are weighted as they were drawn");
  }
  if (!elsewhere) return warnings;
  const mismatches = calibrationFits({ evidence: loaded.evidence }, elsewhere.evidence);
  if (mismatches.length > 0) {
    warnings.push(`measured on audits of another kind (foreign_calibration): ${mismatches.join("; ")}`);
  }
  for (const [name, field] of [
    ["tier", "tier"],
    ["temperature", "temperature"],
  ] as const) {
    const [here, there] = [loaded.evidence[field], elsewhere.evidence[field]];
    if (here !== there)
      warnings.push(`another ${name}: fitted at ${here ?? "unknown"}, measured at ${there ?? "unknown"}`);
  }
  return warnings;
}
