import { FLIP_ARM } from "../core/names.js";
import type { Precedent } from "../core/records/decision.js";
import type { RuleSet, Tier } from "../core/records/rule-set.js";
import type { Template } from "../core/records/trace.js";

/**
 * One condition under which the decisions of a run are audited: what differs from the run's settings. `name` is the audit's `arm`;
 * "" is the run as it stands.
 */
export interface Arm {
  name: string;
  tier?: Tier;
  template?: Template;
  temperature?: number;
  /** Only the rules of this scope are shown. */
  scope?: "platform" | "community";
  /** false: no precedents are shown. */
  precedents?: boolean;
  /** The other action is audited instead of the one that was taken. */
  opposite?: boolean;
  /** Arms with the same one draw the same random numbers, so that what differs between them is the condition and not luck. Default: the name. */
  draws?: string;
  /** Other rules or precedents than the workspace's; `id` is a hash of them. */
  book?: { id: string; rules?: readonly RuleSet[]; precedents?: readonly Precedent[] };
}

/** The run as it stands. */
export const PLAIN_ARM: Arm = { name: "" };

/** The arm that audits the opposite action. */
export const OPPOSITE_ARM: Arm = { name: FLIP_ARM, opposite: true };

/**
 * The flip control of an ordinary run: decisions whose opposite action is audited too, to see whether the auditor notices that a decision
 * was inverted. Drawn by the run's seed among all decisions of the run, so that it is a random sample of them.
 */
export type Flips = (decisionId: string) => boolean;

export function tierArm(tier: Tier): Arm {
  return { name: `tier=${tier}`, tier, draws: PLAIN_ARM.name };
}

export function temperatureArm(temperature: number): Arm {
  return { name: `t=${temperature}`, temperature };
}

export function scopeArm(scope: "platform" | "community"): Arm {
  return { name: `scope=${scope}`, scope, draws: PLAIN_ARM.name };
}
