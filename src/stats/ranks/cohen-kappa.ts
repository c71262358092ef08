import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { checkLevel, checkSquareTable } from "../check-arguments.js";
import { normalQuantile } from "../distributions/normal.js";
import { hasWidth, wilsonInterval } from "../intervals/proportion.js";

/**
 * Cohen's kappa: agreement of two raters beyond what their marginal frequencies alone would give.
 *
 * Formula: p_ij = table_ij / n; p_o = Σp_ii; p_e = Σp_i. p_.i; κ = (p_o − p_e) / (1 − p_e). Interval κ ± z·SE, cut to
 * [−1, 1], with
 * SE² = {Σ p_ii [(1−p_e) − (p_.i + p_i.)(1−p_o)]² + (1−p_o)² Σ_{i≠j} p_ij (p_.i + p_j.)² − (p_o p_e − 2p_e + p_o)²} /
 * (n (1−p_e)⁴).
 * Range: [−1, 1]; 1 full agreement, 0 chance.
 * Undefined when: no rows, or both raters used one and the same category only (p_e = 1). RangeError when the table is
 * not square.
 * Where that SE is 0 (full agreement, none, one rater with a single category, where κ is 0 by construction) it says nothing of chance: Wilson's
 * interval of p_o carried through κ at the observed p_e, with a warning.
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
  // Compared as integers: p_e itself may round to 1 when a single row differs in millions.
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
  // The sum above is 0 then, but for rounding.
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
