import { CONFIDENCE_LEVEL, type Estimate } from "../../core/estimate.js";
import { checkLevel } from "../check-arguments.js";
import { normalCdf } from "../distributions/normal.js";
import { auroc } from "../ranks/auroc.js";
import { averageRanks } from "../ranks/sorted-order.js";

export interface MannWhitney {
  /** Pairs in which the first group's value is larger, with equal ones counted one half; null without both groups. */
  u: number | null;
  p_value: number | null;
  p_method: "exact" | "normal, ties and continuity corrected" | null;
  /** Cliff's δ: probability that the first group's value is larger minus the probability that it is smaller. */
  effect: Estimate;
}

/** Without ties, up to this many pairs the distribution of U is enumerated. */
const EXACT_UP_TO = 400;

/**
 * Mann and Whitney's test of two independent groups, with the effect size: are the first group's values typically larger
 * than the second's, and how often?
 *
 * Formula: U = Σ_i Σ_j ψ(x_i, y_j), ψ = 1, ½, 0 for x > y, =, <. Cliff's δ = 2U/(mn) − 1, also the rank-biserial
 * correlation; its interval is DeLong's of U/(mn), mapped. p, two-sided: without ties and mn ≤ 400 from the exact
 * distribution of U; else z = (|U − mn/2| − ½) / √(mn/12 (N + 1 − Σ(t³ − t)/(N(N−1)))), N = m + n, t the sizes of ties.
 * Range: U in [0, mn]; δ in [−1, 1], 0 for groups that overlap evenly; p in (0, 1].
 * Undefined when: a group is empty, or all values are equal (p is null; δ is 0). RangeError when a value is NaN.
 * Differs from the paper: the paper prints asterisks and names neither test nor effect.
 * @see Mann and Whitney (1947), Annals of Mathematical Statistics 18:50-60; Cliff (1993), Psychological Bulletin 114:494-509
 * @example
 * mannWhitney([3, 4, 5], [1, 2]).p_value // => 0.2
 */
export function mannWhitney(x: ArrayLike<number>, y: ArrayLike<number>, level: number = CONFIDENCE_LEVEL): MannWhitney {
  checkLevel(level);
  const [m, n] = [x.length, y.length];
  const effect = cliffsDelta(auroc(x, y, level));
  if (m === 0 || n === 0) return { u: null, p_value: null, p_method: null, effect };
  const all = Float64Array.from({ length: m + n }, (_, i) => (i < m ? x[i]! : y[i - m]!));
  const ranks = averageRanks(all);
  let sum = 0;
  for (let i = 0; i < m; i += 1) sum += ranks[i]!;
  const u = sum - (m * (m + 1)) / 2;
  const ties = tieTerm(all);
  if (ties === 0 && m * n <= EXACT_UP_TO) return { u, p_value: exactP(u, m, n), p_method: "exact", effect };
  const total = m + n;
  const variance = ((m * n) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (!(variance > 0)) return { u, p_value: null, p_method: null, effect };
  const z = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / Math.sqrt(variance);
  return { u, p_value: Math.min(1, 2 * normalCdf(-z)), p_method: "normal, ties and continuity corrected", effect };
}

/** Converts an area A under the ROC curve to 2A − 1. */
function cliffsDelta(area: Estimate): Estimate {
  if (area.estimate === null) return { ...area, reason: "a group is empty" };
  const { estimate, lower, upper, level, n } = area;
  return { estimate: 2 * estimate - 1, lower: 2 * lower - 1, upper: 2 * upper - 1, level, method: area.method, n };
}

/** Σ(t³ − t) over runs of equal values. */
function tieTerm(values: Float64Array): number {
  const sorted = values.slice().sort();
  let sum = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && sorted[end] === sorted[start]) end += 1;
    const t = end - start;
    sum += t ** 3 - t;
    start = end;
  }
  return sum;
}

/** Share of the orderings of m and n values whose U is at least as far from mn/2. */
function exactP(u: number, m: number, n: number): number {
  const counts = orderCounts(m, n);
  const far = Math.min(u, m * n - u);
  let tail = 0;
  let all = 0;
  for (let i = 0; i < counts.length; i += 1) {
    all += counts[i]!;
    if (i <= far) tail += counts[i]!;
  }
  return Math.min(1, (2 * tail) / all);
}

/** Number of orderings with each U: the coefficients of the Gaussian binomial, built factor by factor. */
function orderCounts(m: number, n: number): Float64Array {
  let counts = new Float64Array(m * n + 1);
  counts[0] = 1;
  for (let j = 1; j <= m; j += 1) {
    // Multiply by (1 − q^{n+j}), from the top down; then divide by (1 − q^j), from the bottom up.
    for (let i = counts.length - 1; i >= n + j; i -= 1) counts[i]! -= counts[i - n - j]!;
    for (let i = j; i < counts.length; i += 1) counts[i]! += counts[i - j]!;
  }
  counts = counts.map((count) => Math.max(0, count));
  return counts;
}
