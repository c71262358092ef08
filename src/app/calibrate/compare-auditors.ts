import type { CalibrationEvidence, CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { sameFamily } from "../../core/model-family.js";
import { chooseCalibration } from "../../measures/calibration/choose-calibration.js";
import { type CalibrationComparison, compareCalibrations } from "../../measures/calibration/compare-calibrations.js";
import { CALIBRATION_METHODS, type CalibrationMethod } from "../../measures/calibration/fit/methods.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import { chosenRun } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { findAudits } from "../find-audits.js";
import type { DataFile, TargetRequest } from "../report/choose-target.js";
import type { CalibrationWords } from "./build-calibration.js";
import { refuse, refuseSameRun } from "./fit-calibration.js";
import { type LoadedScores, loadScores } from "./load-scores.js";

export interface CompareAuditorsRequest {
  target: TargetRequest;
  /** A file of labels instead of the workspace's. */
  labels: DataFile | null;
  seed: number;
  draws: number;
  words: CalibrationWords;
}

interface ComparedSide {
  run_id: string;
  evidence: CalibrationEvidence;
  method: string;
}

/** Two auditors calibrated to the same labels. */
export interface ComparedAuditors {
  target: CalibrationTarget;
  /** How the target was found, and what is odd about it. */
  notes: string[];
  a: ComparedSide;
  b: ComparedSide;
  comparison: CalibrationComparison;
}

/** Compares two auditors on decisions that neither of them labelled. Each is a run, or a calibration and the run it was fitted on. */
export async function compareAuditors(
  context: Context,
  [a, b]: readonly [string, string],
  request: CompareAuditorsRequest,
): Promise<ComparedAuditors> {
  const { target, seed, draws } = request;
  const [sideA, sideB] = [await findSide(context, a), await findSide(context, b)];
  if (sideA.run === sideB.run && sideA.calibration?.calibration_id === sideB.calibration?.calibration_id) {
    refuse({ code: "same_twice", run: sideA.run });
  }
  refuseOwn(target.kind, target.kind);
  const loadedA = await loadSide(context, sideA, target, request.labels);
  refuseOwn(loadedA.target.kind, target.kind);
  // Shared labels: the second is held against the kind the first found.
  const same = target.kind === "auto" ? { kind: loadedA.target.kind } : target;
  const loadedB = await loadSide(context, sideB, same, request.labels);
  const scoresA = scoresOf(sideA, loadedA, seed);
  const scoresB = scoresOf(sideB, loadedB, seed);
  const comparison = compareCalibrations(
    { name: nameOf(sideA, loadedA), score: scoresA.score },
    { name: nameOf(sideB, loadedB), score: alignedScores(loadedA, loadedB, scoresB.score) },
    { y: defensibleTargets(loadedA.main.columns.targetLevel!), community: loadedA.main.columns.community },
    { seed, draws, sameBackbone: sameFamily(loadedA.evidence.auditor, loadedB.evidence.auditor ?? "") },
  );
  return {
    target: loadedA.target,
    notes: [...new Set([...loadedA.notes, ...loadedB.notes].map((note) => request.words.note(note)))],
    a: { run_id: sideA.run, evidence: loadedA.evidence, method: scoresA.method },
    b: { run_id: sideB.run, evidence: loadedB.evidence, method: scoresB.method },
    comparison,
  };
}

interface Side {
  run: string;
  calibration: StoredCalibration | null;
}

async function findSide({ runs, calibrations }: Context, name: string): Promise<Side> {
  const known = await runs.list();
  if (known.some((manifest) => manifest.run_id === name)) return { run: name, calibration: null };
  const calibration = await calibrations.read(name).catch((cause: unknown) => {
    if (!(cause instanceof InputError)) throw cause;
    return null;
  });
  if (!calibration) return { run: (await chosenRun(runs, name)).run_id, calibration: null };
  const run = calibration.evidence.run_id ?? null;
  if (run && known.some((manifest) => manifest.run_id === run)) return { run, calibration };
  refuse({ code: "no_run", calibration_id: calibration.calibration_id, run });
}

async function loadSide(
  stores: Context,
  { run }: Side,
  target: TargetRequest,
  labels: DataFile | null,
): Promise<LoadedScores> {
  const place = await findAudits(stores.runs, { run });
  refuseSameRun(target, place);
  const loaded = await loadScores(place, target, { stores, labels }, { ids: true });
  if (loaded && loaded.target.n > 0) return loaded;
  refuse({ code: "no_target_of_run", run, target: loaded?.target ?? null });
}

/** Levels that each run brings with it are no shared labels: each side would be fitted to its own, and both held against the first's. */
function refuseOwn(kind: TargetRequest["kind"], asked: TargetRequest["kind"]): void {
  if (kind === "self" || kind === "replicates") refuse({ code: "not_shared", asked, kind });
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
  refuse({ code: "cannot_calibrate", label, target: null, reason: choice.reason });
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
