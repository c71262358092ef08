import type { Estimate } from "../../../core/estimate.js";
import { type LearnThenTestOptions, learnThenTest } from "./learn-then-test.js";
import { coverageOf, type ScoreGroups } from "./score-groups.js";
import { checkShare, type SelectiveResult } from "./selective-result.js";

/** Risks at which coverage is reported. */
export const REPORTED_RISKS = [0.01, 0.02, 0.05] as const;

export interface CoverageAtRisk {
  risk: number;
  /** Seen on these rows: an optimistic figure, because the threshold was chosen on them. */
  empirical: { threshold: number | null; k: number; n: number; coverage: Estimate };
  /** With the guarantee of `learnThenTest`. */
  certified: SelectiveResult;
}

/**
 * How much could be automated at a given risk: on these rows, and with a guarantee for rows to come.
 *
 * Formula: empirical: greatest n(τ)/rows with k(τ)/n(τ) ≤ r, on counts, or sums of weights, with a slack of 1e-9; certified: `learnThenTest` at (r, δ).
 * Range: [0, 1]; rises with r. No threshold: coverage 0, threshold null.
 * Undefined when: no rows: the coverage says so. RangeError for r or δ outside (0, 1).
 * Differs from the paper: not in the paper.
 * @see `riskCoverageCurve`, `learnThenTest`
 * @example
 * coverageAtRisk({ rows: 4, scored: 4, binary: true, threshold: [0.9, 0.5], n: [2, 4], k: [0, 1] }, { risk: 0.05, delta: 0.05 }).empirical.n // => 2
 */
export function coverageAtRisk(groups: ScoreGroups, options: LearnThenTestOptions): CoverageAtRisk {
  checkShare("risk", options.risk);
  let found = groups.n.length - 1;
  const by = groups.weighted ?? groups;
  while (found >= 0 && by.k[found]! > options.risk * by.n[found]! + 1e-9) found -= 1;
  const [threshold, n, k] = found < 0 ? [null, 0, 0] : [groups.threshold[found]!, groups.n[found]!, groups.k[found]!];
  return {
    risk: options.risk,
    empirical: { threshold, k, n, coverage: coverageOf(groups, n) },
    certified: learnThenTest(groups, options),
  };
}
