import type { AuditTable } from "../../analysis/audit-table.js";
import { loadLabelTargets } from "../../analysis/labels/label-sample.js";
import {
  loadGoldTargets,
  loadReplicateTargets,
  loadVerdictTargets,
  type TargetCount,
} from "../../analysis/labels/targets.js";
import type { CalibrationTarget, TargetKind } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { MINIMUM_OF_CLASS, MINIMUM_ROWS } from "../../measures/calibration/choose-calibration.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { namedRun } from "../../store/choose-run.js";
import type { Stores } from "../../store/context.js";
import type { AuditSource, RecordsFile } from "../../store/ports.js";

/** A file with its format, or records in memory. */
export type DataFile = RecordsFile;

/** What a calibration is asked to be measured against. `auditor` has a run's id or a file as its source, or means labels of that source. */
export type TargetRequest =
  | { kind: "auto" }
  | { kind: Exclude<TargetKind, "auditor"> }
  | { kind: "auditor"; run?: string; file?: DataFile };

export interface TargetPlaces {
  /** Where runs, labels and decisions are kept; null: there are the audits alone. */
  stores: Pick<Stores, "runs" | "labels" | "records"> | null;
  /** A file of labels instead of those that are kept. */
  labels: DataFile | null;
  /** The run whose verdicts are in the table; absent or null: a file's. Labels drawn from it are weighted by its verdicts. */
  runId?: string | null;
}

/** How a target was found, and what is odd about it. */
export type TargetNote =
  /** There are labels, none of which can be used. */
  | { code: "none_usable"; target: CalibrationTarget }
  | { code: "too_few"; target: CalibrationTarget; rows: number; ofClass: number }
  | { code: "chosen"; target: CalibrationTarget }
  /** How labels were drawn, in the words of `labelNotes`. */
  | { code: "drawn"; text: string }
  | { code: "contradicted"; decisions: number };

export interface ChosenTarget {
  target: CalibrationTarget;
  /** What was passed over on the way, and why. */
  notes: TargetNote[];
}

/**
 * Loads the target that was asked for into the table; with `auto` the one of most worth that enough verdicts have.
 * With `self` nothing is loaded: the levels are in the table.
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
  // Nothing is enough: the best there is, so that the refusal says what is missing.
  const target = await load(table, { kind: fallback }, places);
  return target ? { target, notes: oddities(target) } : null;
}

/** What must be known of labels that are used. */
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
