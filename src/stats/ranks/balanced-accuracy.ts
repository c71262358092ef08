import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkLevel, checkSquareTable } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";

/**
 * Balanced accuracy: mean recall over the classes, so that a rare class counts as much as a common one. Rows of the
 * table are the truth, columns the answers.
 *
 * Formula: (1/K) Σ_k x_k / n_k over the K classes with n_k > 0, x_k right answers of n_k. Interval ± z √(Σ p̃_k
 * (1−p̃_k) / n_k) / K, cut to [0, 1], the classes being independent binomials; p̃_k = (x_k+1)/(n_k+2) in the variance
 * only, because x_k/n_k of 0 or 1 would give an interval without width.
 * Range: [0, 1], higher is better; 1/K by guessing.
 * Undefined when: no rows. A class without rows is left out and named in a warning. RangeError when the table is not
 * square.
 * Differs from the paper: not in the paper.
 * @see Agresti and Caffo (2000), The American Statistician 54:280-288, for p̃
 * @example
 * balancedAccuracy([[40, 10], [5, 95]]).estimate // => 0.875
 */
export function balancedAccuracy(table: readonly (readonly number[])[], level = CONFIDENCE_LEVEL): Estimate {
  checkSquareTable(table);
  checkLevel(level);
  const warnings: string[] = [];
  let classes = 0;
  let n = 0;
  let recalls = 0;
  let variances = 0;
  for (const [index, row] of table.entries()) {
    const total = row.reduce((sum, count) => sum + count, 0);
    if (total === 0) {
      warnings.push(`class ${index + 1} of ${table.length} has no rows and is left out`);
      continue;
    }
    const softened = (row[index]! + 1) / (total + 2);
    classes += 1;
    n += total;
    recalls += row[index]! / total;
    variances += (softened * (1 - softened)) / total;
  }
  if (n === 0) return undefinedEstimate("no rows", 0);
  const estimate = recalls / classes;
  const half = (normalQuantile((1 + level) / 2) * Math.sqrt(variances)) / classes;
  return {
    estimate,
    lower: Math.max(0, estimate - half),
    upper: Math.min(1, estimate + half),
    level,
    method: "independent binomials, (x+1)/(n+2) in the variance",
    n,
    ...(warnings.length > 0 && { warnings }),
  };
}
