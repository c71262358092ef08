import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { spreadOfSums } from "../../../stats/intervals/cluster-jackknife.js";
import { LOG_CLIP } from "../../signals/inverse-log-odds.js";

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
 * Formula: m = Σwx/Σw; leaving group g out changes it by −s_g/(1 − a_g), s_g = Σ_{i∈g} w_i (x_i − m)/Σw, a_g = the group's share of Σw; V = Σ of
 * their squares; m ± t_ν √V, ν = max(1, 1/Σa_g² − 1). With one group every row is its own.
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
  const rows = Int32Array.from(x.keys()).filter((i) => !Number.isNaN(x[i]!) && weight?.[i] !== 0);
  const n = rows.length;
  if (n < 2) return undefinedEstimate(n === 0 ? "no rows" : "one row has no interval", n);
  const weightOf = (i: number) => (weight ? weight[i]! : 1);
  let [sum, total] = [0, 0];
  for (const i of rows) {
    sum += weightOf(i) * x[i]!;
    total += weightOf(i);
  }
  const mean = sum / total;
  const single = rows.every((i) => group[i] === group[rows[0]!]);
  const units = new Map<number, { sum: number; size: number }>();
  for (const i of rows) {
    const unit = units.get(single ? i : group[i]!) ?? { sum: 0, size: 0 };
    unit.sum += (weightOf(i) * (x[i]! - mean)) / total;
    unit.size += weightOf(i);
    units.set(single ? i : group[i]!, unit);
  }
  const parts = [...units.values()];
  const spread = spreadOfSums(
    parts.map((unit) => unit.sum),
    parts.map((unit) => unit.size),
  )!;
  const standard_error = Math.sqrt(spread.variance);
  const half = spread.t * standard_error;
  const method = single ? "jackknife, t over rows" : "jackknife, t over communities";
  return { estimate: mean, lower: mean - half, upper: mean + half, level: CONFIDENCE_LEVEL, method, n, standard_error };
}
