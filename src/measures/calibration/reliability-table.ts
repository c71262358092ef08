import type { Estimate } from "../../core/estimate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { quantile } from "../../stats/ranks/quantile.js";
import { weightedProportion } from "../../stats/weighted-proportion.js";
import type { BinSums } from "./calibration-error.js";

/** One line of a reliability diagram. */
export interface ReliabilityBin {
  /** Smallest and largest score of the bin. */
  from: number;
  to: number;
  n: number;
  mean_score: number;
  /** Share of defensible rows with Wilson's interval. */
  rate: Estimate;
  /** Where 95 % of the rates of a perfectly calibrated score lie; null without draws. */
  band: { lower: number; upper: number } | null;
  /** The rate lies outside the band. */
  outside: boolean | null;
}

/**
 * Reliability table: rate of defensible rows against mean score, in bins of equally many rows that split no equal scores.
 * The band holds each bin's rate 95 times in 100 if the scores are true probabilities; the interval is about the rate itself.
 */
export function reliabilityTable(
  sorted: Float64Array,
  edges: ArrayLike<number>,
  bins: BinSums,
  nullRates: Float64Array,
  draws: number,
  weights: Float64Array | null = null,
): ReliabilityBin[] {
  return Array.from({ length: bins.n.length }, (_, b) => {
    const n = bins.n[b]!;
    const k = bins.positives[b]!;
    const rates = nullRates.slice(b * draws, (b + 1) * draws).sort();
    const band = draws > 0 ? { lower: quantile(rates, 0.025), upper: quantile(rates, 0.975) } : null;
    return {
      from: sorted[edges[b]!]!,
      to: sorted[edges[b + 1]! - 1]!,
      n: weights ? edges[b + 1]! - edges[b]! : n,
      mean_score: bins.scores[b]! / n,
      rate: weights ? weightedRate(k / n, weights.subarray(edges[b]!, edges[b + 1]!)) : proportion(k, n),
      band,
      outside: band && (k / n < band.lower || k / n > band.upper),
    };
  });
}

function weightedRate(rate: number, weights: Float64Array): Estimate {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight ** 2, 0);
  return weightedProportion(rate, sum ** 2 / squares, weights.length);
}
