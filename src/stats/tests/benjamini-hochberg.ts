import { ascendingOrder, checkPValues } from "./check-p-values.js";

/**
 * Benjamini–Hochberg adjusted p-values: with those at most q declared, the expected share of false declarations among
 * them is at most q when the tests are independent or positively dependent.
 *
 * Formula: in ascending order, adjusted p_(i) = min_{j ≥ i} min(1, m p_(j) / j); m tests.
 * Range: [p, 1]; never above Holm's. Returned in the order of the arguments.
 * Undefined when: a p-value lies outside [0, 1]: RangeError. No tests: an empty list.
 * Differs from the paper: the paper's gate does not correct for the number of communities.
 * @see Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57:289-300
 * @example
 * benjaminiHochberg([0.01, 0.04, 0.03]) // => [0.03, 0.04, 0.04]
 */
export function benjaminiHochberg(pValues: ArrayLike<number>): number[] {
  return stepUp(pValues, 1);
}

/** The step-up adjustment with every p-value inflated by a factor: 1 for Benjamini–Hochberg. */
export function stepUp(pValues: ArrayLike<number>, inflation: number): number[] {
  checkPValues(pValues);
  const m = pValues.length;
  const order = ascendingOrder(pValues);
  const adjusted = new Array<number>(m).fill(1);
  let lowest = 1;
  for (let rank = m; rank >= 1; rank -= 1) {
    const index = order[rank - 1]!;
    lowest = Math.min(lowest, (inflation * m * pValues[index]!) / rank);
    adjusted[index] = lowest;
  }
  return adjusted;
}
