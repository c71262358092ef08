import { buildCalibration, type CalibrationRequest } from "../../app/calibrate/build-calibration.js";
import { findAudits, type LoadedScores, loadScores } from "../../app/calibrate/load-scores.js";
import type { NewCalibration, StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { writeFileAtomic } from "../../io/files.js";
import { calibrationFits } from "../../measures/calibration/calibration-model.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { calibrationDocument } from "../../present/document/calibration-document.js";
import { targetName } from "../../present/words/calibration-words.js";
import { identified } from "../../store/calibrations.js";
import { calibrationPath, surveyCalibrations, writeCalibration } from "../../store/files/calibration-store.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { printJson, say } from "../output.js";
import { type PageOptions, printPage } from "../page.js";
import {
  type AuditsOptions,
  auditsOf,
  isSameFile,
  labelsFile,
  refuseSameRun,
  runOrFile,
  sayStages,
  type TargetOptions,
  targetRequest,
  workspaceFor,
} from "./request.js";

interface FitOptions extends AuditsOptions, TargetOptions, PageOptions {
  method: CalibrationRequest["method"];
  component: CalibrationRequest["component"];
  fit?: "simplex" | "softmax";
  evaluateOn?: string;
  holdout?: number;
  seed: number;
  draws: number;
  name?: string;
  out?: string;
  dryRun?: boolean;
  force?: boolean;
}

export async function fitAction(options: FitOptions): Promise<void> {
  if (options.evaluateOn && options.holdout !== undefined) {
    throw new InputError(
      "two_measures",
      "--evaluate-on and --holdout: got both, expected one",
      "Leave out one of them.",
    );
  }
  if (options.fit !== undefined && options.method !== "paper") {
    throw new InputError(
      "fit_without_paper",
      `--fit ${options.fit}: belongs to --method paper`,
      "Add --method paper, or leave out --fit.",
    );
  }
  if (options.name !== undefined && options.name.trim() === "") {
    throw new InputError("no_name", "--name: is empty", "Give a name, or leave the flag out.");
  }
  const workspace = await workspaceFor(options);
  const { loaded, elsewhere } = await load(workspace, options);
  if (loaded.main.columns.n === 0) throw noVerdicts(loaded);
  const outcome = buildCalibration(loaded, elsewhere, {
    method: options.method,
    component: options.component,
    optimiser: options.fit === "softmax" ? "lbfgs-softmax" : "closed-simplex",
    seed: options.seed,
    draws: options.draws,
    holdout: options.holdout ?? null,
    name: options.name ?? null,
    createdAt: new Date().toISOString(),
    onStage: sayStages((elsewhere ?? loaded).main.columns.n, options.draws),
  });
  if (outcome.refused) throw refusal(outcome.reason, loaded);
  const { calibration, told } = keep(workspace, outcome.calibration, options);
  const taken = printJson(calibration, options);
  printPage(() => calibrationDocument(calibration), options, taken);
  for (const line of told) say(line);
}

async function load(workspace: Workspace | null, options: FitOptions) {
  const places = { workspace, labels: labelsFile(options) };
  const paper = options.method === "paper";
  const request =
    paper && options.target === undefined && !options.labels ? { kind: "self" as const } : targetRequest(options);
  const here = await auditsOf(workspace, options);
  // To know which decisions are in both.
  const ids = { ids: options.evaluateOn !== undefined };
  refuseSameRun(request, here);
  const loaded =
    (await loadScores(here, request, places, ids)) ??
    // The paper's own target needs nobody else.
    (paper && request.kind === "auto" ? await loadScores(here, { kind: "self" }, places, ids) : null);
  if (!loaded || (loaded.target.n === 0 && loaded.main.columns.n > 0)) {
    const verdicts = await loadScores(here, { kind: "self" }, places);
    if (verdicts?.main.columns.n === 0) throw noVerdicts(verdicts);
    throw noTarget(options, loaded);
  }
  if (!options.evaluateOn) return { loaded, elsewhere: null };
  const other = runOrFile(options.evaluateOn);
  const place = await findAudits(workspace, { ...other, actions: options.actions });
  if (isSameFile(place.source.path, here.source.path)) {
    throw new InputError(
      "same_rows",
      `--evaluate-on ${options.evaluateOn}: is what it is fitted on`,
      "Leave the flag out: every row is then measured by a model that was not fitted on it. Or hold some out: --holdout 0.3.",
    );
  }
  // Measured against the same kind of target, never a lesser one.
  const same = request.kind === "auto" ? { kind: loaded.target.kind } : request;
  refuseSameRun(same, place);
  const elsewhere = await loadScores(place, same, places, ids);
  if (!elsewhere || elsewhere.target.n === 0) {
    throw new InputError(
      "no_target",
      `--evaluate-on ${options.evaluateOn}: none of its verdicts has a target (${targetName(loaded.target)})`,
      "Label some of its decisions, or name another --target.",
    );
  }
  const mismatches = calibrationFits({ evidence: loaded.evidence }, elsewhere.evidence);
  if (mismatches.length > 0 && !options.force) {
    throw new InputError(
      "foreign_calibration",
      `--evaluate-on ${options.evaluateOn}: audits of another kind: ${mismatches.join("; ")}`,
      "A calibration of one auditor says nothing of another's. --force measures it all the same, and says so.",
    );
  }
  return { loaded, elsewhere };
}

interface Kept {
  calibration: NewCalibration | StoredCalibration;
  told: string[];
}

/** Writes what was found where it belongs, and says where that is. */
function keep(workspace: Workspace | null, calibration: NewCalibration, options: FitOptions): Kept {
  if (options.dryRun) return { calibration, told: ["Nothing was kept (--dry-run)."] };
  const paper = calibration.method === "paper";
  if (options.out && !paper) {
    // With an id as in a workspace: audits will carry it.
    const stored = identified(calibration);
    writeFileAtomic(options.out, `${JSON.stringify(stored, null, 2)}\n`);
    return { calibration: stored, told: [`Wrote the calibration to ${printable(options.out)}.`] };
  }
  if (paper && calibration.calibrated === false) {
    const told =
      "Nothing was kept, because nothing could be fitted. Audits without pds_weights.json use equal weights and say so.";
    return { calibration, told: [told] };
  }
  const told: string[] = [];
  const weightsPath = options.out ?? workspace?.paths.weights;
  if (paper && weightsPath) {
    writeFileAtomic(weightsPath, `${JSON.stringify(weightsFile(calibration), null, 2)}\n`);
    if (options.out) return { calibration, told: [`Wrote the weights to ${printable(weightsPath)}.`] };
    told.push(
      `Wrote ${printable(weightsPath)}. Later audits of ${printable(calibration.evidence.auditor ?? "any auditor")} compute S with these weights; audits that are there keep theirs.`,
    );
  }
  if (!workspace) {
    told.push("Nothing was kept: with --audits alone there is no workspace. --out FILE writes it to a file.");
    return { calibration, told };
  }
  const namesakes = sameName(workspace, calibration.name);
  const stored = writeCalibration(workspace, calibration);
  told.push(`Kept as ${stored.calibration_id} (${printable(calibrationPath(workspace, stored))}).`);
  if (namesakes > 0) {
    told.push(
      `${namesakes === 1 ? "Another calibration has" : `${namesakes} others have`} the name ${printable(calibration.name!, 60)}: from now on it means this one.`,
    );
  }
  if (stored.model)
    told.push(`Next: defensible calibrate apply ${stored.calibration_id} --out FILE, or defensible gate.`);
  return { calibration: stored, told };
}

function sameName(workspace: Workspace, name: string | null | undefined): number {
  return name ? surveyCalibrations(workspace).calibrations.filter((one) => one.name === name).length : 0;
}

/** The paper's six keys, and whose audits the weights belong to where that is known. */
function weightsFile({ weights, component, loss, n, evidence, optimiser }: NewCalibration) {
  const { auditor, auditor_version, prompt_version, template, signal, missing, run_id } = evidence;
  const fitted_on = { auditor, auditor_version, prompt_version, template, signal, missing: missing ?? "floor", run_id };
  return {
    ...{ alpha: weights.alpha, beta: weights.beta, gamma: weights.gamma, component, loss, n_samples: n },
    ...(auditor === null ? {} : { fitted_on }),
    optimiser,
  };
}

function noVerdicts(loaded: LoadedScores): InputError {
  const { attempted, unscored, errors } = loaded.main;
  return new InputError(
    "no_verdicts",
    `calibrate: ${loaded.label} has no verdict; ${attempted} audits, ${unscored} unscored, ${errors} errors`,
    "A calibration needs audits with a level.",
  );
}

function refusal(reason: string, { label, target }: LoadedScores): InputError {
  const remedy = /no row with a target has/.test(reason)
    ? "Audit with --signal logprobs (or sampling): without probabilities there is nothing to calibrate. A file needs a column level_probs."
    : "More labels, or another --target, would help; `--method paper` fits the weights of S to the auditor's own levels.";
  return new InputError(
    "cannot_calibrate",
    `calibrate: ${label} cannot be calibrated to ${targetName(target)}: ${reason}`,
    remedy,
  );
}

function noTarget(options: FitOptions, loaded: LoadedScores | null): InputError {
  const asked = options.target ?? "auto";
  if (loaded && asked !== "auto") {
    const given = typeof loaded.target.given === "number" ? loaded.target.given : 0;
    const { sample } = loaded.target;
    const why =
      sample?.weighted === null && sample.designs.some(({ labels }) => labels > 0)
        ? labelNotes(sample).join("; ")
        : given > 0
          ? `${given} decisions have one, but none of them is among the verdicts of ${loaded.label}`
          : "there are none";
    return new InputError(
      "no_target",
      `--target ${asked}: no verdict has ${targetName(loaded.target)}; ${why}`,
      REMEDY,
    );
  }
  return new InputError(
    "no_target",
    `--target ${asked}: nobody but the auditor has said which of these decisions are defensible`,
    REMEDY,
  );
}

const REMEDY =
  "Have people rate some: `defensible humans sample` draws cases, `defensible humans import` brings the ratings back as labels (a decision's human_label is the action a person took, not a label of defensibility). Or import labels of your own (`defensible import labels.jsonl --as labels`, or --labels FILE), name a second auditor's run (--target auditor:RUN), audit with --replicates, or fit the paper's weights to the auditor's own levels (--method paper).";
