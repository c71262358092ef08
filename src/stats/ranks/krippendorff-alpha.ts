export type RatingScale = "nominal" | "ordinal" | "interval";

/**
 * Krippendorff's α: how far raters agree beyond chance, on any scale, with ratings missing.
 *
 * Formula: α = 1 − D_o/D_e, D_o = Σ o_ck δ²_ck / n, D_e = Σ n_c n_k δ²_ck / (n (n − 1)); o_ck counts pairs of ratings of one
 * case, each case weighted by 1/(m − 1) for its m ratings. δ² is 1 for unequal values (nominal), (c − k)² (interval), or
 * (Σ_{g=c..k} n_g − (n_c + n_k)/2)² (ordinal).
 * Range: at most 1; 0 agreement as by chance; negative when raters disagree systematically.
 * Undefined when: no case has two ratings, or all ratings that can be paired are equal: null.
 * Differs from the paper: the paper prints no reliability of its raters.
 * @see Krippendorff (2019), Content Analysis, chapter 12
 * @example krippendorffAlpha({ cases: 2, raters: 2, values: Float64Array.of(1, 1, 2, 2) }, "nominal") // => 1
 */
export function krippendorffAlpha(
  ratings: Ratings,
  scale: RatingScale,
  caseWeights?: ArrayLike<number>,
): number | null {
  checkRatings(ratings);
  const { cases, raters, values } = ratings;
  const levels = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const place = new Map(levels.map((value, i) => [value, i]));
  const size = levels.length;
  const coincidences = new Float64Array(size * size);
  const counts = new Float64Array(size);
  for (let c = 0; c < cases; c++) {
    const weight = caseWeights ? caseWeights[c]! : 1;
    if (weight === 0) continue;
    counts.fill(0);
    let rated = 0;
    for (let r = 0; r < raters; r++) {
      const at = place.get(values[c * raters + r]!);
      if (at === undefined) continue;
      counts[at]! += 1;
      rated++;
    }
    if (rated < 2) continue;
    for (let i = 0; i < size; i++) {
      if (counts[i] === 0) continue;
      for (let j = 0; j < size; j++) {
        coincidences[i * size + j]! += (weight * counts[i]! * (counts[j]! - (i === j ? 1 : 0))) / (rated - 1);
      }
    }
  }
  const totals = new Float64Array(size);
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) totals[i]! += coincidences[i * size + j]!;
  return alpha(coincidences, totals, levels, scale);
}

function alpha(
  coincidences: Float64Array,
  totals: Float64Array,
  levels: readonly number[],
  scale: RatingScale,
): number | null {
  const size = levels.length;
  const n = totals.reduce((sum, value) => sum + value, 0);
  if (n <= 1) return null;
  let observed = 0;
  let expected = 0;
  for (let i = 0; i < size; i++) {
    let between = totals[i]!;
    for (let j = i + 1; j < size; j++) {
      between += totals[j]!;
      const distance =
        scale === "nominal"
          ? 1
          : scale === "interval"
            ? levels[j]! - levels[i]!
            : between - (totals[i]! + totals[j]!) / 2;
      observed += 2 * coincidences[i * size + j]! * distance ** 2;
      expected += 2 * totals[i]! * totals[j]! * distance ** 2;
    }
  }
  return expected === 0 ? null : 1 - ((n - 1) * observed) / expected;
}

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

/** Mean rating of each case; NaN where it has no rating. `weights` counts each rater so many times. */
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
