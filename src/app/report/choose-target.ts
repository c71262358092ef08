import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { type ArmCount, countArms, EVIDENCE_COLUMNS, readEvidence } from "../../analysis/gate/evidence.js";
import {
  loadGoldTargets,
  loadLabelTargets,
  loadReplicateTargets,
  loadVerdictTargets,
  TARGETS,
  type TargetCount,
} from "../../analysis/labels/label-sample.js";
import { readDecisionIds, readScoreColumns, SCORE_COLUMNS } from "../../analysis/score-table.js";
import type { CalibrationEvidence, CalibrationTarget, TargetKind } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import type { TemperatureRow } from "../../measures/calibration/candidate-result.js";
import { MINIMUM_OF_CLASS, MINIMUM_ROWS } from "../../measures/calibration/choose-calibration.js";
import { evaluateScore } from "../../measures/calibration/errors/evaluate-score.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { namedRun } from "../../store/choose-run.js";
import type { Stores } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { AuditSource, RecordsFile } from "../../store/ports.js";
import type { SignalWeights } from "../calibrate/evaluate-calibration.js";
import type { AuditsPlace } from "../find-audits.js";

export type DataFile = RecordsFile;

/** The labels that a calibration is measured against. The source of `auditor` is a run's id or a file, or means labels of that source. */
export type TargetRequest =
  | { kind: "auto" }
  | { kind: Exclude<TargetKind, "auditor"> }
  | { kind: "auditor"; run?: string; file?: DataFile };

export interface TargetPlaces {
  /** The stores of runs, labels and decisions; null: only the audits are available. */
  stores: Pick<Stores, "runs" | "labels" | "records"> | null;
  /** A label file to use instead of the stored labels. */
  labels: DataFile | null;
  /** The run whose verdicts are in the table; absent or null: a file. Labels drawn from this run are weighted by its verdicts. */
  runId?: string | null;
}

/** How a target was found, and its caveats. */
export type TargetNote =
  /** Labels exist, but none of them is usable. */
  | { code: "none_usable"; target: CalibrationTarget }
  | { code: "too_few"; target: CalibrationTarget; rows: number; ofClass: number }
  | { code: "chosen"; target: CalibrationTarget }
  /** How labels were drawn, in the words of `labelNotes`. */
  | { code: "drawn"; text: string }
  | { code: "contradicted"; decisions: number };

export interface ChosenTarget {
  target: CalibrationTarget;
  /** Candidates that were rejected, and why. */
  notes: TargetNote[];
}

/**
 * Loads the requested target into the table; for `auto`, the best one that enough verdicts have.
 * For `self` nothing is loaded: the levels are already in the table.
 */
export async function chooseTarget(
  table: AuditTable,
  request: TargetRequest,
  places: TargetPlaces,
): Promise<ChosenTarget | null> {
  if (request.kind !== "auto") {
    const found = await load(table, request, places);
    return found ? { target: found, notes: oddities(found) } : null;
  }
  const notes: TargetNote[] = [];
  let fallback: TargetKind | null = null;
  let unusable: CalibrationTarget | null = null;
  for (const kind of ["human", "gold", "auditor", "replicates"] as const) {
    const target = await load(table, { kind }, places);
    if (!target || target.n === 0) {
      if (target?.given) {
        unusable ??= target;
        notes.push({ code: "none_usable", target });
      }
      continue;
    }
    if (isEnough(target)) return { target, notes: [...notes, { code: "chosen", target }, ...oddities(target)] };
    fallback ??= kind;
    notes.push({ code: "too_few", target, rows: MINIMUM_ROWS, ofClass: MINIMUM_OF_CLASS });
  }
  if (!fallback) return unusable && { target: unusable, notes };
  // No target has enough rows. The best one is loaded, so that the refusal says what is missing.
  const target = await load(table, { kind: fallback }, places);
  return target ? { target, notes: oddities(target) } : null;
}

