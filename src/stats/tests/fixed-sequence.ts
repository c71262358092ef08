import { checkPValues } from "./check-p-values.js";

/**
 * Adjusted p-values of tests taken in an order that was fixed without looking at their outcomes: each is tested at the
 * whole level δ, and the first failure ends the sequence. The probability of even one false declaration is at most δ.
 *
 * Formula: adjusted p_i = max_{j ≤ i} p_j, in the order of the arguments.
 * Range: [p, 1], rising along the sequence.
 * Undefined when: a p-value lies outside [0, 1]: RangeError. No tests: an empty list.
 * Differs from the paper: the paper's gate does not correct for the number of communities.
 * @see Maurer, Hothorn and Lehmacher (1995), Biometrie in der chemisch-pharmazeutischen Industrie 6:3-18
 * @example
 * fixedSequence([0.01, 0.2, 0.03]) // => [0.01, 0.2, 0.2]
 */
export function fixedSequence(pValues: ArrayLike<number>): number[] {
  checkPValues(pValues);
  const adjusted: number[] = [];
  let highest = 0;
  for (let i = 0; i < pValues.length; i += 1) {
    highest = Math.max(highest, pValues[i]!);
    adjusted.push(highest);
  }
  return adjusted;
}
