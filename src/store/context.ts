import type { ReadHasher } from "../audit/arms.js";
import type { ResponseCache } from "../audit/calls/caller.js";
import type { Config } from "../core/config.js";
import { type FileContext, fileContext } from "./files/stores.js";
import { openWorkspace } from "./files/workspace.js";
import type {
  CalibrationStore,
  ChainStore,
  CohortStore,
  ErasureStore,
  ExperimentStore,
  GateStore,
  ImportStore,
  LabelStore,
  RecordStore,
  RouteStore,
  RunStore,
  SheetStore,
} from "./ports.js";

/** Opens the context of a workspace folder. */
export function openContext(place: string, now?: () => Date): FileContext {
  return fileContext(openWorkspace(place), now);
}

/** All stores, by content. `files/stores.ts` keeps them in a workspace, `memory/stores.ts` in memory. */
export interface Stores {
  runs: RunStore;
  records: RecordStore;
  labels: LabelStore;
  cohorts: CohortStore;
  calibrations: CalibrationStore;
  gate: GateStore;
  routes: RouteStore;
  experiments: ExperimentStore;
  imports: ImportStore;
  sheets: SheetStore;
  chain: ChainStore;
  erasure: ErasureStore;
  /** Hashes what audits read, under a secret key that is created when first needed. */
  openHasher(): Promise<ReadHasher>;
  /** The same if the key exists; null: earlier audits cannot be compared. */
  findHasher(): Promise<ReadHasher | null>;
  /** The secret key of the hashes in redacted reports, created when first needed. */
  redactionKey(): Promise<Buffer>;
  /** Removes what killed processes left behind. Never fails. */
  sweep(): Promise<void>;
  /** The stored model answers; `tell` receives problems with storing them. */
  openCache(tell?: (message: string) => void): ResponseCache;
}

/** The environment of a use case. Time and ids come from here, so a repeated use case gives the same result. */
export interface Context extends Stores {
  config: Config;
  now(): Date;
  /** An id that begins with a time, so that ids sort chronologically. */
  newId(at: Date): string;
}
