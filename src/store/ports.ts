import type { BatchHandle } from "../auditors/auditor.js";
import type { RawRun } from "../auditors/recorded/raw-log.js";
import type { NewCalibration, StoredCalibration } from "../core/calibration.js";
import type { Config, ImportProfile } from "../core/config.js";
import type { Actions } from "../core/records/actions.js";
import type { Audit, Usage } from "../core/records/audit.js";
import type { Generation } from "../core/records/case.js";
import type { Decision, Precedent } from "../core/records/decision.js";
import type { Label, ReviewOutcome } from "../core/records/label.js";
import type { Cohort, Manifest, RunCounts } from "../core/records/manifest.js";
import type { RuleSet } from "../core/records/rule-set.js";
import type { Experiment, ExperimentKind, ExperimentResults } from "../core/results/experiment.js";
import type { Chain, ChainEntry, ChainHead, ChainSource } from "../evidence/chain.js";
import type { Eraser } from "../evidence/tombstone.js";
import type { RatingKey } from "../experiments/humans/result.js";
import type { GateEvent, StoredWatch } from "./records/gate-event.js";
import type { RecordKind, RecordObject } from "./records/record-kinds.js";
import type { Closure, GateInForce, GateStanding } from "./records/suspensions.js";

/** Synchronous if a store is fast, asynchronous if it calls a server. */
export type Awaitable<T> = T | Promise<T>;

/** Stores runs and their audits. One contract (`contracts/run-store.suite.ts`) applies to every implementation. */
export interface RunStore {
  /** Manifests of all undamaged runs, newest first. */
  list(): Promise<Manifest[]>;
  /** Runs whose manifest is missing or unreadable. They can be deleted. */
  damaged(): Promise<string[]>;
  manifest(runId: string): Promise<Manifest>;
  /** Starts a run. Fails if the id is taken. */
  create(manifest: Manifest): Promise<RunWriter>;
  /** Resumes a run that is not sealed. Fails with BusyError while another process writes it. */
  open(runId: string): Promise<RunWriter>;
  /** Runs `work` while no other process does the same, for finding and then starting a run. */
  withRunLock<T>(work: () => Promise<T>): Promise<T>;
  /** Every audit of a run, one per key, batch by batch. A live run may be read while it is being written. */
  audits(runId: string): AsyncIterable<Audit[]>;
  /** The audits of a run for the analysis (`openAuditTable`). The snapshot of a sealed run is columnar and never changes. */
  snapshot(runId: string): Promise<AuditSource>;
  /** The answers of a run as given by the model. */
  raw(runId: string): RawStore;
  /** Copies the raw answers of another run, unless the run has its own. */
  copyRaw(from: string, to: string): Promise<void>;
  /** What a run has sent to a provider's batch service. */
  batches(runId: string): BatchStore;
  /** Completes a sealing that was killed. */
  finishSealing(runId: string): Promise<void>;
  delete(runId: string): Promise<void>;
}

export type Outcome = Audit["outcome"];

/** Writes one run, from `create` or `open` to `close`, with exclusive access. */
export interface RunWriter {
  readonly manifest: Manifest;
  /** Outcome recorded for a key, or undefined. Keys are made by `auditKey`. */
  outcome(key: string): Outcome | undefined;
  /** Excluding the flip control. */
  counts(): Omit<RunCounts, "planned">;
  /** For the flip control; null: the run has none. */
  flipCounts(): RunCounts | null;
  /** Usage of the run's audits so far; unknown values count as 0. */
  usage(): Readonly<Record<keyof Usage, number>>;
  /** Adds to the manifest; members that identify the run cannot be changed. */
  annotate(notes: Record<string, unknown>): Promise<void>;
  /** Corrects the planned number of audits, which an experiment may only learn while running. */
  replan(planned: number): Promise<void>;
  /** Resolves when the audits are written. A later audit of a key replaces an earlier one. */
  append(audits: readonly Audit[]): Promise<void>;
  /** Converts the run to its final form, after which nothing can be appended. */
  seal(sealedAt: string): Promise<void>;
  /** Makes everything durable and releases the run. */
  close(): Promise<void>;
}

