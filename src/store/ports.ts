import type { Audit, Usage } from "../core/records/audit.js";
import type { Manifest, RunCounts } from "../core/records/manifest.js";

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
