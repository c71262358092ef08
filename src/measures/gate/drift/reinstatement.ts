import { logOneSidedEValue } from "../../../stats/tests/one-sided-e-value.js";
import { WATCHED, type Watched } from "./watch-types.js";

/**
 * Evidence that both rates are below their limits again, from the rows since an alarm; null while there is not enough. A community whose rate
 * is at its limit or above is reinstated with probability at most δ, however often one looks.
 *
 * Formula: ln E(k, n, r) ≥ ln(1/δ) for both rates (`logOneSidedEValue`), at the same row. With weights u and shares x, k = Σux and
 * n = Σu: valid, since (a^x b^{1−x})^u ≤ 1 + u(xa + (1 − x)b − 1) for u in [0, 1].
 * Range: logarithms of e-values of at least 1/δ.
 * Undefined when: k outside 0..n, or a limit outside (0, 1): RangeError.
 * Differs from the paper: the paper has no way back.
 * @see `logOneSidedEValue`
 * @example
 * evidenceOfReturn({ n: 10, indefensible: 0, ambiguous: 0 }, { indefensible: 0.1, ambiguous: 0.15 }, 0.05) // => null
 */
export function evidenceOfReturn(
  since: { n: number } & Record<Watched, number>,
  limits: Record<Watched, number>,
  delta: number,
): Record<Watched, number> | null {
  const needed = -Math.log(delta);
  // The e-value is a mean of likelihood ratios, so the greatest of them bounds it: two logarithms instead of an incomplete beta function
  // for nearly all rows.
  for (const which of WATCHED) if (greatestLogRatio(since[which], since.n, limits[which]) < needed) return null;
  const found = {
    indefensible: logOneSidedEValue(since.indefensible, since.n, limits.indefensible),
    ambiguous: logOneSidedEValue(since.ambiguous, since.n, limits.ambiguous),
  };
  return found.indefensible >= needed && found.ambiguous >= needed ? found : null;
}

function greatestLogRatio(k: number, n: number, r: number): number {
  const rate = k / n;
  if (!(rate < r)) return 0;
  return (k === 0 ? 0 : k * Math.log(rate / r)) + (n - k) * (Math.log1p(-rate) - Math.log1p(-r));
}