/** Model answers by key. A later answer of a key replaces an earlier one. */
export interface RawStore {
  /** @param run the settings under which the answers are given */
  open(run: RawRun, auditor: { readonly name: string; readonly version: string }): RawLog;
  /** Every answer stored so far; null if absent. */
  read(): Promise<RawAnswers | null>;
}

export interface RawLog {
  /** Resolves when the answer is stored. */
  append(key: string, generation: Generation): Promise<void>;
  close(): Promise<void>;
}

export interface RawAnswers {
  keys(): Iterable<string>;
  get(key: string): Promise<Generation | null>;
  close(): Promise<void>;
}

/** One submission to a batch service: its questions, and the provider's receipts. */
export interface BatchPart {
  part: number;
  handles: BatchHandle[];
  /** False: the process was killed while sending, so receipts may be missing. */
  sent: boolean;
  collected: boolean;
}

/** The questions of a part are stored before they are sent, so that a lost receipt can be looked up instead of paying again. */
export interface BatchStore {
  /** In the order in which they were started. */
  parts(): Promise<BatchPart[]>;
  /** The questions of a part. */
  ids(part: number): Promise<string[]>;
  begin(ids: readonly string[]): Promise<BatchPart>;
  save(part: BatchPart): Promise<void>;
  /** Drops a part that never reached the provider. */
  forget(part: BatchPart): Promise<void>;
  /** Answers by the id of the question. */
  readonly answers: RawStore;
}

/** A file of audits: a snapshot of a run, or a file of another tool in the same format. */
export interface AuditSource {
  path: string;
  format: "jsonl" | "csv" | "parquet";
  /** Whether it is a run of this program, in which a later row of a key replaces an earlier one; otherwise a repeated key is an error. */
  own: boolean;
  /** Parquet files of older runs, newest first: for each key the newest row counts. */
  older?: readonly string[];
  /** Only decisions from this period, in milliseconds since 1970; rows without a readable `decided_at` are left out. */
  decided?: { from: number; to: number };
}

/** How many of the given records are new, already known, or known with other content. In the last case the stored one is kept. */
export type Added = Record<"accepted" | "duplicate" | "conflict", number>;

/** A rule set, and the name under which it is stored. */
export interface RuleFile {
  /** Relative to the workspace. */
  file: string;
  set: RuleSet;
}

/** Decisions as files, for the analysis. A path without a file contains none. */
export interface DecisionFiles {
  jsonl: string;
  parquet: string;
}

/** Records as a file with its format, or in memory (`path` is then a name for them). */
export interface RecordsFile {
  path: string;
  format: AuditSource["format"];
  rows?: readonly object[];
}

/** The inputs of audits. Reading fails with an InputError if a record is invalid. */
export interface RecordStore {
  /** Batch by batch, like precedents. */
  decisions(): AsyncIterable<Decision[]>;
  precedents(): AsyncIterable<Precedent[]>;
  rules(): Promise<RuleFile[]>;
  addDecisions(decisions: readonly Decision[]): Promise<Added>;
  addPrecedents(precedents: readonly Precedent[]): Promise<Added>;
  /** Changes when any decision is added or changed. */
  hash(): Promise<string>;
  /** The decisions for the analysis. */
  snapshot(): Promise<DecisionFiles>;
  /** The truth about the decisions of a simulated world, for the analysis; null: unknown. */
  truth(): Promise<RecordsFile | null>;
  /** Whether this file stores decisions and must not be written to. */
  isOwnFile(path: string): boolean;
  /** Changes when a rule, a precedent or the key of `findHasher` changes. Takes milliseconds. */
  rulesMark(): Awaitable<string>;
}

/** Bulk import of records. */
export interface ImportStore {
  /** Runs `work` while no other process imports. */
  withImportLock<T>(work: () => Promise<T>): Promise<T>;
  /** The same stores with renamed actions. Fails if anything was decided under the old names. A dry run stores nothing. */
  renamed(actions: Actions, dryRun: boolean): Promise<{ records: RecordStore; imports: ImportStore; config: Config }>;
  /** A sink for records of one kind. A dry run stores nothing. */
  open(kind: RecordKind, dryRun: boolean): Promise<RecordSink>;
  /** Stores a rule set and returns its name. `text`: the author's own text, which is kept if the store can; null if absent. */
  addRules(set: RuleSet, text: string | null): Promise<string>;
  /** Fails if `keepProfile` could not store anything. */
  checkProfiles(): Promise<void>;
  /** Stores an import profile, replacing one of the same name. */
  keepProfile(name: string, profile: ImportProfile): Promise<void>;
  /** A sink for the rejected rows of a file. `stamp`: time of the import. */
  openRejects(file: string, stamp: string): RejectSink;
}

