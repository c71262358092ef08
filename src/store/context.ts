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

/** Opens what is kept in a place: the folder of a workspace. */
export function openContext(place: string, now?: () => Date): FileContext {
  return fileContext(openWorkspace(place), now);
}

/** Everything that is kept, by what it is. `files/stores.ts` keeps it in a workspace, `memory/stores.ts` in memory. */
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
  /** Hashes what audits read, under a secret key that is made when it is first needed. */
  openHasher(): Promise<ReadHasher>;
  /** The same where the key is there; null: what was audited cannot be compared with anything. */
  findHasher(): Promise<ReadHasher | null>;
  /** The secret key of the hashes in redacted reports, made when it is first needed. */
  redactionKey(): Promise<Buffer>;
  /** Removes what processes that were killed have left behind. Never fails. */
  sweep(): Promise<void>;
  /** The answers of models that were kept; `tell` gets what goes wrong with keeping them. */
  openCache(tell?: (message: string) => void): ResponseCache;
}

/** What a use case works with. Time and ids come from here, so that a use case gives the same result when it is repeated. */
export interface Context extends Stores {
  config: Config;
  now(): Date;
  /** An id that begins with a time, so that ids sort by it. */
  newId(at: Date): string;
}
