import { type Arm, OPPOSITE_ARM, PLAIN_ARM, scopeArm, temperatureArm, tierArm } from "../../audit/arms.js";
import { TIERS } from "../../core/records/rule-set.js";
import type { ExperimentKind } from "../../core/results/experiment.js";
import { TEMPERATURES } from "../../experiments/replicate/accessor.js";
import type { CohortNames, CohortRole } from "../../experiments/replicate/datasets.js";
import type { AuditFlags } from "../experiment-run.js";

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

/** What a run audits. */
export interface RunRequest {
  kind: ExperimentKind;
  arms: readonly Arm[];
  flags: Partial<AuditFlags>;
  replicates?: number;
  /** S is wanted with the weights that were fitted here. */
  fitted?: boolean;
}

/** What decides the audits of a replication. */
export interface RequestSettings {
  cohorts: CohortNames;
  sizes: ReplicateSizes;
  /** The random cohort is audited at all temperatures. */
  sweep: boolean;
  auditor: string;
  /** Decisions of a cohort that was audited. */
  decisionsOf: (role: CohortRole) => number;
}

/** What is audited under a name. */
export function requestFor(name: RunName, settings: RequestSettings): RunRequest {
  const { cohorts, sizes, sweep } = settings;
  const cohort = (of: string | null): Partial<AuditFlags> => (of === null ? {} : { cohort: of });
  const plain = { kind: "replicate" as const, arms: [PLAIN_ARM] };
  switch (name) {
    case "balanced":
      return { ...plain, flags: cohort(cohorts.balanced) };
    case "random":
      return {
        kind: sweep ? "signal" : "replicate",
        arms: sweep ? [PLAIN_ARM, ...TEMPERATURES.map(temperatureArm)] : [PLAIN_ARM],
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
    case "tokens_fleet": {
      // The same draws as answers in tokens, of one decision in twenty.
      const role = name.slice("tokens_".length) as "random" | "balanced" | "fleet";
      const sample = Math.max(1, Math.ceil(TOKEN_SHARE * settings.decisionsOf(role)));
      const auditor = tokenAuditor(settings.auditor);
      return { ...plain, flags: { ...cohort(cohorts[role]), auditor, sample }, fitted: role === "random" };
    }
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
