import { type PairSide, type RunSettings, readPairedAudits } from "../../analysis/paired-audits.js";
import type { CalibrationEvidence, CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { sameFamily } from "../../core/model-family.js";
import { auditSettings } from "../../core/names.js";
import type { Compare, CompareSide } from "../../core/results/compare.js";
import { chooseCalibration } from "../../measures/calibration/choose-calibration.js";
import { type CalibrationComparison, compareCalibrations } from "../../measures/calibration/compare-calibrations.js";
import { CALIBRATION_METHODS, type CalibrationMethod } from "../../measures/calibration/fit/methods.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import { compareRuns } from "../../measures/metrics/paired/compare-runs.js";
import { createRng } from "../../stats/random/create-rng.js";
import { chosenRun, runThatAudited } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { type Duck, withDuckDB } from "../../store/files/duckdb.js";
import type { RunStore } from "../../store/ports.js";
import type { CalibrationWords } from "../calibrate/build-calibration.js";
import { refuse, refuseSameRun, withRunId } from "../calibrate/fit-calibration.js";
import { type AuditsPlace, findAudits, type NamedAudits } from "../find-audits.js";
import { type DataFile, type LoadedScores, loadScores, type TargetRequest } from "../report/choose-target.js";

/** One of the two sides: its audits and what is known about the run. */
export interface CompareInput extends PairSide {
  /** Run id or file name. */
  name: string;
  run_id: string | null;
  /** From the manifest; null for a file: settings are then read from its audits. */
  settings: (Partial<RunSettings> & Record<string, string | number | null>) | null;
}

export interface CompareInputs {
  seed: number;
  draws: number;
  sameActionOnly: boolean;
}

/** Compares two runs of a workspace, or audits files, on shared decisions. `runs` null: both are files. */
export async function compareAudits(
  runs: RunStore | null,
  [a, b]: readonly [NamedAudits, NamedAudits],
  inputs: CompareInputs,
): Promise<Compare> {
  const [inputA, inputB] = [inputOf(await findAudits(runs, a)), inputOf(await findAudits(runs, b))];
  if (inputA.run_id !== null && inputA.run_id === inputB.run_id) {
    throw new InputError(
      "same_run",
      `compare: both names mean run ${inputA.run_id}, expected two runs`,
      "`defensible runs list` shows the runs of a workspace.",
    );
  }
  const sharing = () => (runs ? runSharing(runs, [inputA, inputB]) : Promise.resolve(null));
  return withDuckDB((db) => buildCompare(db, inputA, inputB, inputs, sharing), { ordered: false });
}

/** One of these two and another run that audited some of its decisions; the first of the two is tried first. Null: no such run. */
async function runSharing(runs: RunStore, inputs: readonly CompareInput[]): Promise<readonly [string, string] | null> {
  for (const { run_id } of inputs) {
    if (run_id === null) continue;
    const ids = new Set<string>();
    for await (const batch of runs.audits(run_id)) for (const { decision_id } of batch) ids.add(decision_id);
    const other = await runThatAudited(runs, ids, [inputs[0]!.run_id, inputs[1]!.run_id]);
    if (other !== null) return [run_id, other];
  }
  return null;
}

function inputOf({ source, actions, label, manifest }: AuditsPlace): CompareInput {
  if (!manifest) return { name: label, run_id: null, settings: null, source, actions };
  const { run_id, samples = null, scrub = null, endpoint = null, hashes } = manifest;
  // Everything recorded about a run's settings that could differ.
  const settings = { ...auditSettings(manifest), samples, scrub, endpoint };
  return {
    name: run_id,
    run_id,
    settings: { ...settings, rules: hashes.rules, precedents: hashes.precedents },
    source,
    actions,
  };
}

/** Compares two runs on the decisions they share; decisions of only one of them are never compared. */
export async function buildCompare(
  db: Duck,
  a: CompareInput,
  b: CompareInput,
  { seed, draws, sameActionOnly }: CompareInputs,
  sharing: () => Promise<readonly [string, string] | null> = async () => null,
): Promise<Compare> {
  const paired = await readPairedAudits(db, a, b, { sameActionOnly });
  if (paired.shared === 0) {
    const found = await sharing();
    throw new InputError(
      "nothing_shared",
      `compare: ${a.name} and ${b.name} share no decision; got ${paired.attempted[0]} and ${paired.attempted[1]} decisions, expected some with the same id in both`,
      found
        ? `Runs ${found.join(" and ")} share some.`
        : "Audit the same decisions twice, for example by giving both runs the same cohort, or report on each run alone.",
    );
  }
  const comparison = compareRuns(paired.pairs, { rng: createRng(seed), draws });
  const compared = comparison.defensibility_index.difference.n;
  if (compared === 0) {
    throw new InputError(
      "nothing_compared",
      `compare: none of the ${paired.shared} shared decisions can be compared; ${paired.without_verdict} lack a verdict in one run${sameActionOnly ? `, ${paired.different_action} name different actions` : ""}`,
      "`defensible runs show ID` says how the audits of a run ended.",
    );
  }
  const settings = [a.settings ?? paired.settings[0], b.settings ?? paired.settings[1]] as const;
  return {
    format: 1,
    a: side(a, settings[0]),
    b: side(b, settings[1]),
    differs: differences(...settings),
    counts: {
      attempted_a: paired.attempted[0],
      attempted_b: paired.attempted[1],
      only_a: paired.only[0],
      only_b: paired.only[1],
      shared: paired.shared,
      without_verdict: paired.without_verdict,
      different_action: paired.different_action,
      different_community: paired.different_community,
      compared,
    },
    ...comparison,
    bootstrap: { seed, draws },
  };
}

type Settings = Record<string, string | number | null | undefined>;

function side({ name, run_id }: CompareInput, settings: Settings): CompareSide {
  return { name, run_id, ...settings };
}

/** Settings that differ. A setting that only one side records is not a difference. */
function differences(a: Settings, b: Settings): Compare["differs"] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .map((setting) => ({ setting, a: a[setting] ?? null, b: b[setting] ?? null }))
    .filter((row) => row.a !== row.b && row.a !== null && row.b !== null);
}

