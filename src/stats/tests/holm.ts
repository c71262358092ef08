import { ascendingOrder, checkPValues } from "./check-p-values.js";

/**
 * Holm's adjusted p-values of several tests: with those at most δ declared, the probability of even one false
 * declaration is at most δ, however the tests depend on each other.
 *
 * Formula: in ascending order, adjusted p_(i) = max_{j ≤ i} min(1, (m − j + 1) p_(j)); m tests.
 * Range: [p, 1]; never above Bonferroni's m p. Returned in the order of the arguments.
 * Undefined when: a p-value lies outside [0, 1]: RangeError. No tests: an empty list.
 * Differs from the paper: the paper's gate does not correct for the number of communities.
 * @see Holm (1979), Scandinavian Journal of Statistics 6:65-70
 * @example
 * holm([0.01, 0.04, 0.03]) // => [0.03, 0.06, 0.06]
 */
export function holm(pValues: ArrayLike<number>): number[] {
  checkPValues(pValues);
  const m = pValues.length;
  const adjusted = new Array<number>(m).fill(1);
  let highest = 0;
  ascendingOrder(pValues).forEach((index, rank) => {
    highest = Math.max(highest, Math.min(1, (m - rank) * pValues[index]!));
    adjusted[index] = highest;
  });
  return adjusted;
}
