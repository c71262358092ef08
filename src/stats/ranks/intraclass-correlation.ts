import { checkRatings, type Ratings } from "./raters.js";

export interface IntraclassCorrelation {
  /** ICC(2,1): reliability of one rater. */
  single: number;
  /** ICC(2,k): reliability of the mean of k raters; with missing ratings, k is the harmonic mean of the ratings per case. */
  average: number;
  k: number;
  /** Variance between cases, between raters, and residual. */
  variance: { cases: number; raters: number; residual: number };
  /** Components that came out negative and are set to 0. */
  truncated: ("cases" | "raters" | "residual")[];
}

/**
 * How reliable ratings are if the raters are a sample too: two-way random effects, absolute agreement.
 *
 * Formula: ICC(2,1) = σ²_c/(σ²_c + σ²_r + σ²_e), ICC(2,k) = σ²_c/(σ²_c + (σ²_r + σ²_e)/k). The components solve the expectations of
 * T_c = Σ y²_c./n_c, T_r = Σ y²_.r/n_r, T_0 = Σ y², T_μ = y²../N (Henderson's method 1): without missing ratings this is the analysis of variance.
 * Range: 0 to 1; a negative component is set to 0 and named.
 * Undefined when: fewer than two cases or two raters with ratings, no degrees of freedom left for the residual, or no variance at all: null.
 * Differs from the paper: the paper prints no reliability of its raters.
 * @see Shrout and Fleiss (1979), Psychological Bulletin 86:420-428; Henderson (1953), Biometrics 9:226-252
 * @example intraclassCorrelation({ cases: 2, raters: 2, values: Float64Array.of(1, 1, 3, 3) }).single // => 1
 */
export function intraclassCorrelation(ratings: Ratings): IntraclassCorrelation | null {
  checkRatings(ratings);
  const rows = marginals(ratings, "cases");
  const columns = marginals(ratings, "raters");
  const n = rows.counts.reduce((sum, value) => sum + value, 0);
  const a = rows.counts.filter((count) => count > 0).length;
  const b = columns.counts.filter((count) => count > 0).length;
  if (a < 2 || b < 2 || n <= a + b - 1) return null;
  const mean = rows.sums.reduce((sum, value) => sum + value, 0) / n;
  // Centred on the mean, so that T_μ is 0 and large ratings lose no digits.
  let all = 0;
  for (const value of ratings.values) if (!Number.isNaN(value)) all += (value - mean) ** 2;
  const byCase = weightedSquares(rows, mean);
  const byRater = weightedSquares(columns, mean);
  const squares = (counts: Float64Array) => counts.reduce((sum, count) => sum + count ** 2, 0) / n;
  const [casesInMean, ratersInMean] = [squares(rows.counts), squares(columns.counts)];
  // Coefficients of σ²_c, σ²_r, σ²_e in the expectations of T_c − T_μ, T_r − T_μ and T_0 − T_μ.
  const solved = solve3(
    [
      [n - casesInMean, a - ratersInMean, a - 1],
      [b - casesInMean, n - ratersInMean, b - 1],
      [n - casesInMean, n - ratersInMean, n - 1],
    ],
    [byCase, byRater, all],
  );
  if (!solved) return null;
  const names = ["cases", "raters", "residual"] as const;
  // A rounding error below zero is not a negative component.
  const slack = 1e-12 * (all / n);
  const truncated = names.filter((_, i) => solved[i]! < -slack);
  const [cases, raters, residual] = solved.map((value) => (value < slack ? 0 : value)) as [number, number, number];
  const total = cases + raters + residual;
  if (total === 0) return null;
  const k = a / rows.counts.reduce((sum, count) => sum + (count > 0 ? 1 / count : 0), 0);
  return {
    single: cases / total,
    average: cases / (cases + (raters + residual) / k),
    k,
    variance: { cases, raters, residual },
    truncated,
  };
}

interface Marginals {
  sums: Float64Array;
  counts: Float64Array;
}

function marginals({ cases, raters, values }: Ratings, of: "cases" | "raters"): Marginals {
  const size = of === "cases" ? cases : raters;
  const sums = new Float64Array(size);
  const counts = new Float64Array(size);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    const at = of === "cases" ? Math.floor(i / raters) : i % raters;
    sums[at]! += value;
    counts[at]! += 1;
  }
  return { sums, counts };
}

function weightedSquares({ sums, counts }: Marginals, mean: number): number {
  let sum = 0;
  for (let i = 0; i < sums.length; i++) if (counts[i]! > 0) sum += (sums[i]! - mean * counts[i]!) ** 2 / counts[i]!;
  return sum;
}

/** Cramer's rule; null where the three equations do not determine the components. */
function solve3(m: readonly (readonly number[])[], y: readonly number[]): number[] | null {
  const determinant = (rows: readonly (readonly number[])[]) => {
    const [[a, b, c], [d, e, f], [g, h, i]] = rows as [number[], number[], number[]] as [
      [number, number, number],
      [number, number, number],
      [number, number, number],
    ];
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  };
  const whole = determinant(m);
  if (Math.abs(whole) < 1e-9) return null;
  return [0, 1, 2].map(
    (column) => determinant(m.map((row, i) => row.map((value, j) => (j === column ? y[i]! : value)))) / whole,
  );
}
