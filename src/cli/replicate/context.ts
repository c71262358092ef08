import { type AuditTable, openAuditTable, type TableOptions } from "../../analysis/audit-table.js";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import type { Experiment } from "../../core/results/experiment.js";
import type { ReplicateStep } from "../../core/results/replicate.js";
import type { Simulation } from "../../core/results/simulation.js";
import type { DrawSettings } from "../../experiments/replicate/calibration-table.js";
import type { StepResults } from "../../experiments/replicate/results.js";
import type { RaterSettings } from "../../experiments/replicate/simulated-ratings.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { writeExperiment } from "../../store/files/experiment-store.js";
import type { RunName } from "./requests.js";
import type { ReplicateRuns } from "./runs.js";

/** What steps work with and leave behind. */
export interface StepContext {
  runs: ReplicateRuns;
  results: StepResults;
  seed: number;
  simulation: Simulation | null;
  warnings: string[];
  expert: { decisions: number; valid: number; communities: number } | null;
  raters: (RaterSettings & { cases: number }) | null;
}

export interface Step {
  name: ReplicateStep;
  title: string;
  /** Why it cannot be done here; null: it can. */
  refuses?: (context: StepContext) => Promise<{ reason: string; command: string | null } | null>;
  /** Runs that it asks for. */
  needs: (context: StepContext) => RunName[];
  run: (context: StepContext) => Promise<void>;
}

/** Seed and draws of everything random in a step. */
export function drawing({ runs, seed }: StepContext): DrawSettings {
  return { seed, draws: runs.sizes.draws };
}

/** Keeps the result of a step as its own command would. */
export function keepStep<T extends Experiment>({ runs }: StepContext, result: T): T {
  writeExperiment(runs.workspace, result);
  return result;
}

export function withRun<T>(
  place: AuditsPlace,
  work: (table: AuditTable) => Promise<T>,
  options: Pick<TableOptions, "also" | "anyArm"> = {},
): Promise<T> {
  return withDuckDB(async (db) => work(await openAuditTable(db, place.source, { actions: place.actions, ...options })));
}
