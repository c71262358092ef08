import type { Estimate } from "../../../core/estimate.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import type { ScoreGroups } from "./score-groups.js";
import { checkShare, percent, type SelectiveRisk, tooFewRows } from "./selective-result.js";

/** A threshold with a bound on the joint risk, or none with the reason. */
export interface JointRiskResult {
  /** Automate rows whose score is at least this; null: no threshold exists. */
  threshold: number | null;
  reason: string | null;
  /** Mean joint risk that is not to be exceeded. */
  target: number;
  /** Automated rows among all rows, unscored ones included. */
  coverage: Estimate;
  /** Joint risk: `k` indefensible automated rows of all `n` rows; `upper` is (k + 1)/(n + 1). */
  risk: SelectiveRisk;
  scored: number;
}

/**
 * Lowest threshold that keeps the joint risk, the share of *all* decisions that are automated and indefensible, at most α on average:
 * conformal risk control. Says nothing of the share among the automated ones, which is not monotone in the threshold.
 *
 * Formula: smallest τ with n/(n+1) · R̂(τ) + 1/(n+1) ≤ α, R̂(τ) = Σ loss_i·1{s_i ≥ τ} / n, n all rows; as counts, k(τ) + 1 ≤ α(n + 1).
 * Range: a score, or null with the reason.
 * Promise: E[loss·1{s ≥ τ}] ≤ α for the next decision, on average over the rows too, for exchangeable rows; no confidence level.
 * Undefined when: no row has a score, n < 1/α − 1, or the best score has too much loss already. RangeError for α outside (0, 1), or weights.
 * Differs from the paper: the paper has no selective automation.
 * @see Angelopoulos, Bates, Fisch, Lei and Schuster (2024), International Conference on Learning Representations, theorem 1
 * @example
 * conformalRiskControl({ rows: 99, scored: 99, binary: true, threshold: [0.9, 0.5], n: [60, 99], k: [0, 2] }, { risk: 0.02 }).threshold // => 0.9
 */
export function conformalRiskControl(groups: ScoreGroups, { risk }: { risk: number }): JointRiskResult {
  checkShare("risk", risk);
  if (groups.weighted)
    throw new RangeError("weights: not exchangeable; got weighted rows, expected rows without weights");
  const { rows, scored } = groups;
  const none = { target: risk, threshold: null, coverage: proportion(0, rows), scored };
  const refused = (reason: string) => ({ ...none, reason, risk: { k: 0, n: 0, estimate: null, upper: null } });
  const promise = `a joint risk of at most ${percent(risk)}`;
  // The slack keeps 1/α − 1 rows with no loss, and other exact counts, from failing in the last digit.
  const allowed = risk * (rows + 1) - 1 + 1e-9;
  const needed = Math.ceil(1 / risk - 1 - 1e-9);
  if (scored === 0) return refused(tooFewRows(groups, needed, promise)!);
  if (allowed < 0) return refused(`too few rows: ${rows}; ${promise} needs at least ${needed}`);
  const chosen = groups.k.findLastIndex((k) => k <= allowed);
  if (chosen < 0) {
    return refused(
      `rate too high: ${groups.k[0]} of the ${groups.n[0]} rows with the highest score are indefensible, ${promise} allows ${Math.floor(allowed)} of ${rows} rows`,
    );
  }
  const k = groups.k[chosen]!;
  return {
    threshold: groups.threshold[chosen]!,
    reason: null,
    target: risk,
    coverage: proportion(groups.n[chosen]!, rows),
    risk: { k, n: rows, estimate: k / rows, upper: (k + 1) / (rows + 1) },
    scored,
  };
}
