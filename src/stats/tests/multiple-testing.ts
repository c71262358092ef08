/**
 * Adjusted p-values of tests taken in an order fixed without looking at their outcomes: each is tested at the full level δ,
 * and the first failure ends the sequence. The probability of even one false declaration is at most δ.
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

/**
 * Holm's adjusted p-values of several tests: if those at most δ are declared, the probability of even one false
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

/**
 * The e-BH procedure on logarithms of e-values: for each, the smallest level q at which it is declared. The expected
 * share of false declarations is at most q, however the e-values depend on each other.
 *
 * Formula: declared at q are the k* largest, k* = max{k : k E_[k] / m ≥ 1/q}; the same as Benjamini–Hochberg on 1/E.
 * Range: [0, 1], falling in ln E; also 1 if no level declares it. Returned in the order of the arguments.
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

/**
 * Benjamini–Hochberg adjusted p-values: if those at most q are declared, the expected share of false declarations among
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
  checkPValues(pValues);
  const m = pValues.length;
  const order = ascendingOrder(pValues);
  const adjusted = new Array<number>(m).fill(1);
  let lowest = 1;
  for (let rank = m; rank >= 1; rank -= 1) {
    const index = order[rank - 1]!;
    lowest = Math.min(lowest, (m * pValues[index]!) / rank);
    adjusted[index] = lowest;
  }
  return adjusted;
}

/** The check on p-values shared by all adjustments. A wrong p-value is a mistake of the caller. */
function checkPValues(pValues: ArrayLike<number>): void {
  for (let i = 0; i < pValues.length; i += 1) {
    const p = pValues[i]!;
    if (typeof p !== "number" || !(p >= 0 && p <= 1))
      throw new RangeError(`p-value: not a probability; got ${p}, expected 0 to 1`);
  }
}

/** Indexes of the values from smallest to largest; equal values keep their order. */
export function ascendingOrder(values: ArrayLike<number>): Int32Array {
  const order = new Int32Array(values.length);
  for (let i = 0; i < order.length; i += 1) order[i] = i;
  return order.sort((first, second) => values[first]! - values[second]! || first - second);
}
