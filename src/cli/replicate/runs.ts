import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import { CheckFailedError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { CohortNames, CohortRole } from "../../experiments/replicate/datasets.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { auditSession } from "../audit/session.js";
import type { ReplicateFlags } from "../commands/replicate.js";
import { type AuditFlags, auditForExperiment } from "../experiment-run.js";
import { type ReplicateSizes, type RunName, type RunRequest, requestFor } from "./requests.js";

/** Ctrl-C, or whatever else stopped a run: what is done is kept. */
export class Stopped extends Error {}

/** The audits of a replication: each run is made when it is first asked for. */
export class ReplicateRuns {
  readonly #places = new Map<RunName, AuditsPlace>();
  /** Decisions of runs that are only planned. */
  readonly #planned = new Map<RunName, number>();
  /** Somebody pressed Ctrl-C: nothing more is begun. */
  stopped = false;
  /** An audit session has its own way to stop. */
  auditing = false;
  /** What was audited since somebody last asked. */
  #made: Manifest[] = [];
  #spent = 0;

  constructor(
    readonly workspace: Workspace,
    readonly flags: ReplicateFlags,
    readonly cohorts: CohortNames,
    readonly sizes: ReplicateSizes,
    /** Signals are wanted at all temperatures. */
    private readonly sweep: boolean,
  ) {}

  /** The workspace whose weights of S are those fitted by this command; the user's own file is never touched. */
  get fitted(): Workspace {
    const weights = this.weightsFile;
    if (!existsSync(weights)) return this.workspace;
    return { ...this.workspace, paths: { ...this.workspace.paths, weights } };
  }

  get weightsFile(): string {
    return join(this.workspace.paths.experiments, "replicate-weights.json");
  }

  /** The audits of a name. */
  async get(name: RunName): Promise<AuditsPlace> {
    const known = this.#places.get(this.#alias(name));
    if (known) return known;
    const { fitted, flags, ...request } = this.#request(this.#alias(name));
    const place = await this.audit(() =>
      auditForExperiment(fitted ? this.fitted : this.workspace, this.auditFlags(flags), request),
    );
    this.#places.set(this.#alias(name), place);
    return place;
  }

  /** Makes audits, and counts them. */
  async audit(make: () => Promise<Manifest | null>): Promise<AuditsPlace> {
    if (this.stopped) throw new Stopped();
    this.auditing = true;
    const manifest = await make().finally(() => {
      this.auditing = false;
    });
    if (!manifest) throw new Stopped();
    this.#made.push(manifest);
    this.#spent += manifest.usage?.cost_usd ?? 0;
    const source = await fileStores(this.workspace).runs.snapshot(manifest.run_id);
    return { source, actions: manifest.actions, label: `run ${manifest.run_id}`, manifest };
  }

  /** What was audited since the last call. */
  takeMade(): Manifest[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  /** The command's flags for one run; a limit in money is for all of them together. */
  auditFlags(own: Partial<AuditFlags>): AuditFlags {
    const { maxCost } = this.flags;
    if (maxCost !== undefined && maxCost - this.#spent <= 0) {
      throw new CheckFailedError(
        "max_cost",
        `cost: the limit of $${maxCost} for all steps together is spent`,
        "What is done is kept. Repeat the command with a higher --max-cost to continue.",
      );
    }
    const left = maxCost === undefined ? {} : { maxCost: maxCost - this.#spent };
    // A sample of the user's is of every cohort; one of a step's own is never larger.
    const sample = smaller(this.flags.sample, own.sample);
    return { ...this.flags, ...own, ...left, ...(sample !== undefined && { sample }) };
  }

  /** How many audits a run would be, and what they would cost; null: the price is not known. */
  async plan(name: RunName): Promise<{ key: RunName; audits: number; cost_usd: number | null }> {
    const key = this.#alias(name);
    const { kind, arms, flags, replicates = 1 } = this.#request(key);
    const { counts, estimate } = await auditSession(
      this.workspace,
      { ...this.auditFlags(flags), dryRun: true, prompts: undefined },
      { experiment: kind, arms, replicates },
    );
    this.#planned.set(key, counts.planned / arms.length);
    return { key, audits: counts.planned, cost_usd: estimate ? estimate.cost_usd : 0 };
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
    const { cohorts, sizes, sweep, auditor } = this;
    return requestFor(name, { cohorts, sizes, sweep, auditor, decisionsOf: (role) => this.#decisionsOf(role) });
  }

  #decisionsOf(role: CohortRole): number {
    const key = this.#alias(role as RunName);
    const manifest = this.#places.get(key)?.manifest;
    return manifest ? manifest.counts.planned / manifest.experiment!.arms.length : (this.#planned.get(key) ?? 0);
  }

  get auditor(): string {
    return this.flags.auditor ?? this.workspace.config.auditor;
  }
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
