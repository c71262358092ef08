import type { BoundaryState, StabilityClass } from "../../core/results/stability-names.js";

/** Least share of the commonest level of each class but the last. The paper's. */
export const CLASS_THRESHOLDS = [0.95, 0.8, 0.6] as const;

/** Shares of level 3 between which a case is boundary-unstable. The paper's. */
export const BOUNDARY_THRESHOLDS = [0.1, 0.9] as const;

/** Fewest replicates for a class: with one, everything would be rock solid. */
export const LEAST_REPLICATES = 30;

/** 0.95 from counts must be 0.95 whatever the rounding. */
const SLACK = 1e-12;

/**
 * Stability class of a case: how often repeated audits give its commonest level.
 *
 * Formula: m = largest count / K; rock_solid for m in [.95, 1], mostly_stable in [.80, .95), moderate in [.60, .80),
 * highly_unstable below; thresholds with a slack of 1e-12.
 * Range: four classes, ordered.
 * Undefined when: K < 30: null. RangeError when a count is not within 0 to K.
 * Differs from the paper: its classes touch ("80–95 %"); here they are half-open, and K has a least value.
 * @see paper §7.1
 * @example
 * stabilityClass(38, 40) // => "rock_solid"
 */
export function stabilityClass(largestCount: number, k: number): StabilityClass | null {
  checkCounts("largest count", largestCount, k);
  if (k < LEAST_REPLICATES) return null;
  const share = largestCount / k + SLACK;
  if (share >= CLASS_THRESHOLDS[0]) return "rock_solid";
  if (share >= CLASS_THRESHOLDS[1]) return "mostly_stable";
  return share >= CLASS_THRESHOLDS[2] ? "moderate" : "highly_unstable";
}

/**
 * Whether the line between defensible and not is stable for a case: a gate's verdict on it is a coin toss where it is not.
 *
 * Formula: p = count of level 3 / K; boundary_unstable iff .10 < p < .90 strictly, with a slack of 1e-12; else
 * stably_defensible (p ≤ .10) or stably_indefensible (p ≥ .90).
 * Range: three states. Rock solid cases are never boundary-unstable: that is arithmetic, not a finding.
 * Undefined when: K < 30: null.
 * Differs from the paper: nothing, except the least K.
 * @see paper §7.1, appendix A.4
 * @example
 * boundaryState(4, 40) // => "stably_defensible"
 */
export function boundaryState(thirds: number, k: number): BoundaryState | null {
  checkCounts("level 3", thirds, k);
  if (k < LEAST_REPLICATES) return null;
  const share = thirds / k;
  if (share <= BOUNDARY_THRESHOLDS[0] + SLACK) return "stably_defensible";
  return share >= BOUNDARY_THRESHOLDS[1] - SLACK ? "stably_indefensible" : "boundary_unstable";
}

/** Counts may be sums of probabilities. */
function checkCounts(name: string, count: number, k: number): void {
  if (!(typeof count === "number" && typeof k === "number" && count >= 0 && count <= k + SLACK * k)) {
    throw new RangeError(`${name}: not within 0 to K; got ${String(count)} of K = ${String(k)}`);
  }
}
