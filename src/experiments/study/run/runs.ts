import type { Selection } from "../../../app/audit/audit-request.js";
import type { AuditsPlace } from "../../../app/find-audits.js";
import { CheckFailedError } from "../../../core/errors.js";
import type { Manifest } from "../../../core/records/manifest.js";
import { findStepFile, writeStepFile } from "../../../store/files/experiment-store.js";
import type { FileContext } from "../../../store/files/stores.js";
import type { Workspace } from "../../../store/files/workspace.js";
import { type ExperimentAudits, type MakeAudits, placeOf } from "../../audits.js";
import type { CohortNames, CohortRole } from "../datasets.js";
import { type ReplicateSizes, type RunDecisions, type RunName, type RunRequest, requestFor } from "./requests.js";

/** What stopped a run: what is done is kept. */
export class Stopped extends Error {}

/** What an audit of a replication would be; `cost_usd` null: the price is not known. */
export interface PlannedAudits {
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
