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

/** What stopped a run: what is done is kept. */
export class Stopped extends Error {}

/** What an audit of a replication would be; `cost_usd` null: the price is not known. */
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
  /** Decisions of each cohort that are audited. */
  selection: Omit<Selection, "cohort">;
  /** USD for all runs together; undefined: no limit. */
  maxCost: number | undefined;
  make: MakeAudits;
  /** What audits would be, without making them. */
  plan: (wanted: ExperimentAudits) => Promise<PlannedAudits>;
  /** Nothing more is begun once it says so. */
  stop: AbortSignal;
}

/** Weights of S that were fitted here; the user's own file is never touched. */
const WEIGHTS = "replicate-weights.json";

/** The audits of a replication: each run is made when it is first asked for. */
export class ReplicateRuns {
  readonly #places = new Map<RunName, AuditsPlace>();
  /** Decisions of runs that are only planned. */
  readonly #planned = new Map<RunName, number>();
  /** What was audited since it was last taken. */
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

  /** The audits of a name. */
  async get(name: RunName): Promise<AuditsPlace> {
    const known = this.#places.get(this.#alias(name));
    if (known) return known;
    const { fitted = false, ...request } = this.#request(this.#alias(name));
    const place = await this.audit(this.#wanted(request), { fitted });
    this.#places.set(this.#alias(name), place);
    return place;
  }

  /** Makes audits, and counts them. `fitted`: S has the weights that were fitted here. */
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

  /** What was audited since the last call. */
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

  /** Decisions of a cohort. A sample of the user's is of every cohort; one of a step's own is never larger. */
  selectionOf({ cohort, sample }: RunDecisions): Selection {
    const { selection, seed } = this.request;
    const size = Math.min(selection.sample?.size ?? Number.POSITIVE_INFINITY, sample ?? Number.POSITIVE_INFINITY);
    return {
      ...selection,
      ...(cohort !== null && { cohort }),
      ...(Number.isFinite(size) && { sample: { size, seed } }),
    };
  }

  /** How many audits a run would be, and what they would cost. */
  async plan(name: RunName): Promise<PlannedAudits & { key: RunName }> {
    const key = this.#alias(name);
    const { fitted: _, ...request } = this.#request(key);
    const planned = await this.request.plan({ ...this.#wanted(request), ...this.#money() });
    this.#planned.set(key, planned.audits / request.arms.length);
    return { key, ...planned };
  }

  /** A limit in money is for all runs together. */
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

  /** Where several cohorts are all decisions, one run serves them. */
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
