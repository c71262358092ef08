import { proportion } from "../../stats/index.js";
import type { ScoreGroups } from "./score-groups.js";
import {
  checkShare,
  percent,
  refused,
  type SelectiveResult,
  type SelectiveTest,
  tooFewRows,
} from "./selective-result.js";

/**
 * Lowest threshold that keeps the joint risk, the share of *all* decisions that are automated and indefensible, at most α on average:
 * conformal risk control. Says nothing of the share among the automated ones, which is not monotone in the threshold.
 *
 * Formula: smallest τ with n/(n+1) · R̂(τ) + 1/(n+1) ≤ α, R̂(τ) = Σ loss_i·1{s_i ≥ τ} / n, n all rows; as counts, k(τ) + 1 ≤ α(n + 1).
 * Range: a score, or null with the reason.
 * Promise: E[loss·1{s ≥ τ}] ≤ α for the next decision, on average over the rows too, for exchangeable rows; no confidence level.
 * Undefined when: no row has a score, n < 1/α − 1, or the best score has too much loss already. RangeError for α outside (0, 1).
 * Differs from the paper: the paper has no selective automation.
 * @see Angelopoulos, Bates, Fisch, Lei and Schuster (2024), International Conference on Learning Representations, theorem 1
 * @example
 * conformalRiskControl({ rows: 99, scored: 99, binary: true, threshold: [0.9, 0.5], n: [60, 99], k: [0, 2] }, { risk: 0.02 }).threshold // => 0.9
 */
export function conformalRiskControl(groups: ScoreGroups, options: { risk: number }): SelectiveResult {
  const { risk } = options;
  checkShare("risk", risk);
  const limits = { risk, delta: null };
  const { rows } = groups;
  const promise = `a joint risk of at most ${percent(risk)}`;
  // The slack keeps 1/α − 1 rows with no loss, and other exact counts, from failing in the last digit.
  const allowed = risk * (rows + 1) - 1 + 1e-9;
  const needed = Math.ceil(1 / risk - 1 - 1e-9);
  const short = groups.scored === 0 ? tooFewRows(groups, needed, promise) : null;
  if (short !== null) return refused("conformal_risk_control", groups, limits, short);
  if (allowed < 0) {
    const reason = `too few rows: ${rows}; ${promise} needs at least ${needed}`;
    return refused("conformal_risk_control", groups, limits, reason);
  }
  const within = countWithin(groups.k, allowed);
  const tested: SelectiveTest[] = [];
  if (within > 0) tested.push(testOf(groups, within - 1, risk, true));
  if (within < groups.k.length) tested.push(testOf(groups, within, risk, false));
  if (within === 0) {
    const reason = `rate too high: ${groups.k[0]} of the ${groups.n[0]} rows with the highest score are indefensible, ${promise} allows ${Math.floor(allowed)} of ${rows} rows`;
    return refused("conformal_risk_control", groups, limits, reason, tested);
  }
  const { threshold, n, k } = tested[0]!;
  return {
    method: "conformal_risk_control",
    threshold,
    reason: null,
    target: risk,
    delta: null,
    coverage: proportion(n, rows),
    risk: { of: "all", k, n: rows, estimate: k / rows, upper: (k + 1) / (rows + 1) },
    scored: groups.scored,
    tested,
  };
}

/** How many of the rising losses are at most `allowed`. */
function countWithin(k: Float64Array, allowed: number): number {
  let low = 0;
  let high = k.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (k[middle]! <= allowed) low = middle + 1;
    else high = middle;
  }
  return low;
}

function testOf(groups: ScoreGroups, group: number, limit: number, passed: boolean): SelectiveTest {
  return { threshold: groups.threshold[group]!, n: groups.n[group]!, k: groups.k[group]!, p: null, limit, passed };
}
