import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Arm, OPPOSITE_ARM, PLAIN_ARM, scopeArm, temperatureArm, tierArm } from "../audit/arms.js";
import type { ExperimentKind } from "../domain/experiment.js";
import type { Manifest } from "../domain/manifest.js";
import { TIERS } from "../domain/rule-set.js";
import { CheckFailedError } from "../errors.js";
import { TEMPERATURES } from "../experiments/replicate/accessor.js";
import type { CohortNames } from "../experiments/replicate/datasets.js";
import { FileLedger } from "../ledger/file-ledger.js";
import type { AuditsPlace } from "../workspace/load-scores.js";
import type { Workspace } from "../workspace/workspace.js";
import { auditSession } from "./audit-session.js";
import type { ReplicateFlags } from "./commands/replicate.js";
import { type AuditFlags, auditForExperiment } from "./experiment-run.js";

/** What is audited, by the name that steps ask for it with. */
export type RunName =
  | "balanced"
  | "random"
  | "spread"
  | "expert"
  | "fleet"
  | "tiers"
  | "scopes"
  | "attack_base"
  | "dual"
  | "human"
  | "tokens_random"
  | "tokens_balanced"
  | "tokens_fleet";

/** Sizes of what is drawn or repeated. */
export interface ReplicateSizes {
  replicates: number;
  cases: number;
  pilot: number;
  draws: number;
  worlds: number;
  /** Decisions audited under each scope, and with their opposites. */
  paired: number;
  /** Decisions of the balanced cohort that are audited several times, and how often. */
  spread: { decisions: number; replicates: number };
}

/** Ctrl-C, or whatever else stopped a run: what is done is kept. */
export class Stopped extends Error {}

interface RunRequest {
  kind: ExperimentKind;
  arms: readonly Arm[];
  flags: Partial<AuditFlags>;
  replicates?: number;
  /** S is wanted with the weights that were fitted here. */
  fitted?: boolean;
}

/** The audits of a replication: each run is made when it is first asked for. */
export class ReplicateRuns {
  readonly #places = new Map<RunName, AuditsPlace>();
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
    return join(this.workspace.root, "experiments", "replicate-weights.json");
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
    const source = new FileLedger(this.workspace.paths.runs).source(manifest.run_id);
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
      { ...this.auditFlags(flags), dryRun: true },
      { experiment: kind, arms, replicates },
    );
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
    const { cohorts, sizes } = this;
    const cohort = (of: string | null): Partial<AuditFlags> => (of === null ? {} : { cohort: of });
    const plain = { kind: "replicate" as const, arms: [PLAIN_ARM] };
    switch (name) {
      case "balanced":
        return { ...plain, flags: cohort(cohorts.balanced) };
      case "random":
        return {
          kind: this.sweep ? "signal" : "replicate",
          arms: this.sweep ? [PLAIN_ARM, ...TEMPERATURES.map(temperatureArm)] : [PLAIN_ARM],
          flags: cohort(cohorts.random),
          fitted: true,
        };
      case "spread":
        return {
          kind: "signal",
          arms: [PLAIN_ARM],
          flags: { ...cohort(cohorts.balanced), sample: sizes.spread.decisions },
          replicates: sizes.spread.replicates,
          fitted: true,
        };
      case "expert":
        return { ...plain, flags: cohort(cohorts.expert), fitted: true };
      case "fleet":
        return { ...plain, flags: cohort(cohorts.fleet) };
      case "tiers":
        return { kind: "tiers", arms: TIERS.map(tierArm), flags: cohort(cohorts.tiers) };
      case "scopes":
        return {
          kind: "scopes",
          arms: [PLAIN_ARM, scopeArm("platform"), scopeArm("community")],
          flags: { ...cohort(cohorts.random), sample: sizes.paired },
        };
      case "attack_base":
        return { ...plain, flags: cohort(cohorts.attack) };
      case "dual":
        return {
          kind: "dual",
          arms: [PLAIN_ARM, OPPOSITE_ARM],
          flags: { ...cohort(cohorts.random), sample: sizes.paired },
        };
      case "human":
        return { kind: "humans", arms: [PLAIN_ARM], flags: cohort(cohorts.human), fitted: true };
      case "tokens_random":
      case "tokens_balanced":
      case "tokens_fleet":
        return this.#tokens(name.slice("tokens_".length) as "random" | "balanced" | "fleet");
    }
  }

  /** The same draws as answers in tokens, of one decision in twenty. */
  #tokens(role: "random" | "balanced" | "fleet"): RunRequest {
    const counts = this.#places.get(this.#alias(role))?.manifest?.counts;
    const arms = role === "random" && this.sweep ? 1 + TEMPERATURES.length : 1;
    const decisions = counts ? counts.planned / arms : 0;
    const cohort = this.cohorts[role];
    return {
      kind: "replicate",
      arms: [PLAIN_ARM],
      flags: {
        ...(cohort !== null && { cohort }),
        auditor: tokenAuditor(this.auditor),
        sample: Math.max(1, Math.ceil(TOKEN_SHARE * decisions)),
      },
      fitted: role === "random",
    };
  }

  get auditor(): string {
    return this.flags.auditor ?? this.workspace.config.auditor;
  }
}

const TOKEN_SHARE = 0.05;

/** `simulated:columns,bias=0.3` without its columns: the same draws as token streams. */
export function tokenAuditor(name: string): string {
  const [head, rest = ""] = name.split(/:(.*)/s);
  const words = rest.split(",").filter((word) => word.trim() !== "" && word.trim() !== "columns");
  return words.length > 0 ? `${head}:${words.join(",")}` : head!;
}

/** Whether the auditor is the simulated one that writes columns. */
export function isColumns(name: string): boolean {
  const [head, rest = ""] = name.split(/:(.*)/s);
  return head === "simulated" && rest.split(",").some((word) => word.trim() === "columns");
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
