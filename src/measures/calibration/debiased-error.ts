import type { BinSums } from "./calibration-error.js";

/**
 * Root mean square calibration error with the part taken off that chance alone would leave.
 *
 * Formula: √max(0, Σ_b n_b/N [(s̄_b − ȳ_b)² − ȳ_b(1 − ȳ_b)/(n_b − 1)]).
 * Range: [0, 1]; 0 where chance explains all of it. Bins must not split equal scores (`unsplitEdges`).
 * Undefined when: no rows, or a bin of one row: null.
 * Differs from the paper: not in the paper.
 * @see Kumar, Liang and Ma (2019), NeurIPS 32:3787-3798
 * @example
 * debiasedError({ n: [4], scores: [2], positives: [4] }) // => 0.5
 */
export function debiasedError({ n, scores, positives }: BinSums): number | null {
  let rows = 0;
  let sum = 0;
  for (let b = 0; b < n.length; b += 1) {
    const size = n[b]!;
    if (size === 0) continue;
    if (size === 1) return null;
    const rate = positives[b]! / size;
    rows += size;
    sum += size * ((scores[b]! / size - rate) ** 2 - (rate * (1 - rate)) / (size - 1));
  }
  return rows === 0 ? null : Math.sqrt(Math.max(0, sum / rows));
}
