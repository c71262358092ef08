import { calibrationFits } from "../calibration/calibration-fits.js";
import { chooseCalibration } from "../calibration/choose-calibration.js";
import { fitPaper, type PaperFit } from "../calibration/fit-paper.js";
import { holdOut } from "../calibration/hold-out.js";
import { CALIBRATION_METHODS, type CalibrationMethod } from "../calibration/methods.js";
import { paperScores } from "../calibration/paper-scores.js";
import type { ScoreColumns } from "../calibration/score-columns.js";
import { selectRows } from "../calibration/select-rows.js";
import { hasTwoClassesOnly, isTwoClass, twoClassColumns } from "../calibration/two-class-columns.js";
import type { NewCalibration } from "../domain/calibration.js";
import { sameFamily } from "../domain/model-family.js";
import { EQUAL_WEIGHTS } from "../signals/weights.js";
import { VERSION } from "../version.js";
import type { LoadedScores } from "../workspace/load-scores.js";
import { type EvaluatedOn, evaluateCalibration } from "./evaluate-calibration.js";

export interface CalibrationRequest {
  method: "paper" | "auto" | CalibrationMethod;
  component: "h_w" | "h_kappa";
  seed: number;
  draws: number;
  /** Share of the rows to measure on instead of fitting; null: none. */
  holdout: number | null;
  name: string | null;
  createdAt: string;
}

/** A calibration, or why there is none. */
export type CalibrationOutcome = { refused: true; reason: string } | { refused: false; calibration: NewCalibration };

/** Fits what was asked for and measures it on rows it was not fitted on. */
export function buildCalibration(
  loaded: LoadedScores,
  elsewhere: LoadedScores | null,
  request: CalibrationRequest,
): CalibrationOutcome {
  const { component, seed } = request;
  const split = request.holdout === null ? null : holdOut(loaded.main.columns, request.holdout, seed);
  const columns = split ? selectRows(loaded.main.columns, split.fit) : loaded.main.columns;
  const held = split ? selectRows(loaded.main.columns, split.held) : null;
  const target = loaded.target.kind === "self" ? "emitted" : "target";
  const paper = {
    h_w: fitPaper(columns, { component: "h_w", target }),
    h_kappa: fitPaper(columns, { component: "h_kappa", target }),
  };
  const fit = usable(paper[component]);
  const weights = { ...fit.weights, component };
  const on: EvaluatedOn = elsewhere
    ? { kind: "other", label: elsewhere.label, columns: elsewhere.main.columns, loaded: elsewhere }
    : held
      ? { kind: "holdout", label: loaded.label, columns: held, loaded: null }
      : { kind: "fitted", label: loaded.label, columns, loaded };
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
  const choice = chooseCalibration(twoClasses ? twoClassColumns(baseline) : baseline, { seed, methods });
  if (choice.refused) return { refused: true, reason: choice.reason };
  const fittedRows = { defensible: choice.levels[0] + choice.levels[1], indefensible: choice.levels[2] };
  const { measured, model, prior_shift } = evaluateCalibration(on, weights, { choice, fittedRows, ...request });
  return {
    refused: false,
    calibration: {
      ...identity(common),
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
        features: choice.features,
        candidates: choice.candidates,
      },
      skipped: choice.skipped,
      warnings: [
        ...warningsOf(common),
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
  const { fit, on, weights, request } = common;
  const fittedRows = { defensible: fit.n_defensible, indefensible: fit.n_indefensible };
  const { measured, prior_shift } = evaluateCalibration(on, weights, { choice: null, fittedRows, ...request });
  return {
    ...identity(common),
    ...measured,
    method: "paper",
    asked: "paper",
    optimiser: fit.method,
    n: fit.n,
    model: null,
    calibrated: fit.calibrated,
    prior_shift,
    warnings: [...warningsOf(common), ...(fit.reason ? [`equal weights, because ${fit.reason}`] : []), ...fit.warnings],
  };
}

/** Rows of one class fit any weights: then, as where nothing could be fitted, equal ones stand in. */
function usable(fit: PaperFit): PaperFit {
  if (!fit.calibrated || (fit.n_defensible > 0 && fit.n_indefensible > 0)) return fit;
  const { alpha, beta, gamma } = EQUAL_WEIGHTS;
  return {
    ...fit,
    method: "equal-weights",
    calibrated: false,
    reason: `all ${fit.n} rows are of one class`,
    weights: { alpha, beta, gamma },
    loss: null,
    active_constraints: [],
    warnings: [],
  };
}

function identity({ loaded, fit, paper, request, on }: Common) {
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
    evaluated_on: { kind: on.kind, label: on.label },
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