export interface CompareAuditorsRequest {
  target: TargetRequest;
  /** A label file to use instead of the workspace's labels. */
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

export interface ComparedAuditors {
  target: CalibrationTarget;
  /** How the target was found, and any caveats. */
  notes: string[];
  a: ComparedSide;
  b: ComparedSide;
  comparison: CalibrationComparison;
}

/** Compares two auditors on decisions that neither of them labelled. Each is a run, or a calibration with the run it was fitted on. */
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
  // The labels are shared: the second side must use the kind found for the first.
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
  const asked = await withRunId(stores.runs, target);
  refuseSameRun(asked, place);
  const loaded = await loadScores(place, asked, { stores, labels }, { ids: true });
  if (loaded && loaded.target.n > 0) return loaded;
  refuse({ code: "no_target_of_run", run, target: loaded?.target ?? null });
}

/** Refuses levels that each run brings itself: each side would be fitted to its own, and both measured against the first's. */
function refuseOwn(kind: TargetRequest["kind"], asked: TargetRequest["kind"]): void {
  if (kind === "self" || kind === "replicates") refuse({ code: "not_shared", asked, kind });
}

/** Scores of rows by models that did not see them, so that neither side is measured on its training rows. */
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

/** The second side's scores on the first side's rows; NaN if it has no verdict on the decision. */
function alignedScores(a: LoadedScores, b: LoadedScores, score: Float64Array): Float64Array {
  const places = new Map(b.main.ids!.map((id, place) => [id, place]));
  return Float64Array.from(a.main.ids!, (id, row) => {
    const place = places.get(id);
    // A row without a label cannot be compared.
    return place === undefined || a.main.columns.targetLevel![row] === 0 ? Number.NaN : score[place]!;
  });
}

function nameOf({ calibration, run }: Side, { evidence }: LoadedScores): string {
  return `${evidence.auditor ?? "unknown"} (${calibration?.name ?? calibration?.calibration_id ?? run})`;
}
