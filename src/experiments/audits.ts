import { type AuditTable, openAuditTable } from "../analysis/audit-table.js";
import type { TruthPlaces } from "../analysis/labels/true-verdicts.js";
import type { AuditRequest, Selection } from "../app/audit/audit-request.js";
import { type AuditsPlace, findAudits } from "../app/find-audits.js";
import type { DataFile } from "../app/report/choose-target.js";
import type { Arm } from "../audit/arms.js";
import type { Figure } from "../core/figure.js";
import type { Actions } from "../core/records/actions.js";
import type { Template } from "../core/records/audit.js";
import type { Manifest } from "../core/records/manifest.js";
import type { ArmSource } from "../core/results/compare.js";
import type { Experiment, ExperimentKind } from "../core/results/experiment.js";
import { chosenRunOf } from "../store/choose-run.js";
import type { Context } from "../store/context.js";
import { withDuckDB } from "../store/files/duckdb.js";
import type { RecordsFile, RunStore } from "../store/ports.js";

/** The warning for figures that do not come from a language model. */
export function auditorNotes(auditors: readonly (string | null)[]): string[] {
  const names = new Set(auditors.map((name) => name?.split(":")[0] ?? ""));
  const notes: string[] = [];
  if (names.has("baseline")) {
    notes.push(
      "the auditor is the embedded baseline: its figures show how the method works, not how good the policy is",
    );
  }
  if (names.has("simulated")) {
    notes.push("the auditor is simulated: its figures are those of its stated errors, not of a model");
  }
  return notes;
}

/** What an experiment wants audited. Whatever else decides an audit (auditor, tier, signal, money) is up to whoever makes the audits. */
export interface ExperimentAudits
  extends Pick<AuditRequest, "design" | "replicatesFor" | "observe" | "again" | "source"> {
  kind: ExperimentKind;
  arms: readonly Arm[];
  /** Audits of each decision under each arm. Default: 1. */
  replicates?: number;
  /** What is planned, where later audits depend on earlier ones: in words without a full stop, and the most audits it may come to. */
  plan?: { words: string; most: number };
  /** Which decisions, in the place of those that were chosen for all audits. */
  selection?: Selection;
  /** The same for the auditor, the form of the trace, the limit in USD and the file with the weights of S. */
  auditor?: string;
  template?: Template;
  maxCost?: number;
  weights?: string;
}

/**
 * Makes the audits of an experiment in one run: a run that was interrupted is continued, and one that is complete is used again. Null: there is
 * nothing to analyse, because the audits were only planned or were stopped.
 */
export type MakeAudits = (wanted: ExperimentAudits) => Promise<Manifest | null>;

/** Where the audits of an experiment come from: a run (`newest`: the newest of this experiment), a file, or they are made. */
export type AuditsFrom = { run: string } | { file: DataFile; actions?: Actions } | { make: MakeAudits };

/** The same of several runs or files. */
export type SeveralFrom =
  | { runs: readonly string[] }
  | { files: readonly DataFile[]; actions?: Actions }
  | { make: MakeAudits };

/** The audits of an experiment; null: there is nothing to analyse. Only a file needs no context. */
export async function experimentAudits(
  context: Context | null,
  from: AuditsFrom,
  wanted: ExperimentAudits,
): Promise<AuditsPlace | null> {
  if ("file" in from) return findAudits(null, from);
  const { runs } = context!;
  const manifest = "run" in from ? await chosenRunOf(runs, wanted.kind, from.run) : await from.make(wanted);
  return manifest && placeOf(runs, manifest);
}

export async function placeOf(runs: RunStore, manifest: Manifest): Promise<AuditsPlace> {
  const { run_id, actions } = manifest;
  return { source: await runs.snapshot(run_id), actions, label: `run ${run_id}`, manifest };
}

/** Opens audits with what a paired analysis reads. */
export async function withArmTable<T>(place: AuditsPlace, work: (table: AuditTable) => Promise<T>): Promise<T> {
  const also = ["thread_id", "decided_at", "ruleset_version"] as const;
  const options = { actions: place.actions, also, anyArm: true };
  return withDuckDB(async (db) => work(await openAuditTable(db, place.source, options)), { ordered: false });
}

export function armSource({ label, manifest }: AuditsPlace): ArmSource {
  return {
    name: label,
    run_id: manifest?.run_id ?? null,
    auditor: manifest?.auditor ?? null,
    temperature: manifest?.temperature ?? null,
  };
}

/** A result, and where it is kept; null: nowhere, since it is of a file or must not take the place of a better one. */
export interface Kept<T> {
  result: T;
  kept: string | null;
  /** Figures of other results, whose data are written with its own. */
  figures?: readonly Figure[];
}

/** Keeps a result, for reports. Null: there is nowhere to keep it. */
export async function keepResult<T extends Experiment>(context: Context | null, result: T): Promise<Kept<T>> {
  return { result, kept: context && (await context.experiments.keep(result)) };
}

/** Where a workspace says what is true of its decisions, and what people said of them. */
export interface ReferencePlaces extends TruthPlaces {
  /** Null: there are no labels. */
  labels: RecordsFile | null;
  /** The run that the audits are of; null: they come from a file. */
  runId: string | null;
}

export async function referencePlaces(
  { records, labels }: Context,
  { manifest }: Pick<AuditsPlace, "manifest">,
): Promise<ReferencePlaces> {
  return {
    runId: manifest?.run_id ?? null,
    truth: (await records.truth())?.path ?? null,
    decisions: await records.snapshot(),
    labels: await labels.snapshot(),
  };
}
