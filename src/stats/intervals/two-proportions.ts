import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { squareAndAdd } from "../optimise/cosine-transform.js";
import { type Interval, wilsonInterval } from "./proportion.js";

/**
 * Newcombe interval of a difference of two independent proportions, p1 − p2: for comparing the same rate in two sets of rows.
 *
 * Formula: with Wilson bounds l, u of each and d = p1 − p2:
 * lower = d − √((p1−l1)² + (u2−p2)²), upper = d + √((u1−p1)² + (p2−l2)²).
 * Range: within [−1, 1], encloses d; mirrored when the two samples are exchanged.
 * Undefined when: either sample is empty or has k outside 0..n, or level outside (0, 1): RangeError.
 * Differs from the paper: the paper prints no intervals. Not for paired rows: use `mcnemar`.
 * @see Newcombe (1998), Statistics in Medicine 17:873-890, method 10
 * @example
 * newcombeInterval(56, 70, 48, 80) // => { lower: 0.0524314724023649, upper: 0.333872654036906 }
 */
export function newcombeInterval(k1: number, n1: number, k2: number, n2: number, level = CONFIDENCE_LEVEL): Interval {
  const [first, second] = [wilsonInterval(k1, n1, level), wilsonInterval(k2, n2, level)];
  return squareAndAdd({ estimate: k1 / n1, ...first }, { estimate: k2 / n2, ...second });
}

/**
 * Tango's score interval of a difference of two rates measured on the same rows, for paired comparisons; it works with few rows and with empty cells.
 *
 * Formula: b rows have the first property only, c the second only, d = (b − c)/n. Bounds are the Δ with (b − c − nΔ) /
 * √(n(2q + Δ(1−Δ))) = ±z, q the share of second-only rows that is most likely under Δ: q = (√(B² − 8nC) − B) / 4n, B =
 * (2n − b + c)Δ − b − c, C = −cΔ(1−Δ). By bisection: the statistic falls in Δ.
 * Range: within [−1, 1], encloses d; mirrored when b and c are exchanged.
 * Undefined when: n = 0, b + c > n, or a number is not a count: RangeError.
 * Differs from the paper: the paper compares paired conditions without intervals.
 * @see Tango (1998), Statistics in Medicine 17:891-908
 * @example
 * tangoInterval(1, 7, 21) // => { lower: -0.5172, upper: -0.0260 }
 */
export function tangoInterval(b: number, c: number, n: number, level = CONFIDENCE_LEVEL): Interval {
  checkCount("rows", n);
  checkCount("discordant rows", b);
  checkCount("discordant rows", c);
  checkLevel(level);
  if (n === 0 || b + c > n) {
    throw new RangeError(`discordant rows: more than rows; got ${b} + ${c} of ${n}, expected at most n, and n above 0`);
  }
  const z = normalQuantile((1 + level) / 2);
  // One side is computed and mirrored, so that exchanging b and c changes only the sign.
  return { lower: -upperBound(c, b, n, z), upper: upperBound(b, c, n, z) };
}

/** Greatest Δ that the score test does not reject: the statistic falls in Δ from +∞ to −∞. */
function upperBound(b: number, c: number, n: number, z: number): number {
  if (b === n) return 1;
  let low = (b - c) / n;
  let high = 1;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (score(b, c, n, middle) > -z) low = middle;
    else high = middle;
  }
  return low;
}

function score(b: number, c: number, n: number, delta: number): number {
  const linear = (2 * n - b + c) * delta - b - c;
  const product = -c * delta * (1 - delta);
  const root = Math.sqrt(Math.max(0, linear * linear - 8 * n * product));
  // Avoids the difference of two nearly equal numbers.
  const q = linear > 0 ? (-2 * product) / (root + linear) : (root - linear) / (4 * n);
  const variance = n * (2 * q + delta * (1 - delta));
  const numerator = b - c - n * delta;
  return variance > 0 ? numerator / Math.sqrt(variance) : numerator === 0 ? 0 : Math.sign(numerator) * Infinity;
}

/**
 * Odds ratio of a 2 × 2 table: how many times larger the odds of an event are in the first group than in the second.
 *
 * Formula: OR = (a d)/(b c); interval exp(ln OR ± z √(1/a + 1/b + 1/c + 1/d)) (Woolf). If a cell is 0, ½ is added to all four (Haldane and
 * Anscombe), and the estimate says so.
 * Range: (0, ∞); 1 is no association; exchanging the groups gives 1/OR.
 * Undefined when: a row or a column is empty. RangeError when a count is not a count.
 * Differs from the paper: the paper compares shares (74.4% against 50.0%) without a test.
 * @see Woolf (1955), Annals of Human Genetics 19:251-253; Haldane (1956), Annals of Human Genetics 20:309-311
 * @example
 * oddsRatio(10, 5, 4, 8).estimate // => 4
 */
export function oddsRatio(a: number, b: number, c: number, d: number, level = CONFIDENCE_LEVEL): Estimate {
  checkLevel(level);
  for (const count of [a, b, c, d]) checkCount("table", count);
  const n = a + b + c + d;
  if (n === 0) return undefinedEstimate("no rows", 0);
  if (a + b === 0 || c + d === 0) return undefinedEstimate("one group only", n);
  if (a + c === 0 || b + d === 0) return undefinedEstimate("one outcome only", n);
  const added = a * b * c * d === 0;
  const [w, x, y, z] = added ? [a + 0.5, b + 0.5, c + 0.5, d + 0.5] : [a, b, c, d];
  const log = Math.log(w / x) - Math.log(y / z);
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(1 / w + 1 / x + 1 / y + 1 / z);
  const interval = { lower: Math.exp(log - half), upper: Math.exp(log + half), level, method: "Woolf" };
  const estimate = (w * z) / (x * y);
  return added ? { estimate, ...interval, method: "Woolf, ½ added to each cell", n } : { estimate, ...interval, n };
}
