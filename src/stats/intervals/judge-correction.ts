import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel, checkSquareTable, checkTrials } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { simplexProjection } from "../optimise/isotonic-regression.js";

export interface CountOf {
  k: number;
  n: number;
}

/**
 * A rate corrected for the errors of the judge that measured it, using the judge's sensitivity and specificity on
 * labelled rows. The labels may come from elsewhere if the judge's error rates are the same there.
 *
 * Formula: (p + Sp − 1)/(Se + Sp − 1), cut to [0, 1]. Interval of Lang and Reiczigel: with n' = n + z², p' = (k + z²/2)/n',
 * Se' = (k_Se + 1)/(n_Se + 2), Sp' likewise, P' the formula at these, D = 2z²(P' Se'(1−Se')/(n_Se+2) − (1−P')
 * Sp'(1−Sp')/(n_Sp+2)): P' + D ± z √(p'(1−p')/n' + P'² Se'(1−Se')/(n_Se+2) + (1−P')² Sp'(1−Sp')/(n_Sp+2)) / (Se' + Sp' −
 * 1), cut to [0, 1] and widened to the estimate where that lies outside.
 * Range: [0, 1]; rises with k.
 * k and n of sensitivity and specificity may be real numbers (effective numbers of weighted labels).
 * Undefined when: no row, no labelled row of either class, Se + Sp ≤ 1 (also Se' + Sp' ≤ 1): the judge does not separate
 * the classes; or the interval lies outside [0, 1] before it is cut: the error rates are not those of these rows.
 * Differs from the paper: the paper takes the auditor's verdicts as the truth.
 * @see Rogan and Gladen (1978), American Journal of Epidemiology 107:71-76; Lang and Reiczigel (2014), Preventive
 * Veterinary Medicine 113:13-22, equations 2, 4, 6, 7, 17
 * @example
 * roganGladen({ k: 20, n: 100 }, { k: 45, n: 50 }, { k: 90, n: 100 }).estimate // => 0.125
 */
export function roganGladen(
  apparent: CountOf,
  sensitivity: CountOf,
  specificity: CountOf,
  level = CONFIDENCE_LEVEL,
): Estimate {
  checkLevel(level);
  for (const { k, n } of [apparent, sensitivity, specificity]) if (n !== 0) checkTrials(k, n);
  const { k, n } = apparent;
  checkCount("rows", n);
  if (n === 0) return undefinedEstimate("no rows", 0);
  if (sensitivity.n === 0) return undefinedEstimate("no labelled row has the property: sensitivity is unknown", n);
  if (specificity.n === 0) return undefinedEstimate("every labelled row has the property: specificity is unknown", n);
  const youden = sensitivity.k / sensitivity.n + specificity.k / specificity.n - 1;
  const se = (sensitivity.k + 1) / (sensitivity.n + 2);
  const sp = (specificity.k + 1) / (specificity.n + 2);
  const slope = se + sp - 1;
  // Compared as counts, not rates: 5/10 + 5/10 is no better than chance, whatever the rounding.
  const better = sensitivity.k * specificity.n + specificity.k * sensitivity.n > sensitivity.n * specificity.n;
  if (!better || slope <= 0) {
    return undefinedEstimate("the judge does not tell the classes apart: sensitivity + specificity is not above 1", n);
  }
  const raw = (k / n + specificity.k / specificity.n - 1) / youden;
  const estimate = Math.min(1, Math.max(0, raw));
  const z = normalQuantile((1 + level) / 2);
  const rows = n + z * z;
  const p = (k + (z * z) / 2) / rows;
  const centre = (p + sp - 1) / slope;
  const seVariance = (se * (1 - se)) / (sensitivity.n + 2);
  const spVariance = (sp * (1 - sp)) / (specificity.n + 2);
  const shift = 2 * z * z * (centre * seVariance - (1 - centre) * spVariance);
  const variance = (p * (1 - p)) / rows + centre ** 2 * seVariance + (1 - centre) ** 2 * spVariance;
  const half = (z * Math.sqrt(variance)) / slope;
  const [lower, upper] = [centre + shift - half, centre + shift + half];
  if (upper <= 0 || lower >= 1) {
    return undefinedEstimate(
      `sensitivity and specificity of the labels do not fit this rate: corrected by them it is ${raw.toFixed(4)}, and so is its whole interval ${upper <= 0 ? "below 0" : "above 1"}`,
      n,
    );
  }
  return {
    estimate,
    lower: Math.min(estimate, Math.max(0, lower)),
    upper: Math.max(estimate, Math.min(1, upper)),
    level,
    method: "Rogan-Gladen, Lang-Reiczigel",
    n,
    ...(raw === estimate ? {} : { warnings: [`the corrected rate is ${raw.toFixed(4)} and was cut to ${estimate}`] }),
  };
}

