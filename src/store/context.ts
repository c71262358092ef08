import type { ResponseCache } from "../audit/calls/caller.js";
import type { Config } from "../core/config.js";
import type {
  CalibrationStore,
  CohortStore,
  ExperimentStore,
  GateStore,
  LabelStore,
  RecordStore,
  RouteStore,
  RunStore,
} from "./ports.js";

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
