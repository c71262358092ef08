import type { Estimate } from "../../../core/estimate.js";
import { digamma } from "../../../stats/distributions/special-functions.js";
import { checkShare, type LearnThenTestOptions, learnThenTest, type SelectiveResult } from "./learn-then-test.js";
import { coverageOf, type ScoreGroups } from "./score-groups.js";

/** Risks at which coverage is reported. */
export const REPORTED_RISKS = [0.01, 0.02, 0.05] as const;

export interface CoverageAtRisk {
  risk: number;
  /** On these rows: optimistic, because the threshold was chosen on them. */
  empirical: { threshold: number | null; k: number; n: number; coverage: Estimate };
  /** With the guarantee of `learnThenTest`. */
  certified: SelectiveResult;
}

/**
 * How much could be automated at a given risk: on these rows, and with a guarantee for future rows.
 *
 * Formula: empirical: greatest n(τ)/rows with k(τ)/n(τ) ≤ r, on counts, or sums of weights, with a slack of 1e-9; certified: `learnThenTest` at (r,
 * δ).
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

/** Most points of a curve that is shown or stored. */
export const CURVE_POINTS = 200;

export interface RiskCoveragePoint {
  threshold: number;
  /** Automated rows and their loss, each row counted once. */
  n: number;
  k: number;
  /** Share of all rows, including unscored ones; coverage and risk of weighted rows use their weights. */
  coverage: number;
  risk: number;
}

/**
 * Risk among the automated rows against the automated share, as the threshold falls: what any threshold would have given on these rows. Each point is
 * exact; equal scores make one point, because no threshold can separate them.
 *
 * Formula: (n(τ) / rows, k(τ) / n(τ)) for the distinct scores τ, falling; of more than `points` of them the last one in each of `points` equal steps
 * of coverage, with both ends. Rows with weights: sums of weights for n, k and rows.
 * Range: coverage rises within (0, 1], risk lies within [0, 1].
 * Undefined when: no row has a score: no points. RangeError for fewer than 2 points.
 * Differs from the paper: the paper draws its decision-level frontier over S; this is the same curve for any score.
 * @see El-Yaniv and Wiener (2010), Journal of Machine Learning Research 11:1605-1641
 * @example
 * riskCoverageCurve({ rows: 4, scored: 3, binary: true, threshold: [0.9, 0.5], n: [1, 3], k: [0, 1] }).length // => 2
 */
export function riskCoverageCurve(groups: ScoreGroups, points = CURVE_POINTS): RiskCoveragePoint[] {
  if (!(Number.isSafeInteger(points) && points >= 2)) {
    throw new RangeError(`points: not a number of points; got ${points}, expected an integer from 2 on`);
  }
  const by = groups.weighted ?? groups;
  const size = groups.threshold.length;
  const curve: RiskCoveragePoint[] = [];
  const add = (i: number): void => {
    const [threshold, n, k] = [groups.threshold[i]!, groups.n[i]!, groups.k[i]!];
    curve.push({ threshold, n, k, coverage: by.n[i]! / by.rows, risk: by.k[i]! / by.n[i]! });
  };
  if (size <= points) {
    for (let i = 0; i < size; i += 1) add(i);
    return curve;
  }
  add(0);
  // A single division of integers: all scored rows fall into step points − 1, and rounding never adds a step.
  const all = by.n[size - 1]!;
  const step = (i: number): number => Math.min(points - 1, Math.ceil((by.n[i]! * (points - 1)) / all));
  for (let i = 1; i < size; i += 1) {
    const last = i === size - 1;
    if (last || step(i + 1) > step(i)) add(i);
  }
  return curve;
}

export interface AreaUnderRiskCoverage {
  /** Null if no row has a score. */
  aurc: number | null;
  /** AURC of a score that ranks every defensible row above every indefensible one. */
  best: number | null;
  /** aurc − best: the possible gain. */
  excess: number | null;
  /** Mean AURC of a score without information: the risk of all scored rows. */
  random: number | null;
  reason: string | null;
  /** Scored rows. */
  n: number;
}

/**
 * Area under the risk–coverage curve: the mean risk over all coverages, one number for how well a score ranks. Smaller is better. It mixes ranking
 * with the rate itself, which the excess removes.
 *
 * Formula: AURC = 1/n Σ_{i=1..n} E[k_i] / i, k_i the loss among the i best rows, equal scores in random order: within a group of g rows with loss b
 * after a rows with loss k, E[k_i] = k + b(i − a)/g. Best: K bad rows last, 1/n Σ_{i>n−K} (i − n + K)/i. Excess = AURC − best.
 * Rows with weights, mean 1: sums of weights for counts, and Σ 1/i between real ends a and b is ψ(b + 1) − ψ(a + 1).
 * Range: [0, 1]; best ≤ AURC; AURC is the overall risk if all scores are equal. Unscored rows are left out.
 * Undefined when: no row has a score; `best` and `excess` also where losses lie between 0 and 1.
 * Differs from the paper: not in the paper.
 * @see Geifman, Uziel and El-Yaniv (2019), International Conference on Learning Representations, section 3
 * @example
 * areaUnderRiskCoverage({ rows: 2, scored: 2, binary: true, threshold: [0.9, 0.5], n: [1, 2], k: [0, 1] }).aurc // => 0.25
 */
export function areaUnderRiskCoverage(groups: ScoreGroups): AreaUnderRiskCoverage {
  const n = groups.scored;
  if (n === 0) return { aurc: null, best: null, excess: null, random: null, reason: "no row has a score", n };
  const { by, scale } = groups.weighted
    ? { by: groups.weighted, scale: n / groups.weighted.n.at(-1)! }
    : { by: groups, scale: 1 };
  const inverseSum = groups.weighted ? inverseSumOfReals : inverseSumOfCounts;
  let area = 0;
  let before = 0;
  let lossBefore = 0;
  for (let group = 0; group < by.n.length; group += 1) {
    const end = scale * by.n[group]!;
    const loss = scale * by.k[group]! - lossBefore;
    const slope = loss / (end - before);
    const offset = lossBefore - slope * before;
    area += loss;
    if (offset !== 0) area += offset * inverseSum(before, end);
    before = end;
    lossBefore = scale * by.k[group]!;
  }
  const aurc = area / n;
  const random = lossBefore / n;
  if (!groups.binary)
    return { aurc, best: null, excess: null, random, reason: "losses between 0 and 1 have no best order here", n };
  const good = n - lossBefore;
  const best = (groups.weighted ? lossBefore - good * inverseSum(good, n) : bestOfCounts(good, n)) / n;
  return { aurc, best, excess: Math.max(0, aurc - best), random, reason: null, n };
}

/** Σ (i − good)/i for i = good + 1 to n: equals the formula with Σ 1/i, but avoids its cancellation if few rows are bad. */
function bestOfCounts(good: number, n: number): number {
  let sum = 0;
  for (let i = good + 1; i <= n; i += 1) sum += (i - good) / i;
  return sum;
}

/** Σ 1/i for i = from + 1 to `to`. */
function inverseSumOfCounts(from: number, to: number): number {
  let sum = 0;
  for (let i = from + 1; i <= to; i += 1) sum += 1 / i;
  return sum;
}

/** The same sum between real ends. */
function inverseSumOfReals(from: number, to: number): number {
  return digamma(to + 1) - digamma(from + 1);
}
