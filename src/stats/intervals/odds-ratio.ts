import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";

/**
 * Odds ratio of a table of two rows and two columns: how many times the odds of an event are larger in the first group than in the second.
 *
 * Formula: OR = (a d)/(b c); interval exp(ln OR ± z √(1/a + 1/b + 1/c + 1/d)) (Woolf). Where a cell is 0, ½ is added to all four (Haldane and
 * Anscombe), and the estimate says so.
 * Range: (0, ∞); 1 is no association, the groups in the other order give 1/OR.
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
