import { benjaminiHochberg } from "./benjamini-hochberg.js";

/**
 * The e-BH procedure on logarithms of e-values: for each, the smallest level q at which it is declared. The expected
 * share of false declarations is at most q however the e-values depend on each other.
 *
 * Formula: declared at q are the k* largest, k* = max{k : k E_[k] / m ≥ 1/q}; the same as Benjamini–Hochberg on 1/E.
 * Range: [0, 1], falling in ln E; 1 also where no level declares it. Returned in the order of the arguments.
 * Undefined when: a logarithm is NaN: RangeError. No e-values: an empty list.
 * Differs from the paper: not in the paper.
 * @see Wang and Ramdas (2022), Journal of the Royal Statistical Society B 84:822-852
 * @example
 * eBenjaminiHochberg([Math.log(100), Math.log(2)]) // => [0.02, 0.5]
 */
export function eBenjaminiHochberg(logE: ArrayLike<number>): number[] {
  return benjaminiHochberg(Array.from(logE, inverseOfE));
}

/** 1/E as a p-value, from ln E: at most 1, and 0 where E exceeds every double. */
export function inverseOfE(logE: number): number {
  if (Number.isNaN(logE)) throw new RangeError("ln E: not a number; got NaN, expected the logarithm of an e-value");
  return logE <= 0 ? 1 : Math.exp(-logE);
}
