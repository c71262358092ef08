import { findAudits, type LoadedScores, loadScores } from "../../app/calibrate/load-scores.js";
import type { TargetRequest } from "../../app/report/choose-target.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { sameFamily } from "../../core/model-family.js";
import { chooseCalibration } from "../../measures/calibration/choose-calibration.js";
import { compareCalibrations } from "../../measures/calibration/compare-calibrations.js";
import { CALIBRATION_METHODS, type CalibrationMethod } from "../../measures/calibration/fit/methods.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import { type ComparedAuditors, comparisonDocument } from "../../present/document/comparison-document.js";
import { targetName } from "../../present/words/calibration-words.js";
import { readCalibration } from "../../store/files/calibration-store.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { type CommonOptions, workspaceOf } from "../options.js";
import { printJson } from "../output.js";
import { type PageOptions, printPage } from "../page.js";
import { labelsFile, refuseSameRun, type TargetOptions, targetRequest } from "./request.js";

interface CompareOptions extends CommonOptions, TargetOptions, PageOptions {
  seed: number;
  draws: number;
}

export async function compareAction(a: string, b: string, options: CompareOptions): Promise<void> {
  const workspace = await workspaceOf(options);
  const places = { workspace, labels: labelsFile(options) };
  const [sideA, sideB] = [await findSide(workspace, a), await findSide(workspace, b)];
  if (sideA.run === sideB.run && sideA.calibration?.calibration_id === sideB.calibration?.calibration_id) {
    throw new InputError("same_twice", `calibrate compare: both are ${sideA.run}`, "Name two different ones.");
  }
  const request = targetRequest(options);
  refuseOwn(request.kind, request.kind);
  const loadedA = await loadSide(workspace, sideA, request, places);
  refuseOwn(loadedA.target.kind, request.kind);
  // Shared labels: the second is held against the kind the first found.
  const same = request.kind === "auto" ? { kind: loadedA.target.kind } : request;
  const loadedB = await loadSide(workspace, sideB, same, places);
  const scoresA = scoresOf(sideA, loadedA, options.seed);
  const scoresB = scoresOf(sideB, loadedB, options.seed);
  const score = alignedScores(loadedA, loadedB, scoresB.score);
  const comparison = compareCalibrations(
    { name: nameOf(sideA, loadedA), score: scoresA.score },
    { name: nameOf(sideB, loadedB), score },
    { y: defensibleTargets(loadedA.main.columns.targetLevel!), community: loadedA.main.columns.community },
    {
      seed: options.seed,
      draws: options.draws,
      sameBackbone: sameFamily(loadedA.evidence.auditor, loadedB.evidence.auditor ?? ""),
    },
  );
  const result: ComparedAuditors = {
    target: loadedA.target,
    notes: [...new Set([...loadedA.notes, ...loadedB.notes])],
    a: { run_id: sideA.run, evidence: loadedA.evidence, method: scoresA.method },
    b: { run_id: sideB.run, evidence: loadedB.evidence, method: scoresB.method },
    comparison,
  };
  const taken = printJson(result, options);
  printPage(() => comparisonDocument(result), options, taken);
}

interface Side {
  run: string;
  calibration: StoredCalibration | null;
}

/** A run, or a calibration and the run it was fitted on. */
async function findSide(workspace: Workspace, name: string): Promise<Side> {
  const ledger = fileStores(workspace).runs;
  const runs = await ledger.list();
  if (runs.some((manifest) => manifest.run_id === name)) return { run: name, calibration: null };
  const calibration = readCalibration(workspace, name);
  const run = calibration.evidence.run_id;
  if (run && runs.some((manifest) => manifest.run_id === run)) return { run, calibration };
  throw new InputError(
    "no_run",
    `calibration ${calibration.calibration_id}: ${run ? `its run ${run} is gone` : "it was fitted on a file, not on a run"}`,
    "Name a run of the workspace.",
  );
}

async function loadSide(
  workspace: Workspace,
  { run }: Side,
  request: TargetRequest,
  places: Parameters<typeof loadScores>[2],
): Promise<LoadedScores> {
  const place = await findAudits(workspace, { run });
  refuseSameRun(request, place);
  const loaded = await loadScores(place, request, places, { ids: true });
  if (loaded && loaded.target.n > 0) return loaded;
  throw new InputError(
    "no_target",
    `run ${run}: no verdict has ${loaded ? targetName(loaded.target) : "a label of defensibility"}`,
    "Two auditors are compared on decisions that somebody else has labelled: see --target and --labels.",
  );
}

/** Levels that each run brings with it are no shared labels: each side would be fitted to its own, and both held against the first's. */
function refuseOwn(kind: TargetRequest["kind"], asked: TargetRequest["kind"]): void {
  if (kind !== "self" && kind !== "replicates") return;
  const found = asked === kind ? "" : "found only ";
  throw new InputError(
    "not_shared",
    `--target ${asked}: ${found}${targetName({ kind })}, which each run has of its own; two auditors are compared on labels that neither made`,
    "Use --target human, gold, or auditor:RUN with a third run; --labels FILE names labels.",
  );
}

/** Scores of rows by models that did not see them, so that neither side is measured on what it learnt. */
function scoresOf({ calibration }: Side, { label, main }: LoadedScores, seed: number) {
  if (calibration?.method === "paper") {
    const { weights, component } = calibration;
    return { score: paperScores(main.columns, { ...weights, component }), method: "paper" };
  }
  const fixed = CALIBRATION_METHODS.filter((method) => method === calibration?.method);
  const methods: readonly CalibrationMethod[] = fixed.length > 0 ? fixed : CALIBRATION_METHODS;
  const choice = chooseCalibration(main.columns, { seed, methods });
  if (!choice.refused) return { score: choice.outOfFold, method: choice.chosen };
  throw new InputError(
    "cannot_calibrate",
    `${label} cannot be calibrated: ${choice.reason}`,
    "More labels would help.",
  );
}

/** The second side's scores on the first one's rows; NaN where it has no verdict on the decision. */
function alignedScores(a: LoadedScores, b: LoadedScores, score: Float64Array): Float64Array {
  const places = new Map(b.main.ids!.map((id, place) => [id, place]));
  return Float64Array.from(a.main.ids!, (id, row) => {
    const place = places.get(id);
    // Without a label there is nothing to compare on.
    return place === undefined || a.main.columns.targetLevel![row] === 0 ? Number.NaN : score[place]!;
  });
}

function nameOf({ calibration, run }: Side, { evidence }: LoadedScores): string {
  return `${evidence.auditor ?? "unknown"} (${calibration?.name ?? calibration?.calibration_id ?? run})`;
}