/** Caveats of the labels used. */
function oddities({ kind, contradicted, sample }: CalibrationTarget): TargetNote[] {
  const notes: TargetNote[] =
    kind === "human" && sample ? labelNotes(sample).map((text) => ({ code: "drawn", text })) : [];
  if (typeof contradicted === "number" && contradicted > 0)
    notes.push({ code: "contradicted", decisions: contradicted });
  return notes;
}

function isEnough({ n, indefensible }: { n: number; indefensible: number }): boolean {
  return n >= MINIMUM_ROWS && Math.min(indefensible, n - indefensible) >= MINIMUM_OF_CLASS;
}

async function load(
  table: AuditTable,
  request: Exclude<TargetRequest, { kind: "auto" }>,
  places: TargetPlaces,
): Promise<CalibrationTarget | null> {
  const { kind } = request;
  if (kind === "self") return { kind, source: null, n: 0, indefensible: 0 };
  if (kind === "replicates") return targetOf(kind, null, await loadReplicateTargets(table));
  if (request.kind === "auditor" && (request.run || request.file)) {
    const { source, auditor } = await verdictSource(request, places);
    const named = request.run ? `run ${request.run}` : request.file!.path;
    return { ...targetOf(kind, named, await loadVerdictTargets(table, source)), auditor };
  }
  const labels = places.labels ?? (await places.stores?.labels.snapshot()) ?? null;
  if (kind === "gold" && !places.labels && places.stores) {
    const gold = await loadGoldTargets(table, await places.stores.records.snapshot());
    if (gold.n > 0 || !labels) return targetOf(kind, null, gold);
  }
  if (!labels) return null;
  return targetOf(
    kind,
    places.labels ? labels.path : null,
    await loadLabelTargets(table, labels, { source: kind, runId: places.runId ?? null }),
  );
}

function targetOf(kind: TargetKind, source: string | null, count: TargetCount): CalibrationTarget {
  return { kind, source, ...count };
}

async function verdictSource(
  { run, file }: { run?: string; file?: DataFile },
  { stores }: TargetPlaces,
): Promise<{ source: AuditSource; auditor: string | null }> {
  if (file) return { source: { ...file, own: false }, auditor: null };
  if (!stores) {
    throw new InputError(
      "needs_workspace",
      `target auditor:${run}: a run needs a workspace; got a file of audits`,
      "Name a file of audits as the target too, or a workspace.",
    );
  }
  const { auditor, run_id } = await namedRun(stores.runs, run!);
  return { source: await stores.runs.snapshot(run_id), auditor };
}

/** P(defensible) of an arm's rows, from models that did not see their decisions; null: only S is measured. */
type ArmScores = ((arm: LoadedArm) => Float64Array) | null;

/** One row per temperature, coldest first; empty if there is only one. @see paper Table "Held-out ECE" */
export function temperatureRows(
  { main, temperatures }: LoadedScores,
  weights: SignalWeights,
  scoreArm: ArmScores,
  settings: { seed: number; draws: number },
): TemperatureRow[] {
  if (temperatures.length === 0) return [];
  const arms = [main, ...temperatures].sort((a, b) => (a.temperature ?? -1) - (b.temperature ?? -1));
  return arms.map((arm) => temperatureRow(arm, weights, scoreArm?.(arm) ?? null, settings));
}

function temperatureRow(
  { arm, temperature, attempted, columns }: LoadedArm,
  weights: SignalWeights,
  score: Float64Array | null,
  { seed, draws }: { seed: number; draws: number },
): TemperatureRow {
  const y = defensibleTargets(columns.targetLevel ?? new Uint8Array(columns.n));
  const s = paperScores(columns, weights);
  const options = { seed, draws, weights: columns.targetWeight };
  const pds = evaluateScore(s, y, options);
  const own = score ? evaluateScore(score, y, options) : null;
  let extracted = 0;
  for (const score of s) if (!Number.isNaN(score)) extracted++;
  return {
    arm,
    temperature,
    n: pds.n,
    skipped: attempted - extracted,
    extraction_rate: attempted === 0 ? null : extracted / attempted,
    ece: pds.ece.equal_frequency.value,
    ece_null_95: pds.ece.equal_frequency.null_95,
    mean_pds: pds.mean_score,
    defensible_rate: defensibleRate(s, y, columns.targetWeight),
    calibrated: own && {
      ece: own.ece.equal_frequency.value,
      ece_null_95: own.ece.equal_frequency.null_95,
      log_loss: own.log_loss.value,
    },
  };
}

