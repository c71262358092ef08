/**
 * Spearman's rank correlation of two columns as a function of row weights, for bootstraps: ranks of a drawn sample follow
 * from cumulated weights, without sorting again.
 *
 * Formula: with rows repeated w_i times, average rank = Σ of the weights of smaller values + (own + 1)/2 over equal
 * values; ρ = Pearson correlation of these ranks, weighted by w. At w = 1 it is `spearman`.
 * Range: [−1, 1].
 * Undefined when: fewer than 3 rows drawn, or a column is constant among them: null. RangeError when lengths differ or a
 * value is NaN.
 * Differs from the paper: the paper prints ρ without interval.
 * @see `spearman`
 * @example
 * rankCorrelator([1, 2, 3, 4], [1, 3, 2, 4])([1, 1, 1, 1]) // => 0.8
 */
export function rankCorrelator(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
): (weights: ArrayLike<number>) => number | null {
  if (x.length !== y.length) {
    throw new RangeError(`columns: of different length; got ${x.length} and ${y.length}, expected the same`);
  }
  const ranksOfX = weightedRanks(x);
  const ranksOfY = weightedRanks(y);
  return (weights) => {
    const rankX = ranksOfX(weights);
    const rankY = ranksOfY(weights);
    let total = 0;
    for (let i = 0; i < x.length; i += 1) total += weights[i]!;
    if (total < 3) return null;
    // Ranks of all rows, repeated ones included, have this mean.
    const middle = (total + 1) / 2;
    let [xx, yy, xy] = [0, 0, 0];
    for (let i = 0; i < x.length; i += 1) {
      const dx = rankX[i]! - middle;
      const dy = rankY[i]! - middle;
      xx += weights[i]! * dx * dx;
      yy += weights[i]! * dy * dy;
      xy += weights[i]! * dx * dy;
    }
    if (xx < 1e-9 || yy < 1e-9) return null;
    return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  };
}

function weightedRanks(values: ArrayLike<number>): (weights: ArrayLike<number>) => Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i);
  for (const i of order) {
    if (Number.isNaN(values[i]))
      throw new RangeError(`values: not comparable; got NaN at index ${i}, expected numbers`);
  }
  order.sort((i, j) => (values[i]! < values[j]! ? -1 : values[i]! > values[j]! ? 1 : 0));
  const ranks = new Float64Array(values.length);
  return (weights) => {
    let before = 0;
    for (let start = 0; start < order.length; ) {
      let end = start;
      let own = 0;
      while (end < order.length && values[order[end]!] === values[order[start]!]) own += weights[order[end++]!]!;
      for (let place = start; place < end; place += 1) ranks[order[place]!] = before + (own + 1) / 2;
      before += own;
      start = end;
    }
    return ranks;
  };
}
