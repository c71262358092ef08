import { type AuditTable, openAuditTable, type TableOptions } from "../../analysis/audit-table.js";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import { InputError } from "../../core/errors.js";
import type { Experiment } from "../../core/results/experiment.js";
import type { ReplicateStep } from "../../core/results/replicate.js";
import type { Simulation } from "../../core/results/simulation.js";
import type { DrawSettings } from "../../experiments/replicate/calibration-table.js";
import { COHORT_ROLES, type CohortNames, type CohortRole } from "../../experiments/replicate/datasets.js";
import type { StepResults } from "../../experiments/replicate/results.js";
import type { RaterSettings } from "../../experiments/replicate/simulated-ratings.js";
import { listCohorts } from "../../store/files/cohorts.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { writeExperiment } from "../../store/files/experiment-store.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { ReplicateFlags } from "../commands/replicate.js";
import type { RunName } from "./requests.js";
import type { ReplicateRuns } from "./runs.js";

/** Which cohort stands for each of the paper's: the one that was named, else the one of its name, else none, which means all decisions. */
export function chooseCohorts(workspace: Workspace, flags: ReplicateFlags): CohortNames {
  const there = listCohorts(workspace).map(({ name }) => name);
  const chosen = Object.entries(COHORT_ROLES).map(([role, usual]) => {
    const asked = flags[flagOf(role as CohortRole)];
    if (asked !== undefined && !there.includes(asked)) {
      throw new InputError(
        "unknown_cohort",
        `--cohort-${role}: there is no cohort "${asked}"; there ${there.length === 1 ? "is" : "are"} ${there.join(", ") || "none"}`,
        "`defensible cohort create` makes one.",
      );
    }
    return [role, asked ?? (there.includes(usual) ? usual : null)];
  });
  return Object.fromEntries(chosen) as CohortNames;
}

function flagOf<R extends CohortRole>(role: R): `cohort${Capitalize<R>}` {
  return `cohort${role[0]!.toUpperCase()}${role.slice(1)}` as `cohort${Capitalize<R>}`;
}

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
