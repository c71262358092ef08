import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkLevel, checkSquareTable } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { hasWidth, wilsonInterval } from "../intervals/proportion.js";

export type RatingScale = "nominal" | "ordinal" | "interval";

/**
 * Krippendorff's α: how far raters agree beyond chance, on any scale, with missing ratings allowed.
 *
 * Formula: α = 1 − D_o/D_e, D_o = Σ o_ck δ²_ck / n, D_e = Σ n_c n_k δ²_ck / (n (n − 1)); o_ck counts pairs of ratings of one
 * case, each case weighted by 1/(m − 1) for its m ratings. δ² is 1 for unequal values (nominal), (c − k)² (interval), or
 * (Σ_{g=c..k} n_g − (n_c + n_k)/2)² (ordinal).
 * Range: at most 1; 0 is chance agreement; negative when raters disagree systematically.
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

/** Ratings of cases by raters: `values[case * raters + rater]`, NaN if a rater did not rate a case. */
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

/** Mean rating of each case; NaN if it has no rating. `weights` says how many times each rater counts. */
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

/**
 * Cohen's kappa: agreement of two raters beyond what their marginal frequencies alone would produce.
 *
 * Formula: p_ij = table_ij / n; p_o = Σp_ii; p_e = Σp_i. p_.i; κ = (p_o − p_e) / (1 − p_e). Interval κ ± z·SE, cut to
 * [−1, 1], with
 * SE² = {Σ p_ii [(1−p_e) − (p_.i + p_i.)(1−p_o)]² + (1−p_o)² Σ_{i≠j} p_ij (p_.i + p_j.)² − (p_o p_e − 2p_e + p_o)²} /
 * (n (1−p_e)⁴).
 * Range: [−1, 1]; 1 full agreement, 0 chance.
 * Undefined when: no rows, or both raters used one and the same category only (p_e = 1). RangeError when the table is
 * not square.
 * If that SE is 0 (full agreement, none, or one rater with a single category, where κ is 0 by construction) it says nothing about chance: the
 * interval is Wilson's interval of p_o, converted to κ at the observed p_e, with a warning.
 * Differs from the paper: the paper reports F1 only; κ is the chance-corrected companion.
 * @see Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72:323-327
 * @example
 * cohenKappa([[20, 5], [10, 15]]).estimate // => 0.4
 */
export function cohenKappa(table: readonly (readonly number[])[], level = CONFIDENCE_LEVEL): Estimate {
  checkSquareTable(table);
  checkLevel(level);
  const size = table.length;
  const rowTotals = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columnTotals = table.map((_, j) => table.reduce((sum, row) => sum + row[j]!, 0));
  const n = rowTotals.reduce((sum, count) => sum + count, 0);
  if (n === 0) return undefinedEstimate("no rows", 0);
  let agreeing = 0;
  let byChance = 0;
  for (let i = 0; i < size; i += 1) {
    agreeing += table[i]![i]!;
    byChance += rowTotals[i]! * columnTotals[i]!;
  }
  // Compared as integers: p_e itself may round to 1 if a single row differs among millions.
  if (byChance === n * n) return undefinedEstimate("both raters used one category only", n);
  const disagreement = 1 - agreeing / n;
  const expectedDisagreement = (n * n - byChance) / (n * n);
  const observed = agreeing / n;
  const expected = byChance / (n * n);
  let spread = -((observed * expected - 2 * expected + observed) ** 2);
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 1) {
      const marginals = (columnTotals[i]! + rowTotals[j]!) / n;
      const weight = i === j ? expectedDisagreement - marginals * disagreement : marginals * disagreement;
      spread += (table[i]![j]! / n) * weight ** 2;
    }
  }
  const estimate = (agreeing * n - byChance) / (n * n - byChance);
  const standardError = Math.sqrt(Math.max(0, spread) / n) / expectedDisagreement ** 2;
  const half = normalQuantile((1 + level) / 2) * standardError;
  const result = {
    estimate,
    lower: Math.max(-1, estimate - half),
    upper: Math.min(1, estimate + half),
    level,
    method: "Fleiss-Cohen-Everitt",
    n,
  };
  // In these cases the sum above is 0, apart from rounding.
  const single = rowTotals.includes(n) || columnTotals.includes(n);
  if (!single && agreeing < n && hasWidth(result)) return result;
  const share = wilsonInterval(agreeing, n, level);
  const carried = (agreement: number) => Math.max(-1, Math.min(1, (agreement - expected) / expectedDisagreement));
  return {
    ...result,
    lower: Math.min(estimate, carried(share.lower)),
    upper: Math.max(estimate, carried(share.upper)),
    method: "Wilson of the agreement",
    warnings: [
      single
        ? "one side used a single category: κ is 0 by construction"
        : `${agreeing === n ? "full agreement" : "no agreement"}: the large-sample standard error is 0`,
    ],
  };
}