export interface CorrectedShare {
  estimate: number;
  lower: number;
  upper: number;
}

export interface ConfusionCorrection {
  /** Corrected share of each class, in the order of the table. null: undefined, see `reason`. */
  shares: CorrectedShare[] | null;
  reason?: string;
  /** The solution before projection; null without a solution. */
  raw: number[] | null;
  /** The solution was outside the simplex and had to be moved. */
  projected: boolean;
  level: number;
  /** Rows whose shares are corrected. */
  n: number;
}

/** Below this the columns of the confusion matrix are indistinguishable: the solution would be noise. */
const SMALLEST_PIVOT = 1e-9;

/**
 * Shares of several classes corrected for the confusions of the judge that assigned them: Rogan–Gladen for three levels.
 *
 * Formula: C = rows of the labelled table divided by their sums, P(judged | true); q the judged shares of the n rows;
 * p solves Cᵀp = q and is projected to the simplex. Interval by the delta method: variance of p = C⁻ᵀ (cov q / n + Σ_t
 * p_t² cov C_t / n_t) C⁻¹ with multinomial covariances; p ± z √, cut to [0, 1] and widened to the projected share.
 * Range: each share in [0, 1], sum 1. A judge without errors changes nothing.
 * Undefined when: no rows, a class without labelled rows, or a singular C: shares null with the reason.
 * Differs from the paper: the paper takes the auditor's verdicts as the truth.
 * @see Tenenbein (1972), Technometrics 14:187-202
 * @example
 * confusionCorrection([[9, 1], [2, 8]], [50, 50]).raw // => [0.4286, 0.5714]
 */
export function confusionCorrection(
  labelled: readonly (readonly number[])[],
  judged: readonly number[],
  level = CONFIDENCE_LEVEL,
): ConfusionCorrection {
  checkSquareTable(labelled);
  checkLevel(level);
  for (const count of judged) checkCount("judged rows", count);
  const size = labelled.length;
  if (judged.length !== size || size === 0) {
    throw new RangeError(
      `judged rows: got ${judged.length} classes, expected ${size || "at least one"} as in the table`,
    );
  }
  const n = judged.reduce((sum, count) => sum + count, 0);
  const none = (reason: string): ConfusionCorrection => ({
    shares: null,
    reason,
    raw: null,
    projected: false,
    level,
    n,
  });
  if (n === 0) return none("no rows");
  const totals = labelled.map((row) => row.reduce((sum, count) => sum + count, 0));
  const missing = totals.indexOf(0);
  if (missing >= 0) return none(`no labelled row is of class ${missing + 1}`);
  const rates = labelled.map((row, t) => row.map((count) => count / totals[t]!));
  const shares = judged.map((count) => count / n);
  const inverse = inverseOf(rates.map((_, j) => rates.map((row) => row[j]!)));
  if (!inverse) return none("the judge does not tell the classes apart: its confusion matrix cannot be inverted");
  const raw = inverse.map((row) => dot(row, shares));
  const corrected = simplexProjection(raw);
  const z = normalQuantile((1 + level) / 2);
  return {
    shares: corrected.map((estimate, i) => {
      let variance = multinomialVariance(inverse[i]!, shares) / n;
      rates.forEach((row, t) => {
        variance += (raw[t]! ** 2 * multinomialVariance(inverse[i]!, row)) / totals[t]!;
      });
      const half = z * Math.sqrt(variance);
      return {
        estimate,
        lower: Math.min(estimate, Math.max(0, raw[i]! - half)),
        upper: Math.max(estimate, Math.min(1, raw[i]! + half)),
      };
    }),
    raw,
    projected: raw.some((value) => value < 0),
    level,
    n,
  };
}

/** Variance of Σ a_j X_j for one multinomial draw X. */
function multinomialVariance(a: readonly number[], p: readonly number[]): number {
  const mean = dot(a, p);
  return p.reduce((sum, share, j) => sum + share * (a[j]! - mean) ** 2, 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Gauss–Jordan with pivoting; null when the matrix is singular. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let i = column + 1; i < size; i++) {
      if (Math.abs(rows[i]![column]!) > Math.abs(rows[best]![column]!)) best = i;
    }
    const pivot = rows[best]![column]!;
    if (Math.abs(pivot) < SMALLEST_PIVOT) return null;
    [rows[column], rows[best]] = [rows[best]!, rows[column]!];
    rows[column] = rows[column]!.map((value) => value / pivot);
    for (let i = 0; i < size; i++) {
      const factor = rows[i]![column]!;
      if (i !== column) rows[i] = rows[i]!.map((value, j) => value - factor * rows[column]![j]!);
    }
  }
  return rows.map((row) => row.slice(size));
}
