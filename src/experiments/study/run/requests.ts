import { type Arm, OPPOSITE_ARM, PLAIN_ARM, scopeArm, temperatureArm, tierArm } from "../../../audit/arms.js";
import { TIERS } from "../../../core/records/rule-set.js";
import type { ExperimentKind } from "../../../core/results/experiment.js";
import type { CohortNames, CohortRole } from "../datasets.js";
import { TEMPERATURES } from "../values.js";

/** The names by which steps request runs. */
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

/** Sizes of samples and numbers of repetitions. */
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

/** Requested sizes; `quick`: small ones. */
export interface SizeWishes extends Partial<Pick<ReplicateSizes, "replicates" | "cases" | "draws" | "worlds">> {
  quick: boolean;
}

/** `paper`: the world has the paper's size, and as many replicates are made as there. */
export function replicateSizes({ quick, ...wishes }: SizeWishes, paper: boolean): ReplicateSizes {
  return {
    replicates: wishes.replicates ?? (quick ? 40 : paper ? 1000 : 40),
    cases: wishes.cases ?? (quick ? 16 : 100),
    pilot: quick ? 5 : 10,
    draws: wishes.draws ?? (quick ? 200 : 1000),
    worlds: wishes.worlds ?? (quick ? 0 : 40),
    paired: quick ? 100 : 2000,
    spread: quick ? { decisions: 100, replicates: 4 } : { decisions: 400, replicates: 10 },
  };
}

/** The decisions of a run: those of a cohort (null: all), or a random sample of them. */
export interface RunDecisions {
  cohort: string | null;
  sample?: number;
}

export interface RunRequest {
  kind: ExperimentKind;
  arms: readonly Arm[];
  of: RunDecisions;
  /** Default: the auditor of the replication. */
  auditor?: string;
  replicates?: number;
  /** S uses the weights that were fitted here. */
  fitted?: boolean;
}

/** The settings that determine the audits of a replication. */
export interface RequestSettings {
  cohorts: CohortNames;
  sizes: ReplicateSizes;
  /** The random cohort is audited at all temperatures. */
  sweep: boolean;
  auditor: string;
  /** Number of decisions of a cohort that was audited. */
  decisionsOf: (role: CohortRole) => number;
}

export function requestFor(name: RunName, settings: RequestSettings): RunRequest {
  const { cohorts, sizes, sweep } = settings;
  const plain = { kind: "replicate" as const, arms: [PLAIN_ARM] };
  switch (name) {
    case "balanced":
      return { ...plain, of: { cohort: cohorts.balanced } };
    case "random":
      return {
        kind: sweep ? "signal" : "replicate",
        arms: sweep ? [PLAIN_ARM, ...TEMPERATURES.map(temperatureArm)] : [PLAIN_ARM],
        of: { cohort: cohorts.random },
        fitted: true,
      };
    case "spread":
      return {
        kind: "signal",
        arms: [PLAIN_ARM],
        of: { cohort: cohorts.balanced, sample: sizes.spread.decisions },
        replicates: sizes.spread.replicates,
        fitted: true,
      };
    case "expert":
      return { ...plain, of: { cohort: cohorts.expert }, fitted: true };
    case "fleet":
      return { ...plain, of: { cohort: cohorts.fleet } };
    case "tiers":
      return { kind: "tiers", arms: TIERS.map(tierArm), of: { cohort: cohorts.tiers } };
    case "scopes":
      return {
        kind: "scopes",
        arms: [PLAIN_ARM, scopeArm("platform"), scopeArm("community")],
        of: { cohort: cohorts.random, sample: sizes.paired },
      };
    case "attack_base":
      return { ...plain, of: { cohort: cohorts.attack } };
    case "dual":
      return {
        kind: "dual",
        arms: [PLAIN_ARM, OPPOSITE_ARM],
        of: { cohort: cohorts.random, sample: sizes.paired },
      };
    case "human":
      return { kind: "humans", arms: [PLAIN_ARM], of: { cohort: cohorts.human }, fitted: true };
    case "tokens_random":
    case "tokens_balanced":
    case "tokens_fleet": {
      // The same draws as answers in tokens, for one decision in twenty.
      const role = name.slice("tokens_".length) as "random" | "balanced" | "fleet";
      const sample = Math.max(1, Math.ceil(TOKEN_SHARE * settings.decisionsOf(role)));
      const auditor = tokenAuditor(settings.auditor);
      return { ...plain, of: { cohort: cohorts[role], sample }, auditor, fitted: role === "random" };
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
