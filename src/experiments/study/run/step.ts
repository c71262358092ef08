import { type AuditTable, openAuditTable, type TableOptions } from "../../../analysis/audit-table.js";
import type { Selection } from "../../../app/audit/audit-request.js";
import type { AuditsPlace } from "../../../app/find-audits.js";
import { CheckFailedError } from "../../../core/errors.js";
import type { Manifest } from "../../../core/records/manifest.js";
import type { Simulation } from "../../../core/results/simulation.js";
import { withDuckDB } from "../../../store/files/duckdb.js";
import { findStepFile, writeStepFile } from "../../../store/files/experiment-store.js";
import type { FileContext } from "../../../store/files/stores.js";
import type { Workspace } from "../../../store/files/workspace.js";
import { type ExperimentAudits, type MakeAudits, placeOf } from "../../audits.js";
import type { StepResults } from "../build-replicate.js";
import type { DrawSettings } from "../calibration-table.js";
import type { CohortNames, CohortRole, RaterSettings } from "../datasets.js";
import type { ReplicateStep } from "../result.js";
import type { StudyNumber } from "../values.js";
import { type ReplicateSizes, type RunDecisions, type RunName, type RunRequest, requestFor } from "./requests.js";

/** Progress events. `number`, `of`: the position of a step among those that are run. */
export type StepEvent =
  | { event: "begun"; title: string; number: number; of: number }
  | { event: "refused"; title: string; number: number; of: number; reason: string }
  | { event: "failed"; step: ReplicateStep; reason: string }
  /** The most that will be audited, if it depends on verdicts. */
  | { event: "planned"; words: string; notes: string[] }
  | { event: "worlds"; done: number; of: number };

/** The inputs and results of steps. */
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

/** Why something was not done, and how to make it possible. */
export interface NotDone {
  reason: string;
  command: string | null;
}

export interface Step {
  name: ReplicateStep;
  title: string;
  /** Why it cannot run here; null: it can. */
  refuses?: (context: StepContext) => Promise<NotDone | null> | NotDone | null;
  /** Runs that it requests. */
  needs: (context: StepContext) => RunName[];
  /**
   * The most audits in addition to those runs, for decisions chosen by earlier audits. `audits`: those of its runs that no earlier step
   * makes; `chosen`: the most decisions that the user wants.
   */
  more?: (context: StepContext, planned: { audits: number; chosen: number }) => Promise<number> | number;
  /** Returns its results. The result of an experiment, alone or as `experiment` among other results, is kept as by its own command. */
  run: (context: StepContext) => Promise<object>;
  /** Numbers that it yields in addition to the paper's. */
  numbers?: readonly StudyNumber[];
}

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

/** The run was stopped; completed work is kept. */
export class Stopped extends Error {}

/** The audits that a run would make; `cost_usd` null: the price is unknown. */
interface PlannedAudits {
  audits: number;
  cost_usd: number | null;
}

export interface RunsRequest {
  context: FileContext;
  auditor: string;
  seed: number;
  cohorts: CohortNames;
  sizes: ReplicateSizes;
  /** Signals are wanted at all temperatures. */
  sweep: boolean;
  /** The decisions of each cohort that are audited. */
  selection: Omit<Selection, "cohort">;
  /** USD for all runs together; undefined: no limit. */
  maxCost: number | undefined;
  make: MakeAudits;
  /** Plans audits without making them. */
  plan: (wanted: ExperimentAudits) => Promise<PlannedAudits>;
  /** Once it aborts, nothing more is begun. */
  stop: AbortSignal;
}

/** Weights of S that were fitted here; the user's own file is never touched. */
const WEIGHTS = "replicate-weights.json";

/** The audits of a replication: each run is made when it is first requested. */
export class ReplicateRuns {
  readonly #places = new Map<RunName, AuditsPlace>();
  /** Number of decisions in runs that are only planned. */
  readonly #planned = new Map<RunName, number>();
  /** Runs made since the last `takeMade`. */
  #made: Manifest[] = [];
  #spent = 0;

  constructor(readonly request: RunsRequest) {}

