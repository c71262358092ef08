import type { Tier } from "../../core/records/rule-set.js";
import type { TrueVerdict, Truth } from "../../core/records/truth.js";
import { oppositeTruth } from "../world/opposite-truth.js";

/** What of a truth an audit can turn on. */
export type CaseTruth = Pick<Truth, "level" | "inverse" | "tiers" | "scopes" | "contest">;

/** What an auditor is shown of a case. */
export interface Shown {
  tier: Tier;
  /** Whose rules. */
  scopes: "both" | "platform" | "community" | "none";
  /** The action audited is not the one that was taken. */
  opposite: boolean;
  precedents: boolean;
}

const NOTHING: TrueVerdict = { level: 3, inverse: false };

/**
 * What is true of a decision under the text that an auditor is shown.
 *
 * Formula: both scopes: the truth of the tier. One scope: the truth of that scope, at the tier's where the scope carries the case (its truth is the
 * whole truth). No rules: level 3, no inverse. Of the opposite action: `oppositeTruth` of that.
 * Range: a verdict.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see paper §3.1, §6
 */
export function shownVerdict(truth: CaseTruth, shown: Shown): TrueVerdict {
  const verdict = underText(truth, shown);
  return shown.opposite ? oppositeTruth(verdict) : verdict;
}

/** The same of the action that was taken. */
export function underText(truth: CaseTruth, { tier, scopes }: Shown): TrueVerdict {
  if (scopes === "none") return NOTHING;
  const atTier = truth.tiers[tier];
  if (scopes === "both") return atTier;
  const alone = truth.scopes[scopes];
  return alone.level === truth.level && alone.inverse === truth.inverse ? atTier : alone;
}
