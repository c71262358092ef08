import { stepUp } from "./benjamini-hochberg.js";

/**
 * Benjamini–Yekutieli adjusted p-values: the expected share of false declarations is at most q however the tests depend
 * on each other, at the price of a factor near ln m.
 *
 * Formula: Benjamini–Hochberg with every p-value multiplied by c(m) = 1 + 1/2 + … + 1/m.
 * Range: [p, 1]; never below Benjamini–Hochberg's. Returned in the order of the arguments.
 * Undefined when: a p-value lies outside [0, 1]: RangeError. No tests: an empty list.
 * Differs from the paper: the paper's gate does not correct for the number of communities.
 * @see Benjamini and Yekutieli (2001), Annals of Statistics 29:1165-1188
 * @example
 * benjaminiYekutieli([0.01, 0.04]) // => [0.03, 0.06]
 */
export function benjaminiYekutieli(pValues: ArrayLike<number>): number[] {
  return stepUp(pValues, harmonicNumber(pValues.length));
}

/** 1 + 1/2 + … + 1/m. */
function harmonicNumber(m: number): number {
  let sum = 0;
  for (let i = 1; i <= m; i += 1) sum += 1 / i;
  return sum;
}