  get context(): FileContext {
    return this.request.context;
  }

  get cohorts(): CohortNames {
    return this.request.cohorts;
  }

  get sizes(): ReplicateSizes {
    return this.request.sizes;
  }

  async get(name: RunName): Promise<AuditsPlace> {
    const known = this.#places.get(this.#alias(name));
    if (known) return known;
    const { fitted = false, ...request } = this.#request(this.#alias(name));
    const place = await this.audit(this.#wanted(request), { fitted });
    this.#places.set(this.#alias(name), place);
    return place;
  }

  /** Makes audits and counts them. `fitted`: S uses the weights that were fitted here. */
  async audit(wanted: ExperimentAudits, { fitted }: { fitted: boolean }): Promise<AuditsPlace> {
    const { context, make, stop } = this.request;
    if (stop.aborted) throw new Stopped();
    const weights = fitted ? findStepFile(context.workspace, WEIGHTS) : null;
    const manifest = await make({ ...wanted, ...this.#money(), ...(weights !== null && { weights }) });
    if (!manifest) throw new Stopped();
    this.#made.push(manifest);
    this.#spent += manifest.usage?.cost_usd ?? 0;
    return placeOf(context.runs, manifest);
  }

  /** Returns the runs made since the last call. */
  takeMade(): Manifest[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  keepWeights(weights: object): void {
    writeStepFile(this.context.workspace, WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`);
  }

  /** The workspace, with the weights of S that were fitted here. */
  get fitted(): Workspace {
    const { workspace } = this.context;
    const weights = findStepFile(workspace, WEIGHTS);
    return weights === null ? workspace : { ...workspace, paths: { ...workspace.paths, weights } };
  }

  /** Decisions of a cohort. The user's sample applies to every cohort; a step's own sample is never larger. */
  selectionOf({ cohort, sample }: RunDecisions): Selection {
    const { selection, seed } = this.request;
    const size = Math.min(selection.sample?.size ?? Number.POSITIVE_INFINITY, sample ?? Number.POSITIVE_INFINITY);
    return {
      ...selection,
      ...(cohort !== null && { cohort }),
      ...(Number.isFinite(size) && { sample: { size, seed } }),
    };
  }

  /** Number and cost of the audits of a run. */
  async plan(name: RunName): Promise<PlannedAudits & { key: RunName }> {
    const key = this.#alias(name);
    const { fitted: _, ...request } = this.#request(key);
    const planned = await this.request.plan({ ...this.#wanted(request), ...this.#money() });
    this.#planned.set(key, planned.audits / request.arms.length);
    return { key, ...planned };
  }

  /** The money limit is for all runs together. */
  #money(): Pick<ExperimentAudits, "maxCost"> {
    const { maxCost } = this.request;
    if (maxCost === undefined) return {};
    if (maxCost - this.#spent > 0) return { maxCost: maxCost - this.#spent };
    throw new CheckFailedError(
      "max_cost",
      `cost: the limit of $${maxCost} for all steps together is spent`,
      "What is done is kept. Repeat the command with a higher --max-cost to continue.",
    );
  }

  #wanted({ of, ...request }: Omit<RunRequest, "fitted">): ExperimentAudits {
    return { ...request, selection: this.selectionOf(of) };
  }

  /** If several cohorts are all decisions, one run serves them. */
  #alias(name: RunName): RunName {
    const { random, fleet, human, attack } = this.cohorts;
    if (name === "fleet" && fleet === random) return "random";
    if (name === "human" && human === null) return "random";
    if (name === "attack_base" && (attack === null || attack === random)) return "random";
    return name;
  }

  #request(name: RunName): RunRequest {
    const { cohorts, sizes, sweep, auditor } = this.request;
    return requestFor(name, { cohorts, sizes, sweep, auditor, decisionsOf: (role) => this.#decisionsOf(role) });
  }

  #decisionsOf(role: CohortRole): number {
    const key = this.#alias(role as RunName);
    const manifest = this.#places.get(key)?.manifest;
    return manifest ? manifest.counts.planned / manifest.experiment!.arms.length : (this.#planned.get(key) ?? 0);
  }
}
