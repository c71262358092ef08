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

/** At once where a store is quick, later where it asks a server. */
export type Awaitable<T> = T | Promise<T>;

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
  withRunLock<T>(work: () => Promise<T>): Promise<T>;
  /** Every audit of a run, one per key, a batch at a time. A live run may be read while it is written. */
  audits(runId: string): AsyncIterable<Audit[]>;
  /** The audits of a run for the analysis (`openAuditTable`). That of a sealed run is columnar and never changes. */
  snapshot(runId: string): Promise<AuditSource>;
  /** The answers of a run as the model gave them. */
  raw(runId: string): RawStore;
  /** Gives a run the raw answers that were kept with another, unless it has some. */
  copyRaw(from: string, to: string): Promise<void>;
  /** What a run has sent to a provider's batch service. */
  batches(runId: string): BatchStore;
  /** Finishes what a killed sealing left undone. */
  finishSealing(runId: string): Promise<void>;
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

/** Answers of models by their key. A later answer of a key replaces an earlier one. */
export interface RawStore {
  /** @param run under which settings the answers are given */
  open(run: RawRun, auditor: { readonly name: string; readonly version: string }): RawLog;
  /** Every answer that is there now; null: nothing is there. */
  read(): Promise<RawAnswers | null>;
}

export interface RawLog {
  /** Returns when the answer is kept. */
  append(key: string, generation: Generation): Promise<void>;
  close(): Promise<void>;
}

export interface RawAnswers {
  keys(): Iterable<string>;
  get(key: string): Promise<Generation | null>;
  close(): Promise<void>;
}

/** One submission to a batch service: the questions it was to hold, and what the provider made of it. */
export interface BatchPart {
  part: number;
  handles: BatchHandle[];
  /** False: the process was killed while it sent them, so that receipts may be missing. */
  sent: boolean;
  collected: boolean;
}