export interface RecordSink {
  /** @param record in canonical form */
  add(record: RecordObject): keyof Added;
  /** Called between two batches, so that added records need not stay in memory. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A rejected row, and the reason. */
export interface Reject {
  /** As named in the command. */
  file: string;
  line: number;
  /** Dotted path, or "" for the row as a whole. */
  field: string;
  reason: string;
  /** The row as read (columns already renamed), or the text of an unreadable line. */
  row?: unknown;
  /** The original row in the file, if different from `row`. */
  raw?: string;
}

export interface RejectSink {
  add(reject: Reject): void;
  /** Returns where the rows are stored, for a person to read; null if absent. Identical rows of a file are stored once. */
  finish(): Promise<string | null>;
  discard(): Promise<void>;
}

export interface LabelStore {
  labels(): AsyncIterable<Label[]>;
  /** The labels for the analysis; null if absent. */
  snapshot(): Promise<RecordsFile | null>;
  add(labels: readonly Label[]): Promise<Added>;
  /** Removes labels that exist with exactly this content. Returns their number. */
  remove(labels: readonly Label[]): Promise<number>;
}

export interface CohortStore {
  /** Sorted by name. */
  list(): Promise<Cohort[]>;
  /** null: there is no such cohort. */
  find(name: string): Promise<Cohort | null>;
  /** Fails if there is no cohort of that name. */
  read(name: string): Promise<Cohort>;
  keep(cohort: Cohort): Promise<void>;
  /** Fails if there is no cohort of that name. */
  delete(name: string): Promise<void>;
}

/** A calibration that exists but cannot be read. */
export interface DamagedCalibration {
  calibration_id: string;
  damaged: string;
}

export interface CalibrationStore {
  /** Newest first. An unreadable one is an error, because the previous one must not silently take its place. */
  list(): Promise<StoredCalibration[]>;
  /** The same for display: unreadable ones do not hide the others. */
  survey(): Promise<{ calibrations: StoredCalibration[]; damaged: DamagedCalibration[] }>;
  /** By its id, a unique prefix of one, or its name (the newest of that name). */
  read(idOrName: string): Promise<StoredCalibration>;
  /** Stores a calibration under a new id and returns it with that id. An existing id is kept. */
  keep(calibration: NewCalibration | StoredCalibration): Promise<StoredCalibration>;
  /** Where one is stored, for a person to read. */
  placeOf(calibration: StoredCalibration): string;
  /** The weights of S that audits use, as written; null if absent. */
  weights(): Promise<{ text: string; place: string } | null>;
  /** Stores the weights of S for later audits and returns their location, for a person to read. */
  keepWeights(weights: object): Promise<string>;
}

/** The gate that routing follows, and its history. Unreadable data are an error, and then nothing is automated. */
export interface GateStore {
  /**
   * Runs `work` while no other process changes the gate. Reading needs no lock. What `work` writes through the given store is committed completely
   * or not at all, if the store can do so.
   */
  withGateLock<T>(work: (store: GateStore) => Promise<T>): Promise<T>;
  /** The active gate with all current suspensions; null: there is no active gate. */
  active(): Promise<GateInForce | null>;
  activate(gate: GateInForce): Promise<void>;
  /** Suspensions, whatever the gate; null: no gate was ever active. */
  standing(): Promise<GateStanding | null>;
  keepStanding(standing: GateStanding): Promise<void>;
  /** Change when the gate, the suspensions or the kill switch change. Takes microseconds, because a stream checks before every batch. */
  marks(): Awaitable<{ gate: string; closure: string }>;
  /** The kill switch: null while gates may be open. */
  closure(): Promise<Closure | null>;
  /** Closes every gate. Returns what else could not be done; null: nothing. `actor`: who closed it, for the history. */
  close(closure: Closure, actor?: string): Promise<string | null>;
  open(at: string, who?: { actor?: string; reason?: string | undefined }): Promise<void>;
  /** The progress of the watch. */
  watch(): Promise<StoredWatch | null>;
  keepWatch(watch: StoredWatch): Promise<void>;
  /** Oldest first. */
  history(): AsyncIterable<GateEvent>;
  /** Appends to the history, which is never rewritten. */
  record(events: readonly GateEvent[]): Promise<void>;
}

/** All routings, and the results of reviews and appeals of routed decisions. */
export interface RouteStore {
  /** Routings as lines of JSON, oldest first, batch by batch. Of millions only a few have to be parsed. */
  lines(): AsyncIterable<string[]>;
  openLog(): RouteLog;
  outcomes(): AsyncIterable<ReviewOutcome[]>;
  /** Ids of decisions with an undecided appeal that was filed separately from them. */
  openAppeals(): Promise<ReadonlySet<string>>;
  addOutcomes(outcomes: readonly ReviewOutcome[]): Promise<Added>;
}

export interface RouteLog {
  /** Where it is stored, for a person to read. */
  readonly path: string;
  /** Writes complete lines. Resolves when they are stored, and throws if one is not. */
  append(lines: string): Awaitable<void>;
  close(): Promise<void>;
}

/** The newest result of each experiment. */
export interface ExperimentStore {
  /** null: there is no result. */
  read<Kind extends ExperimentKind>(kind: Kind): Promise<ExperimentResults[Kind] | null>;
  all(): Promise<Partial<ExperimentResults>>;
  /** Returns where it is stored, for a person to read. */
  keep(result: Experiment): Promise<string>;
}

/** Keys of rating sheets, which map each case to its decision. */
export interface SheetStore {
  /** Ids of the sheets drawn, oldest first. */
  list(): Promise<string[]>;
  key(sheetId: string): Promise<RatingKey>;
  /** Returns where it is stored, for a person to read. */
  keep(key: RatingKey): Promise<string>;
}

/** The chain over the logs (`src/evidence/chain.ts`). */
export interface ChainStore {
  read(): Promise<Chain>;
  /** The original records of all logs except runs: routes, changes of the gate, outcomes, erasures. */
  logs(): Promise<ChainSource[]>;
  append(entries: readonly ChainEntry[], head: ChainHead): Promise<void>;
  /** The part of a record that remains after an erasure. */
  rest(source: string, record: string): string;
  /** Location of the record with this number, for a person to read. */
  where(source: string, n: number): string;
  /** Runs `work` while no other process seals. */
  withSealLock<T>(work: () => Promise<T>): Promise<T>;
}

/** A place that contains, or contained, data about a decision. */
export interface ErasedPlace {
  /** For a person to read. */
  place: string;
  /** Number of records, answers or files. */
  count: number;
  /** `left`: it quotes the decision but does not belong to the store, so a person has to remove it. */
  what: "erased" | "emptied" | "deleted" | "left";
}

/**
 * Erases texts that people wrote in decisions, and everything that quotes them: contents, rationales, appeals, notes, traces, model answers. Ids,
 * numbers and codes stay, so that the counts in reports are unchanged.
 */
export interface ErasureStore {
  /** SHA-256 of the ids of decisions that have a tombstone. */
  buried(): Promise<ReadonlySet<string>>;
  /** Which of these decisions are known, erased or not. */
  known(ids: readonly string[]): Promise<string[]>;
  /** What `erase` would do. */
  find(ids: readonly string[]): Promise<ErasedPlace[]>;
  /** Logs a tombstone for each decision, to be sealed before anything is erased. Does nothing if the store erases in one transaction. */
  bury(ids: readonly string[], eraser: Eraser): Promise<void>;
  /**
   * Adds a tombstone for each decision without one, then erases, including the salts of chained records. Repeated after a kill at any moment, it
   * completes; repeated after that, it does nothing.
   */
  erase(ids: readonly string[], eraser: Eraser): Promise<ErasedPlace[]>;
}
