import { type AuditTable, openAuditTable, type TableOptions } from "../../../analysis/audit-table.js";
import type { AuditsPlace } from "../../../app/find-audits.js";
import type { Simulation } from "../../../core/results/simulation.js";
import { withDuckDB } from "../../../store/files/duckdb.js";
import type { StepResults } from "../build-replicate.js";
import type { DrawSettings } from "../calibration-table.js";
import type { RaterSettings } from "../datasets.js";
import type { ReplicateStep } from "../result.js";
import type { StudyNumber } from "../values.js";
import type { RunName } from "./requests.js";
import type { ReplicateRuns } from "./runs.js";

/** What happens on the way. `number`, `of`: the place of a step among those that are done. */
export type StepEvent =
  | { event: "begun"; title: string; number: number; of: number }
  | { event: "refused"; title: string; number: number; of: number; reason: string }
  | { event: "failed"; step: ReplicateStep; reason: string }
  /** What will be audited at most, where it depends on verdicts. */
  | { event: "planned"; words: string; notes: string[] }
  | { event: "worlds"; done: number; of: number };

/** What steps work with and leave behind. */
export interface StepContext {
  runs: ReplicateRuns;
  results: StepResults & Record<string, unknown>;
  seed: number;
  simulation: Simulation | null;
  warnings: string[];
  expert: { decisions: number; valid: number; communities: number } | null;
  raters: (RaterSettings & { cases: number }) | null;
  tell: (event: StepEvent) => void;
}

/** Why something is not done, and what to do about it. */
export interface NotDone {
  reason: string;
  command: string | null;
}

export interface Step {
  name: ReplicateStep;
  title: string;
  /** Why it cannot be done here; null: it can. */
  refuses?: (context: StepContext) => Promise<NotDone | null> | NotDone | null;
  /** Runs that it asks for. */
  needs: (context: StepContext) => RunName[];
  /** Audits next to those runs, at most: of decisions that are chosen by earlier audits. `audits`: those of its runs that no step before makes; `chosen`: decisions that the user wants at most. */
  more?: (context: StepContext, planned: { audits: number; chosen: number }) => Promise<number> | number;
  /** What it found. A result of an experiment, alone or as `experiment` among other things, is kept as its own command would keep it. */
  run: (context: StepContext) => Promise<object>;
  /** Numbers that it gives, next to those of the paper. */
  numbers?: readonly StudyNumber[];
}

/** Seed and draws of everything random in a step. */
export function drawing({ runs, seed }: StepContext): DrawSettings {
  return { seed, draws: runs.sizes.draws };
}

export function withRun<T>(
  place: AuditsPlace,
  work: (table: AuditTable) => Promise<T>,
  options: Pick<TableOptions, "also" | "anyArm"> = {},
): Promise<T> {
  return withDuckDB(async (db) => work(await openAuditTable(db, place.source, { actions: place.actions, ...options })));
}
