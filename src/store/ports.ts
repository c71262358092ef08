import type { NewCalibration, StoredCalibration } from "../core/calibration.js";
import type { Audit, Usage } from "../core/records/audit.js";
import type { Decision, Precedent } from "../core/records/decision.js";
import type { Label } from "../core/records/label.js";
import type { Cohort, Manifest, RunCounts } from "../core/records/manifest.js";
import type { RuleSet } from "../core/records/rule-set.js";
import type { ReviewOutcome } from "../core/records/truth.js";
import type { Experiment, ExperimentKind } from "../core/results/experiment.js";
import type { ExperimentResults } from "../core/results/experiment-results.js";
import type { Closure, GateInForce } from "./records/active-gate.js";
import type { GateEvent } from "./records/gate-event.js";
import type { GateStanding } from "./records/suspensions.js";
import type { StoredWatch } from "./records/watch-record.js";

/** Where runs and their audits live. One contract (`contracts/run-store.suite.ts`) holds for every implementation. */
export interface RunStore {
  /** Manifests of all sound runs, newest first. */
  list(): Promise<Manifest[]>;
  /** Runs whose manifest is lost or cannot be read. They can be deleted. */
  damaged(): Promise<string[]>;
  manifest(runId: string): Promise<Manifest>;
  /** Starts a run. Fails if the id is taken. */
  create(manifest: Manifest): Promise<RunWriter>;
  /** Continues a run that is not sealed. Fails with BusyError while another process writes it. */
  open(runId: string): Promise<RunWriter>;
  /** Runs something while no other process does the same: for finding a run and starting it. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Every audit of a run, one per key, a batch at a time. A live run may be read while it is written. */
  audits(runId: string): AsyncIterable<Audit[]>;
  /** The audits of a run for the analysis (`openAuditTable`). That of a sealed run is columnar and never changes. */
  snapshot(runId: string): Promise<AuditSource>;
  /** Gives a run the raw answers that were kept with another, unless it has some. */
  copyRaw(from: string, to: string): Promise<void>;
  /** Finishes what a killed sealing left undone. */
  tidy(runId: string): Promise<void>;
  delete(runId: string): Promise<void>;
}

export type Outcome = Audit["outcome"];

/** Writes one run, from `create` or `open` to `close`; no one else does meanwhile. */
export interface RunWriter {
  readonly manifest: Manifest;
  /** Outcome recorded for a key, or undefined. Keys as made by `auditKey`. */
  outcome(key: string): Outcome | undefined;
  /** Without the flip control. */
  counts(): Omit<RunCounts, "planned">;
  /** Of the flip control; null: the run has none. */
  flipCounts(): RunCounts | null;
  /** What the run's audits have cost so far; what is not known counts as 0. */
  usage(): Readonly<Record<keyof Usage, number>>;
  /** Adds to the manifest; what identifies the run cannot be changed. */
  annotate(notes: Record<string, unknown>): Promise<void>;
  /** Corrects how many audits the run will have: an experiment may learn that only on its way. */
  replan(planned: number): Promise<void>;
  /** Returns when the audits are written. A later audit of a key replaces an earlier one. */
  append(audits: readonly Audit[]): Promise<void>;
  /** Turns the run into its final form; nothing can be appended after it. */
  seal(sealedAt: string): Promise<void>;
  /** Makes everything durable and lets go of the run. */
  close(): Promise<void>;
}

/** A file of audits: a snapshot of a run, or a file of another tool in the format. */
export interface AuditSource {
  path: string;
  format: "jsonl" | "csv" | "parquet";
  /** True for a run of ours, where a later row of a key replaces an earlier one; elsewhere a repeated key is an error. */
  own: boolean;
  /** Parquet files of older runs, newest first: of each key the newest row counts. */
  older?: readonly string[];
  /** Only decisions of this time, in milliseconds since 1970; rows without a readable `decided_at` are left out. */
  decided?: { from: number; to: number };
}

/** How many of the records that were given are new, known already, or known with another content, which is kept. */
export type Added = Record<"accepted" | "duplicate" | "conflict", number>;

/** A rule set, and the name under which it is kept. */
export interface RuleFile {
  /** Relative to the workspace. */
  file: string;
  set: RuleSet;
}

