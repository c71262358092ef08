/** Ratings of cases by raters: `values[case * raters + rater]`, NaN where a rater did not rate a case. */
export interface Ratings {
  cases: number;
  raters: number;
  values: Float64Array;
}

export function checkRatings({ cases, raters, values }: Ratings): void {
  if (values.length !== cases * raters) {
    throw new RangeError(`ratings: got ${values.length} cells, expected ${cases} cases times ${raters} raters`);
  }
}

/** Mean rating of each case; NaN where nobody rated it. `weights` counts each rater so many times. */
export function caseMeans({ cases, raters, values }: Ratings, weights?: ArrayLike<number>): Float64Array {
  const means = new Float64Array(cases);
  for (let c = 0; c < cases; c++) {
    let sum = 0;
    let count = 0;
    for (let r = 0; r < raters; r++) {
      const value = values[c * raters + r]!;
      const weight = weights ? weights[r]! : 1;
      if (Number.isNaN(value) || weight === 0) continue;
      sum += weight * value;
      count += weight;
    }
    means[c] = count === 0 ? Number.NaN : sum / count;
  }
  return means;
}
