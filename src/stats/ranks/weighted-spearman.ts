/**
 * Spearman's rank correlation as a function of how much each row counts: of a population, from rows that were drawn with unequal chances.
 *
 * Formula: the rank of a row is the weight below its value plus half the weight at it; ρ is the weighted Pearson correlation of these ranks. Rows are
 * sorted once; each call walks them twice.
 * Range: [−1, 1]; with equal weights the ρ of `spearman`.
 * Undefined when: fewer than 3 rows have weight, or a column is constant on them (null).
 * Differs from the paper: the paper's ρ is of its thirty cases, which are no sample of a run.
 * @see `stratifiedJackknife` for its interval
 * @example
 * weightedSpearman([1, 2, 3, 4], [1, 3, 2, 4])(Float64Array.of(1, 1, 1, 1)) // => 0.8
 */
export function weightedSpearman(x: ArrayLike<number>, y: ArrayLike<number>): (weights: Float64Array) => number | null {
  const orders = [x, y].map((values) =>
    Uint32Array.from({ length: x.length }, (_, i) => i).sort((a, b) => values[a]! - values[b]!),
  );
  const ranks = [new Float64Array(x.length), new Float64Array(x.length)];
  return (weights) => {
    let [total, rows] = [0, 0];
    for (const weight of weights) {
      total += weight;
      if (weight > 0) rows += 1;
    }
    if (rows < 3) return null;
    for (const [c, values] of [x, y].entries()) rankInto(values, orders[c]!, weights, ranks[c]!);
    const [rx, ry] = ranks as [Float64Array, Float64Array];
    // Ranks have mean total/2 whatever the ties.
    const middle = total / 2;
    let [xy, xx, yy] = [0, 0, 0];
    for (let i = 0; i < weights.length; i += 1) {
      const [a, b] = [rx[i]! - middle, ry[i]! - middle];
      xy += weights[i]! * a * b;
      xx += weights[i]! * a * a;
      yy += weights[i]! * b * b;
    }
    const least = 1e-12 * total ** 3;
    return xx <= least || yy <= least ? null : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  };
}

function rankInto(values: ArrayLike<number>, order: Uint32Array, weights: Float64Array, out: Float64Array): void {
  let below = 0;
  for (let from = 0; from < order.length; ) {
    let [to, at] = [from, 0];
    for (; to < order.length && values[order[to]!] === values[order[from]!]; to += 1) at += weights[order[to]!]!;
    for (; from < to; from += 1) out[order[from]!] = below + at / 2;
    below += at;
  }
}
