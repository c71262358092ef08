import { type ApplyCounts, applyToAudits, applyToFile } from "../../analysis/apply-calibration.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import type { ExportFormat } from "../../analysis/export.js";
import { readScoreColumns } from "../../analysis/score-table.js";
import type { CalibrationTarget, NewCalibration, StoredCalibration } from "../../core/calibration.js";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import { isSameFile } from "../../io/files.js";
import { type CalibrationModel, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { deployedPrior, withPrior } from "../../measures/calibration/compile-calibration.js";
import { identified } from "../../store/calibrations.js";
import { namedRun } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import type { RunStore } from "../../store/ports.js";
import { type AuditsPlace, findAudits, type NamedAudits } from "../find-audits.js";
import { Refusal } from "../notices.js";
import {
  type DataFile,
  evidenceOf,
  type LoadedScores,
  loadScores,
  type TargetRequest,
  withScoreTable,
} from "../report/choose-target.js";
import { buildCalibration, type CalibrationRequest, type CalibrationStage } from "./build-calibration.js";

export interface FitRequest extends Omit<CalibrationRequest, "onStage"> {
  audits: NamedAudits;
  /** Null: the method's default: the auditor's own verdicts for the weights of S, the best available labels for a probability. */
  target: TargetRequest | null;
  /** A label file to use instead of the workspace's labels. */
  labels: DataFile | null;
  /** Audits to measure on; null: those it is fitted on, scored by models that did not see the row. */
  evaluateOn: NamedAudits | null;
  /** Measure even on audits of another kind. */
  force: boolean;
  /** Called at the start of each slow stage, with the number of rows. */
  onStage?: (stage: CalibrationStage, rows: number) => void;
}

/** Why no calibration was made, compared or applied. */
export type CalibrateRefusal =
  | { code: "no_verdicts"; label: string; attempted: number; unscored: number; errors: number }
  | { code: "cannot_calibrate"; label: string; target: CalibrationTarget | null; reason: string }
  /** `found`: labels of that kind exist, but none belongs to a verdict. */
  | { code: "no_target"; asked: TargetRequest; found: { target: CalibrationTarget; label: string } | null }
  | { code: "no_target_elsewhere"; evaluateOn: NamedAudits; target: CalibrationTarget }
  | { code: "no_target_of_run"; run: string; target: CalibrationTarget | null }
  | { code: "same_rows"; evaluateOn: NamedAudits }
  | { code: "same_run"; asked: TargetRequest; label: string }
  | { code: "same_twice"; run: string }
  | { code: "not_shared"; asked: TargetRequest["kind"]; kind: CalibrationTarget["kind"] }
  | { code: "no_run"; calibration_id: string; run: string | null }
  | { code: "foreign_evaluation"; evaluateOn: NamedAudits; mismatches: string[] }
  | { code: "foreign_calibration"; calibration_id: string; label: string; mismatches: string[] }
  | { code: "no_model"; calibration_id: string; method: string }
  | { code: "no_prior" | "no_signal" };

export function refuse(why: CalibrateRefusal): never {
  throw new Refusal(why);
}

/** Fits a calibration to labels of audits and measures it. Nothing is stored. Without a context, all audits and labels are files. */
export async function fitCalibration(
  context: Context | null,
  { audits, target, labels, evaluateOn, force, onStage, ...request }: FitRequest,
): Promise<NewCalibration> {
  const paper = request.method === "paper";
  const runs = context?.runs ?? null;
  const asked = await withRunId(runs, target ?? { kind: paper && !labels ? "self" : "auto" });
  const places = { stores: context, labels };
  const here = await findAudits(runs, audits);
  refuseSameRun(asked, here);
  // Ids are needed to find the decisions in both sets.
  const ids = { ids: evaluateOn !== null };
  const found = await loadScores(here, asked, places, ids);
  const without = !found || (found.target.n === 0 && found.main.columns.n > 0);
  // The paper's own target needs no labels.
  const self = without && paper && asked.kind === "auto";
  const loaded = self ? await loadScores(here, { kind: "self" }, places, ids) : found;
  if (!loaded || (loaded.target.n === 0 && loaded.main.columns.n > 0)) {
    refuseNoVerdicts(await loadScores(here, { kind: "self" }, places));
    refuse({ code: "no_target", asked, found: loaded && { target: loaded.target, label: loaded.label } });
  }
  const elsewhere = evaluateOn && (await loadElsewhere());
  refuseNoVerdicts(loaded);
  const rows = (elsewhere ?? loaded).main.columns.n;
  const outcome = buildCalibration(loaded, elsewhere, {
    ...request,
    onStage: (stage) => onStage?.(stage, rows),
  });
  if (!outcome.refused) return outcome.calibration;
  refuse({ code: "cannot_calibrate", label: loaded.label, target: loaded.target, reason: outcome.reason });

  async function loadElsewhere(): Promise<LoadedScores> {
    const { target: own, evidence } = loaded!;
    const place = await findAudits(runs, { ...evaluateOn!, actions: audits.actions });
    if (isSameFile(place.source.path, here.source.path)) refuse({ code: "same_rows", evaluateOn: evaluateOn! });
    // Measured against the same kind of target, never a weaker one.
    const same = asked.kind === "auto" ? { kind: own.kind } : asked;
    refuseSameRun(same, place);
    const scores = await loadScores(place, same, places, ids);
    if (!scores || scores.target.n === 0) {
      refuse({ code: "no_target_elsewhere", evaluateOn: evaluateOn!, target: own });
    }
    const mismatches = calibrationFits({ evidence }, scores.evidence);
    if (mismatches.length > 0 && !force) {
      refuse({ code: "foreign_evaluation", evaluateOn: evaluateOn!, mismatches });
    }
    return scores;
  }
}

function refuseNoVerdicts(loaded: LoadedScores | null): void {
  if (!loaded || loaded.main.columns.n > 0) return;
  const { attempted, unscored, errors } = loaded.main;
  refuse({ code: "no_verdicts", label: loaded.label, attempted, unscored, errors });
}

/** Replaces a second auditor's run by its id: `newest` would mean another run tomorrow. */
export async function withRunId(runs: RunStore | null, asked: TargetRequest): Promise<TargetRequest> {
  if (asked.kind !== "auditor" || !asked.run || !runs) return asked;
  return { ...asked, run: (await namedRun(runs, asked.run)).run_id };
}

/** A run cannot be its own second auditor. */
export function refuseSameRun(asked: TargetRequest, place: AuditsPlace): void {
  if (asked.kind !== "auditor") return;
  const { run, file } = asked;
  const same = run ? run === place.manifest?.run_id : file && isSameFile(file.path, place.source.path);
  if (same) refuse({ code: "same_run", asked, label: place.label });
}

/** Where a calibration was stored, or why it was not. */
export type Kept =
  | { code: "dry_run" | "nothing_fitted" | "no_workspace" }
  | { code: "written"; what: "calibration" | "weights"; place: string }
  /** Weights that later audits of this auditor will use. */
  | { code: "weights_in_use"; place: string; auditor: string | null }
  /** `namesakes`: number of earlier calibrations with the same name. */
  | { code: "stored"; calibration: StoredCalibration; place: string; namesakes: number };

/**
 * Stores a calibration: weights of S as the workspace's weights, and every calibration under its id. `write` stores it elsewhere instead and
 * returns the place.
 */
export async function keepCalibration(
  context: Context | null,
  calibration: NewCalibration,
  { dryRun, write }: { dryRun: boolean; write: ((content: object) => string) | null },
): Promise<{ calibration: NewCalibration | StoredCalibration; kept: Kept[] }> {
  if (dryRun) return { calibration, kept: [{ code: "dry_run" }] };
  const paper = calibration.method === "paper";
  if (write && !paper) {
    // Given an id as in a workspace, because audits will refer to it.
    const stored = identified(calibration);
    return { calibration: stored, kept: [{ code: "written", what: "calibration", place: write(stored) }] };
  }
  if (paper && calibration.calibrated === false) return { calibration, kept: [{ code: "nothing_fitted" }] };
  if (paper && write) {
    return { calibration, kept: [{ code: "written", what: "weights", place: write(weightsOf(calibration)) }] };
  }
  if (!context) return { calibration, kept: [{ code: "no_workspace" }] };
  const kept: Kept[] = [];
  const { calibrations } = context;
  if (paper) {
    const place = await calibrations.keepWeights(weightsOf(calibration));
    kept.push({ code: "weights_in_use", place, auditor: calibration.evidence.auditor });
  }
  const { name } = calibration;
  const known = name ? (await calibrations.survey()).calibrations : [];
  const stored = await calibrations.keep(calibration);
  kept.push({
    code: "stored",
    calibration: stored,
    place: calibrations.placeOf(stored),
    namesakes: known.filter((one) => one.name === name).length,
  });
  return { calibration: stored, kept };
}

/** The paper's six keys, and which audits the weights were fitted on, if known. */
function weightsOf({ weights, component, loss, n, evidence, optimiser }: NewCalibration) {
  const { auditor, auditor_version, prompt_version, template, signal, missing, run_id } = evidence;
  const fitted_on = { auditor, auditor_version, prompt_version, template, signal, missing: missing ?? "floor", run_id };
  return {
    ...{ alpha: weights.alpha, beta: weights.beta, gamma: weights.gamma, component, loss, n_samples: n },
    ...(auditor === null ? {} : { fitted_on }),
    optimiser,
  };
}

export interface ApplyRequest {
  calibration: StoredCalibration;
  audits: NamedAudits;
  /** Where to write the audits with their probability. */
  out: { path: string; format: ExportFormat };
  /** Correct for another mix of levels, estimated from these audits. */
  shiftPrior: boolean;
  /** Apply it even to audits of another kind; they are flagged. */
  force: boolean;
}

export interface Applied extends ApplyCounts {
  /** "run X" or a file name. */
  label: string;
  /** How these audits differ from those the calibration was fitted on. */
  mismatches: string[];
  /** Shares of the levels where it was fitted and in these audits; null: not corrected. */
  prior: { fitted: number[]; deployed: number[] } | null;
}

/** Writes audits with their calibrated probability: the named audits, else those of the run that it was fitted on. */
export async function applyCalibration(context: Context | null, request: ApplyRequest): Promise<Applied> {
  const { calibration, out } = request;
  const { calibration_id } = calibration;
  const model = modelOf(calibration);
  const { run = calibration.evidence?.run_id ?? undefined, ...named } = request.audits;
  const audits = named.file === undefined ? { ...named, run } : request.audits;
  const place = await findAudits(context?.runs ?? null, audits);
  return withScoreTable(place, async (table) => {
    const mismatches = calibrationFits(calibration, await evidenceOf(place, table));
    const foreign = mismatches.length > 0;
    if (foreign && !request.force) {
      refuse({ code: "foreign_calibration", calibration_id, label: place.label, mismatches });
    }
    const shifted = request.shiftPrior ? await shift(table, model, calibration) : null;
    const applied = { calibration_id, model: shifted?.model ?? model, foreign };
    const counts =
      place.manifest && context
        ? await applyToAudits(
            context.runs.audits(place.manifest.run_id),
            applied,
            place.actions ?? MODERATION_ACTIONS,
            out,
          )
        : await applyToFile(table, place.source, applied, out);
    return { label: place.label, ...counts, mismatches, prior: shifted?.prior ?? null };
  });
}

function modelOf({ model, calibration_id, method }: StoredCalibration): CalibrationModel {
  if (model) return model as CalibrationModel;
  refuse({ code: "no_model", calibration_id, method });
}

type Shift = { model: CalibrationModel; prior: { fitted: number[]; deployed: number[] } };

/** The model, corrected for the mix of levels in these audits. */
async function shift(table: AuditTable, model: CalibrationModel, calibration: StoredCalibration): Promise<Shift> {
  const fitted = calibration.fitted_prior;
  if (model.kind === "pds" || !fitted || fitted.length !== 3) refuse({ code: "no_prior" });
  const estimated = deployedPrior(model, await readScoreColumns(table), fitted);
  if (!estimated) refuse({ code: "no_signal" });
  const [first, second, third] = fitted as [number, number, number];
  const shares = estimated.prior.length === 2 ? [first + second, third] : fitted;
  const prior = { fitted: shares, deployed: estimated.prior };
  return { model: withPrior(model, prior), prior };
}
