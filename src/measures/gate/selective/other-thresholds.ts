import type { Estimate } from "../../../core/estimate.js";
import { binomialCdf } from "../../../stats/distributions/incomplete-beta.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { zeroFailureSize } from "../plan/certify-size.js";
import {
  certified,
  checkShare,
  percent,
  type RiskLimits,
  refused,
  type SelectiveResult,
  type SelectiveRisk,
  type SelectiveTest,
  tooFewRows,
} from "./learn-then-test.js";
import type { ScoreGroups } from "./score-groups.js";

/** A threshold with a bound on the joint risk, or none with the reason. */
export interface JointRiskResult {
  /** Automate rows whose score is at least this; null: no threshold exists. */
  threshold: number | null;
  reason: string | null;
  /** Mean joint risk that must not be exceeded. */
  target: number;
  /** Automated rows among all rows, including unscored ones. */
  coverage: Estimate;
  /** Joint risk: `k` indefensible automated rows of all `n` rows; `upper` is (k + 1)/(n + 1). */
  risk: SelectiveRisk;
  scored: number;
}

/**
 * Lowest threshold that keeps the joint risk, the share of *all* decisions that are automated and indefensible, at most α on average: conformal risk
 * control. It says nothing about the share among the automated ones, which is not monotone in the threshold.
 *
 * Formula: smallest τ with n/(n+1) · R̂(τ) + 1/(n+1) ≤ α, R̂(τ) = Σ loss_i·1{s_i ≥ τ} / n, n all rows; as counts, k(τ) + 1 ≤ α(n + 1).
 * Range: a score, or null with the reason.
 * Promise: E[loss·1{s ≥ τ}] ≤ α for the next decision, on average over the rows too, for exchangeable rows; no confidence level.
 * Undefined when: no row has a score, n < 1/α − 1, or even the best score has too much loss. RangeError for α outside (0, 1), weights or threads.
 * Differs from the paper: the paper has no selective automation.
 * @see Angelopoulos, Bates, Fisch, Lei and Schuster (2024), International Conference on Learning Representations, theorem 1
 * @example
 * conformalRiskControl({ rows: 99, scored: 99, binary: true, threshold: [0.9, 0.5], n: [60, 99], k: [0, 2] }, { risk: 0.02 }).threshold // => 0.9
 */
export function conformalRiskControl(groups: ScoreGroups, { risk }: { risk: number }): JointRiskResult {
  checkShare("risk", risk);
  if (groups.units)
    throw new RangeError("rows: not exchangeable; got rows with weights or in threads, expected independent rows");
  const { rows, scored } = groups;
  const none = { target: risk, threshold: null, coverage: proportion(0, rows), scored };
  const refused = (reason: string) => ({ ...none, reason, risk: { k: 0, n: 0, estimate: null, upper: null } });
  const promise = `a joint risk of at most ${percent(risk)}`;
  // The slack keeps 1/α − 1 rows with no loss, and other exact counts, from failing by rounding.
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

/**
 * Lowest threshold whose automated rows have a risk of at most r, with probability 1 − δ: selection with guaranteed risk (SGR), a bisection over the
 * distinct scores with an exact bound at each step.
 *
 * Formula: g distinct scores, K = ⌈log2(g + 1)⌉ steps; a threshold is certified if the Clopper–Pearson bound at δ/K is at most r, that is P(Bin(n(τ),
 * r) ≤ k(τ)) ≤ δ/K; if certified, continue with more coverage, else with less. The lowest certified threshold is chosen.
 * Range: a score, or null with the reason.
 * Promise: P(risk above r) ≤ δ for independent rows like future ones, if risk does not fall as the threshold falls: up to its first mistake the
 * bisection then visits the same K thresholds whatever the rows, so the union bound holds. `learnThenTest` with fixed thresholds needs no such
 * assumption.
 * Undefined when: no row has a score, too few have, or no visited threshold passes. RangeError for r, δ outside (0, 1), losses between 0 and 1,
 * weights or threads.
 * Differs from the paper: the paper has no selective automation. From its authors' code: counts are integers (theirs truncates m times the rate), the
 * lowest certified threshold is returned instead of the last visited, equal scores are one threshold, and full coverage is tested too, which takes
 * one step more than ⌈log2 g⌉ where g is a power of 2.
 * @see Geifman and El-Yaniv (2017), Advances in Neural Information Processing Systems 30, algorithm 1
 * @example
 * selectGuaranteedRisk({ rows: 30, scored: 30, binary: true, threshold: [0.9], n: [30], k: [0] }, { risk: 0.1, delta: 0.05 }).threshold // => 0.9
 */
export function selectGuaranteedRisk(groups: ScoreGroups, options: RiskLimits): SelectiveResult {
  checkShare("risk", options.risk);
  checkShare("delta", options.delta);
  if (!groups.binary || groups.units) {
    throw new RangeError(
      "losses: not independent counts; got losses between 0 and 1, weights or threads, expected 0 and 1 (learnThenTest takes the others)",
    );
  }
  const steps = Math.max(1, Math.ceil(Math.log2(groups.threshold.length + 1)));
  const limit = options.delta / steps;
  const promise = `a risk of at most ${percent(options.risk)} at ${percent(1 - options.delta)} confidence`;
  const short = tooFewRows(groups, zeroFailureSize(options.risk, limit), promise);
  if (short !== null) return refused(groups, options, short);
  const tested: SelectiveTest[] = [];
  let lowest: SelectiveTest | null = null;
  let strict = -1;
  let lenient = groups.threshold.length;
  while (lenient - strict > 1) {
    const middle = (strict + lenient) >> 1;
    const [threshold, n, k] = [groups.threshold[middle]!, groups.n[middle]!, groups.k[middle]!];
    const p = binomialCdf(k, n, options.risk);
    const test = { threshold, n, k, p, limit, passed: p <= limit };
    tested.push(test);
    if (test.passed) {
      lowest = test;
      strict = middle;
    } else lenient = middle;
  }
  if (lowest !== null) return certified(groups, options, lowest, tested);
  const { k, n } = tested.reduce((best, test) => (test.p < best.p ? test : best));
  const reason = `rate too high: none of ${tested.length} thresholds passes; at the best of them ${k} of ${n} rows are indefensible, too many for ${promise}`;
  return refused(groups, options, reason, tested);
}
