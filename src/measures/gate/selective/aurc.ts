import { digamma } from "../../../stats/distributions/digamma.js";
import type { ScoreGroups } from "./score-groups.js";

export interface AreaUnderRiskCoverage {
  /** Null where no row has a score. */
  aurc: number | null;
  /** What a score that ranks every defensible row above every indefensible one would have. */
  best: number | null;
  /** aurc − best: what is left to gain. */
  excess: number | null;
  /** What a score without information has on average: the risk of all scored rows. */
  random: number | null;
  reason: string | null;
  /** Scored rows. */
  n: number;
}

/**
 * Area under the risk–coverage curve: the mean risk over all coverages, one number for how well a score ranks. Smaller is better; it mixes
 * ranking with the rate itself, which the excess takes out.
 *
 * Formula: AURC = 1/n Σ_{i=1..n} E[k_i] / i, k_i the loss among the i best rows, equal scores in random order: within a group of g rows with
 * loss b after a rows with loss k, E[k_i] = k + b(i − a)/g. Best: K bad rows last, 1/n Σ_{i>n−K} (i − n + K)/i. Excess = AURC − best.
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

/** Σ (i − good)/i for i = good + 1 to n: what the formula with Σ 1/i gives, without its cancellation where few rows are bad. */
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

/** The same between ends that are no whole numbers. */
function inverseSumOfReals(from: number, to: number): number {
  return digamma(to + 1) - digamma(from + 1);
}