/** The questions of a part are kept before they are sent, so that a lost receipt can be looked for instead of being paid again. */
export interface BatchStore {
  /** In the order in which they were begun. */
  parts(): Promise<BatchPart[]>;
  /** The questions of a part. */
  ids(part: number): Promise<string[]>;
  begin(ids: readonly string[]): Promise<BatchPart>;
  save(part: BatchPart): Promise<void>;
  /** Drops a part that never reached the provider. */
  forget(part: BatchPart): Promise<void>;
  /** What was answered, by the id of the question. */
  readonly answers: RawStore;
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

/** Decisions as files, for the analysis. A path that leads nowhere holds none. */
export interface DecisionFiles {
  jsonl: string;
  parquet: string;
}

/** Records as a file with its format, or in memory (then `path` is what they are called). */
export interface RecordsFile {
  path: string;
  format: AuditSource["format"];
  rows?: readonly object[];
}

/** What audits are made of. Reading fails with an InputError where a record cannot be understood. */
export interface RecordStore {
  /** A batch at a time, like precedents. */
  decisions(): AsyncIterable<Decision[]>;
  precedents(): AsyncIterable<Precedent[]>;
  rules(): Promise<RuleFile[]>;
  addDecisions(decisions: readonly Decision[]): Promise<Added>;
  addPrecedents(precedents: readonly Precedent[]): Promise<Added>;
  /** Another one when any decision was added or changed. */
  hash(): Promise<string>;
  /** The decisions for the analysis. */
  snapshot(): Promise<DecisionFiles>;
  /** What is true of the decisions of a simulated world, for the analysis; null: it is not known. */
  truth(): Promise<RecordsFile | null>;
  /** Whether decisions are kept in the file of this name: it must not be written to. */
  isOwnFile(path: string): boolean;
  /** Another one when a rule, a precedent or the key of `findHasher` was changed. Takes milliseconds. */
  rulesMark(): Awaitable<string>;
}

/** Bringing in records in bulk. */
export interface ImportStore {
  /** Runs something while no other process imports. */
  withImportLock<T>(work: () => Promise<T>): Promise<T>;
  /** The same with other names of the two actions. Fails where something was decided under the old ones. A dry run keeps nothing. */
  renamed(actions: Actions, dryRun: boolean): Promise<{ records: RecordStore; imports: ImportStore; config: Config }>;
  /** Records of one kind, to add to. A dry run keeps nothing. */
  open(kind: RecordKind, dryRun: boolean): Promise<RecordSink>;
  /** Keeps a rule set and returns its name. `text`: as its author wrote it, which is kept where the store can; null: it has none. */
  addRules(set: RuleSet, text: string | null): Promise<string>;
  /** Fails where `keepProfile` could not keep anything. */
  checkProfiles(): Promise<void>;
  /** Keeps how files of one origin are read, in place of what was kept under the name. */
  keepProfile(name: string, profile: ImportProfile): Promise<void>;
  /** Rejected rows of a file. `stamp`: when it was imported. */
  openRejects(file: string, stamp: string): RejectSink;
}

export interface RecordSink {
  /** @param record in canonical form */
  add(record: RecordObject): keyof Added;
  /** Called between two batches, so that what was added need not stay in memory. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A row that was not taken, and why. */
export interface Reject {
  /** As it was named in the command. */
  file: string;
  line: number;
  /** Dotted, or "" for the row as a whole. */
  field: string;
  reason: string;
  /** The row as it was read (columns already renamed), or the text of a line that could not be read. */
  row?: unknown;
  /** The row as it is in the file, where `row` is something else. */
  raw?: string;
}

export interface RejectSink {
  add(reject: Reject): void;
  /** Returns where the rows are, for a person to read; null: nothing is there. The very same rows of a file are kept once. */
  finish(): Promise<string | null>;
  discard(): Promise<void>;
}

export interface LabelStore {
  labels(): AsyncIterable<Label[]>;
  /** The labels for the analysis; null: nothing is there. */
  snapshot(): Promise<RecordsFile | null>;
  add(labels: readonly Label[]): Promise<Added>;
  /** Removes labels that are there with exactly this content. Returns how many. */
  remove(labels: readonly Label[]): Promise<number>;
}

export interface CohortStore {
  /** By name. */
  list(): Promise<Cohort[]>;
  /** null: nothing is there. */
  find(name: string): Promise<Cohort | null>;
  /** Fails if nothing is there of that name. */
  read(name: string): Promise<Cohort>;
  keep(cohort: Cohort): Promise<void>;
  /** Fails if nothing is there of that name. */
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
  /** Keeps a calibration under a new id and returns it with that id. One that has an id keeps it. */
  keep(calibration: NewCalibration | StoredCalibration): Promise<StoredCalibration>;
  /** Where one is kept, for a person to read. */
  placeOf(calibration: StoredCalibration): string;
  /** The weights of S that audits use, as they were written; null: nothing is there. */
  weights(): Promise<{ text: string; place: string } | null>;
  /** Keeps the weights of S that later audits use, and returns where they are, for a person to read. */
  keepWeights(weights: object): Promise<string>;
}

/** The gate that routing follows, and everything that happened to it. What is there and cannot be understood is an error: nothing is automated then. */
export interface GateStore {
  /**
   * Runs something while no other process changes the gate. Reading needs no lock. What `work` writes through the store it is given is kept as a whole or
   * not at all, where the store can.
   */
  withGateLock<T>(work: (store: GateStore) => Promise<T>): Promise<T>;
  /** The active gate with all suspensions that hold; null: nothing is there. */
  active(): Promise<GateInForce | null>;
  activate(gate: GateInForce): Promise<void>;
  /** Who is suspended, whatever the gate; null: no gate was ever active. */
  standing(): Promise<GateStanding | null>;
  keepStanding(standing: GateStanding): Promise<void>;
  /** Others when the gate or who is suspended, or the kill switch, was changed. Takes microseconds: a stream asks before every batch. */
  marks(): Awaitable<{ gate: string; closure: string }>;
  /** The kill switch: null while gates may be open. */
  closure(): Promise<Closure | null>;
  /** Closes every gate. Returns what could not be done besides; null: all was. `actor`: who, for the history. */
  close(closure: Closure, actor?: string): Promise<string | null>;
  open(at: string, who?: { actor?: string; reason?: string | undefined }): Promise<void>;
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
  /** Ids of decisions with an appeal that was filed apart from them and is not decided yet. */
  openAppeals(): Promise<ReadonlySet<string>>;
  addOutcomes(outcomes: readonly ReviewOutcome[]): Promise<Added>;
}

export interface RouteLog {
  /** Where it is kept, for a person to read. */
  readonly path: string;
  /** Writes whole lines. Returns when they are kept, and throws where one of them is not. */
  append(lines: string): Awaitable<void>;
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

/** Keys of rating sheets: which decision each case is. */
export interface SheetStore {
  /** Ids of the sheets that were drawn, oldest first. */
  list(): Promise<string[]>;
  key(sheetId: string): Promise<RatingKey>;
  /** Returns where it is kept, for a person to read. */
  keep(key: RatingKey): Promise<string>;
}

/** The chain over the logs (`src/evidence/chain.ts`). */
export interface ChainStore {
  read(): Promise<Chain>;
  /** The logs besides the runs, as they were written: routes, changes of the gate, outcomes, erasures. */
  logs(): Promise<ChainSource[]>;
  append(entries: readonly ChainEntry[], head: ChainHead): Promise<void>;
  /** What an erasure leaves of a record. */
  rest(source: string, record: string): string;
  /** Where the record of this number is, for a person to read. */
  where(source: string, n: number): string;
  /** Runs something while no other process seals. */
  withSealLock<T>(work: () => Promise<T>): Promise<T>;
}

/** Where something of a decision is kept, or was. */
export interface ErasedPlace {
  /** For a person to read. */
  place: string;
  /** How many records, answers or files. */
  count: number;
  /** `left`: it quotes the decision and is not the store's own, so a person has to remove it. */
  what: "erased" | "emptied" | "deleted" | "left";
}

/**
 * What people wrote in decisions, and whatever quotes it: contents, rationales, appeals, notes, traces, answers of models. Ids, numbers and codes stay,
 * so that reports count the same.
 */
export interface ErasureStore {
  /** SHA-256 of the ids of decisions that have a tombstone. */
  buried(): Promise<ReadonlySet<string>>;
  /** Which of these decisions are known, erased or not. */
  known(ids: readonly string[]): Promise<string[]>;
  /** What `erase` would do. */
  find(ids: readonly string[]): Promise<ErasedPlace[]>;
  /**
   * Adds a tombstone for each decision to the log of erasures, to be sealed before anything is erased. Does nothing if the store erases in one
   * transaction.
   */
  bury(ids: readonly string[], eraser: Eraser): Promise<void>;
  /**
   * Adds a tombstone for each decision that has none yet, then erases. The salts of chained records go too. Repeated after a kill at any
   * moment, it finishes; repeated after that, it does nothing.
   */
  erase(ids: readonly string[], eraser: Eraser): Promise<ErasedPlace[]>;
}
