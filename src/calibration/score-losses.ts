import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { LOG_CLIP } from "../signals/inverse-log-odds.js";
import { studentTQuantile } from "../stats/student-t-quantile.js";

/** −ln of the probability given to what happened, clipped at 1e-12 inside the logarithm; NaN where there is no score. */
export function logLosses(score: Float64Array, y: Uint8Array): Float64Array {
  return score.map((s, i) => -Math.log(floor(y[i] === 1 ? s : 1 - s)));
}

/** −ln of the probability given to the level that happened, from three probabilities a row. */
export function levelLogLosses(levels: Float64Array, level: Uint8Array): Float64Array {
  return Float64Array.from(level, (target, i) => -Math.log(floor(levels[3 * i + target - 1]!)));
}

function floor(p: number): number {
  return Number.isNaN(p) ? p : Math.max(p, LOG_CLIP);
}

/**
 * Mean of a column over the rows that have it, with the error that groups of dependent rows leave.
 *
 * Formula: m = Σx/n; V = G/(G−1) Σ_g (Σ_{i∈g} (x_i − m))² / n²; interval m ± t_{G−1} √V. With one group every row is its own.
 * Range: that of the column.
 * Undefined when: no row has a value, or one only.
 * Differs from the paper: not in the paper.
 * @see docs/calibration.md
 * @example
 * groupedMean(Float64Array.of(1, 2, 3, 4), Int32Array.of(0, 0, 1, 1)).estimate // => 2.5
 */
export function groupedMean(
  x: Float64Array,
  group: Int32Array,
  weight: Float64Array | null = null,
): Estimate & { standard_error?: number } {
  const of = (i: number) => (weight ? weight[i]! : 1);
  let n = 0;
  let sum = 0;
  let total = 0;
  for (let i = 0; i < x.length; i += 1) {
    if (Number.isNaN(x[i]!)) continue;
    n += 1;
    sum += of(i) * x[i]!;
    total += of(i);
  }
  if (n < 2) return undefinedEstimate(n === 0 ? "no rows" : "one row has no interval", n);
  const mean = sum / total;
  const sums = new Map<number, number>();
  for (let i = 0; i < x.length; i += 1) {
    if (!Number.isNaN(x[i]!)) sums.set(group[i]!, (sums.get(group[i]!) ?? 0) + of(i) * (x[i]! - mean));
  }
  const single = sums.size === 1;
  const units = single ? n : sums.size;
  let squares = 0;
  if (single) for (const [i, value] of x.entries()) squares += Number.isNaN(value) ? 0 : (of(i) * (value - mean)) ** 2;
  else for (const part of sums.values()) squares += part ** 2;
  const standard_error = Math.sqrt((units / (units - 1)) * squares) / total;
  const half = studentTQuantile((1 + CONFIDENCE_LEVEL) / 2, units - 1) * standard_error;
  const method = single ? "t over rows" : "t over communities";
  return { estimate: mean, lower: mean - half, upper: mean + half, level: CONFIDENCE_LEVEL, method, n, standard_error };
}
