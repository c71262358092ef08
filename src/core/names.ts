import type { TargetKind } from "./calibration.js";
import type { Level } from "./records/level.js";
import type { Manifest } from "./records/manifest.js";
import type { ExperimentResults } from "./results/experiment.js";

/** All levels in order. */
export const LEVELS = [1, 2, 3] as const satisfies readonly Level[];

/** The arm under which the opposite action is audited. */
export const FLIP_ARM = "opposite";

/** Prefix of an arm in which an alternative is audited; the name of the action follows. */
export const ACTION_ARM = "action=";

/** The arm in which a restriction is audited by only the rules that its stated reason names. */
export const STATED_ARM = "stated";

export const GATE_MODES = ["paper", "shrunk", "certified"] as const;
export type GateMode = (typeof GATE_MODES)[number];
export const GATE_STATES = ["earned_autonomy", "policy_gaps", "normative_complexity", "insufficient"] as const;
export type GateState = (typeof GATE_STATES)[number];

/** Keys that define a cohort of the gate; several are combined into one, joined by ` × `. */
export const GATE_KEYS = ["community", "decision", "rule", "language"] as const;
export type GateKey = (typeof GATE_KEYS)[number];

/** The ambiguity that the gate limits: the paper's, or the one without contradictions (AI_pure). */
export const GATE_VARIABLES = ["ai", "ai_pure"] as const;
export type GateVariable = (typeof GATE_VARIABLES)[number];

/** Calendar periods, each with its own test of the gate. */
export const GATE_PERIODS = ["month", "quarter", "year"] as const;

/** Flag and code of a decision that was not audited because no rule of either scope was in effect. */
export const NO_RULES = "no_rules";

/** Why a decision with erased content is not audited; also the replacement for erased texts. */
export const ERASED = "erased";

/** Additional files of a simulated workspace: how it was made, and the truth about each decision. */
export const SIMULATION_FILE = "simulation.json";
export const TRUTH_FILE = "truth/truth.jsonl";

/** Spellings of yes and no in imported files, in lower case. */
export const BOOLEANS = new Map<string, boolean>([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);

/**
 * How a decision came to be labelled: a simple random draw; a sheet with equal numbers of each verdict; the random review of automated decisions; a
 * review queue; an appeal; or no chance mechanism at all.
 */
export const LABEL_DRAWS = ["random", "sheet", "review", "queue", "appeal", "convenience"] as const;
export type LabelDraw = (typeof LABEL_DRAWS)[number];

/** Sources of labels for what is defensible, with which a score is compared. */
export const TARGET_NAMES: Readonly<Record<TargetKind, string>> = {
  human: "labels by people",
  gold: "reference annotations",
  auditor: "verdicts of another auditor",
  replicates: "the majority of replicates",
  self: "the auditor's own verdicts",
};

/** The same with its origin: "labels by people (labels.csv)". */
export function targetName({ kind, source }: { kind: TargetKind; source?: string | null }): string {
  return source ? `${TARGET_NAMES[kind]} (${source})` : TARGET_NAMES[kind];
}

/** Problems with a sample of labels. */
export const LABEL_FLAGS = ["design_unknown", "other_frame", "no_design", "inclusion_missing"] as const;
export type LabelFlag = (typeof LABEL_FLAGS)[number];

/** An experiment whose result a workspace stores, named after its file `experiments/<kind>.json`. `src/experiments/registry.ts` has the list. */
export type ExperimentKind = keyof ExperimentResults;

/** Stability classes by the share of the most frequent level, most stable first; separate from the schema, like the actions. */
export const STABILITY_CLASSES = ["rock_solid", "mostly_stable", "moderate", "highly_unstable"] as const;
export type StabilityClass = (typeof STABILITY_CLASSES)[number];

/** Stability across the boundary between defensible and indefensible over repeated audits, by the share of level 3. */
export const BOUNDARY_STATES = ["stably_defensible", "boundary_unstable", "stably_indefensible"] as const;
export type BoundaryState = (typeof BOUNDARY_STATES)[number];

/** Groups formed by a pilot before anything is measured. */
export const STABILITY_GROUPS = ["flipper", "stable"] as const;
export type StabilityGroup = (typeof STABILITY_GROUPS)[number];

/** The auditor and settings of a run. */
export function auditSettings(manifest: Manifest) {
  const { auditor, auditor_version, prompt_version, template, tier, temperature, signal } = manifest;
  return { auditor, auditor_version, prompt_version, template, tier, temperature, signal };
}

/** Whether all audits of a run belong to arms of an experiment, so that the run has no report of its own. */
export function isArmsOnly(experiment: { arms: readonly { name: string }[] } | undefined): boolean {
  return experiment?.arms.every(({ name }) => name !== "") ?? false;
}