/** What audits are made of. Reading fails with an InputError where a record cannot be understood. */
export interface RecordStore {
  /** A batch at a time, like precedents. */
  decisions(): AsyncIterable<Decision[]>;
  precedents(): AsyncIterable<Precedent[]>;
  rules(): Promise<RuleFile[]>;
  addDecisions(decisions: readonly Decision[]): Promise<Added>;
  addPrecedents(precedents: readonly Precedent[]): Promise<Added>;
}

export interface LabelStore {
  labels(): AsyncIterable<Label[]>;
  add(labels: readonly Label[]): Promise<Added>;
  /** Removes labels that are there with exactly this content. Returns how many. */
  remove(labels: readonly Label[]): Promise<number>;
}

export interface CohortStore {
  /** By name. */
  list(): Promise<Cohort[]>;
  /** null: there is none of that name. */
  find(name: string): Promise<Cohort | null>;
  /** Fails if there is none of that name. */
  read(name: string): Promise<Cohort>;
  keep(cohort: Cohort): Promise<void>;
  /** Fails if there is none of that name. */
  delete(name: string): Promise<void>;
}

/** A calibration that is there and cannot be understood. */
export interface DamagedCalibration {
  calibration_id: string;
  damaged: string;
}

export interface CalibrationStore {
  /** Newest first. One that cannot be understood is an error: the one before it must not quietly take its place. */
  list(): Promise<StoredCalibration[]>;
  /** The same for looking at: one that cannot be understood hides none of the others. */
  survey(): Promise<{ calibrations: StoredCalibration[]; damaged: DamagedCalibration[] }>;
  /** By its id, the unmistakable beginning of one, or the name it was given (then the newest of that name). */
  read(idOrName: string): Promise<StoredCalibration>;
  /** Keeps a calibration under a new id and returns it with that id. */
  keep(calibration: NewCalibration): Promise<StoredCalibration>;
  /** Where one is kept, for a person to read. */
  placeOf(calibration: StoredCalibration): string;
  /** The weights of S that audits use, as they were written; null: there are none. */
  weights(): Promise<{ text: string; place: string } | null>;
  /** Keeps the weights of S that later audits use, and returns where they are, for a person to read. */
  keepWeights(weights: object): Promise<string>;
}

/** The gate that routing follows, and everything that happened to it. What is there and cannot be understood is an error: nothing is automated then. */
export interface GateStore {
  /** Runs something while no other process changes the gate. Reading needs no lock. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** The active gate with all suspensions that hold; null: there is none. */
  active(): Promise<GateInForce | null>;
  activate(gate: GateInForce): Promise<void>;
  /** Who is suspended, whatever the gate; null: no gate was ever active. */
  standing(): Promise<GateStanding | null>;
  keepStanding(standing: GateStanding): Promise<void>;
  /** The kill switch: null while gates may be open. */
  closure(): Promise<Closure | null>;
  /** Closes every gate. Returns what could not be done besides; null: all was. */
  close(closure: Closure): Promise<string | null>;
  open(at: string): Promise<void>;
  /** How far the watch has come. */
  watch(): Promise<StoredWatch | null>;
  keepWatch(watch: StoredWatch): Promise<void>;
  /** Oldest first. */
  history(): AsyncIterable<GateEvent>;
  /** Adds to the history, which is never rewritten. */
  record(events: readonly GateEvent[]): Promise<void>;
}

/** Every routing, and what reviewers and appeals made of routed decisions. */
export interface RouteStore {
  /** Routings as lines of JSON, oldest first, a batch at a time. Of millions only few have to be parsed. */
  lines(): AsyncIterable<string[]>;
  openLog(): RouteLog;
  outcomes(): AsyncIterable<ReviewOutcome[]>;
  addOutcomes(outcomes: readonly ReviewOutcome[]): Promise<Added>;
}

export interface RouteLog {
  /** Writes whole lines. Returns when they are kept, and throws where one of them is not. */
  append(lines: string): void;
  close(): Promise<void>;
}

/** The newest result of each experiment. */
export interface ExperimentStore {
  /** null: it was never made. */
  read<Kind extends ExperimentKind>(kind: Kind): Promise<ExperimentResults[Kind] | null>;
  all(): Promise<Partial<ExperimentResults>>;
  /** Returns where it is kept, for a person to read. */
  keep(result: Experiment): Promise<string>;
}