/** Share of defensible targets among the rows with S, weighted by their sampling design. */
function defensibleRate(s: Float64Array, y: Uint8Array, weights: Float64Array | undefined): number | null {
  let [defensible, all] = [0, 0];
  for (let i = 0; i < y.length; i += 1) {
    if (Number.isNaN(s[i]!) || y[i]! > 1) continue;
    const w = weights ? weights[i]! : 1;
    defensible += w * y[i]!;
    all += w;
  }
  return all === 0 ? null : defensible / all;
}

/** One temperature (or the main rows): counts of all audits, and the verdicts as columns. */
export interface LoadedArm extends ArmCount {
  columns: ScoreColumns;
  /** The decision of each row, if requested, or if several arms share decisions. */
  ids?: string[];
}

export interface LoadedScores {
  label: string;
  evidence: CalibrationEvidence;
  target: CalibrationTarget;
  notes: TargetNote[];
  main: LoadedArm;
  /** Arms `t=…`: the same decisions at other temperatures. */
  temperatures: LoadedArm[];
}

/** Opens audits with all columns that a calibration needs. */
export async function withScoreTable<T>(place: AuditsPlace, work: (table: AuditTable) => Promise<T>): Promise<T> {
  // Rows keep their order: what depends on it (ties in bins) must be reproducible.
  return withDuckDB(async (db) => {
    const also = place.manifest ? SCORE_COLUMNS : [...SCORE_COLUMNS, ...EVIDENCE_COLUMNS];
    return work(await openAuditTable(db, place.source, { actions: place.actions, also }));
  });
}

/** Reads audits as columns with their target. Null: there are no such labels. */
export async function loadScores(
  place: AuditsPlace,
  request: TargetRequest,
  places: TargetPlaces,
  { ids = false }: { ids?: boolean } = {},
): Promise<LoadedScores | null> {
  return withScoreTable(place, async (table) => {
    const chosen = await chooseTarget(table, request, {
      ...places,
      runId: place.manifest?.run_id ?? places.runId ?? null,
    });
    if (!chosen) return null;
    const targets = chosen.target.kind === "self" ? undefined : TARGETS;
    const arms: LoadedArm[] = [];
    const counts = await countArms(table);
    const withIds = ids || counts.length > 1;
    for (const arm of counts) {
      const columns = await readScoreColumns(table, { arm: arm.arm, targets });
      // The paper's own circle: the target is the level from the same answer.
      if (!targets) columns.targetLevel = columns.level;
      arms.push({ ...arm, columns, ...(withIds && { ids: await readDecisionIds(table, { arm: arm.arm }) }) });
    }
    const main = arms.find(({ arm }) => arm === "")!;
    return {
      label: place.label,
      evidence: await evidenceOf(place, table),
      target: targets ? chosen.target : ownTarget(chosen.target, main.columns),
      notes: chosen.notes,
      main,
      temperatures: arms.filter(({ arm }) => arm !== ""),
    };
  });
}

export async function evidenceOf(place: AuditsPlace, table: AuditTable): Promise<CalibrationEvidence> {
  if (!place.manifest) return { run_id: null, ...(await readEvidence(table, place.label)) };
  const { run_id, auditor, auditor_version, prompt_version, template, signal, missing, tier, temperature } =
    place.manifest;
  const asked = { auditor, auditor_version, prompt_version, template, signal, ...(missing ? { missing } : {}) };
  return { run_id, ...asked, tier, temperature };
}

function ownTarget(target: CalibrationTarget, { n, level }: ScoreColumns): CalibrationTarget {
  let indefensible = 0;
  for (const one of level) if (one === 3) indefensible++;
  return { ...target, n, indefensible };
}
