import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkCount, checkLevel, checkTrials } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";

export interface CountOf {
  k: number;
  n: number;
}

/**
 * A rate corrected for the errors of the judge that measured it, from the judge's sensitivity and specificity on
 * labelled rows: for labels from elsewhere whose error rates carry over.
 *
 * Formula: (p + Sp − 1)/(Se + Sp − 1), cut to [0, 1]. Interval of Lang and Reiczigel: with n' = n + z², p' = (k + z²/2)/n',
 * Se' = (k_Se + 1)/(n_Se + 2), Sp' likewise, P' the formula at these, D = 2z²(P' Se'(1−Se')/(n_Se+2) − (1−P')
 * Sp'(1−Sp')/(n_Sp+2)): P' + D ± z √(p'(1−p')/n' + P'² Se'(1−Se')/(n_Se+2) + (1−P')² Sp'(1−Sp')/(n_Sp+2)) / (Se' + Sp' −
 * 1), cut to [0, 1] and widened to the estimate where that lies outside.
 * Range: [0, 1]; rises with k.
 * k and n of sensitivity and specificity may be real numbers (effective numbers of weighted labels).
 * Undefined when: no row, no labelled row of either class, Se + Sp ≤ 1 (also Se' + Sp' ≤ 1): the judge does not tell
 * the classes apart; or the interval lies outside [0, 1] before it is cut: the error rates are not those of these rows.
 * Differs from the paper: the paper takes the auditor's verdicts for the truth.
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
  // Counts, not rates: 5/10 + 5/10 is no better than chance, whatever rounding says.
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
