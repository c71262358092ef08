import { type DefinedEstimate, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { intervalOf, spreadOfSums } from "../../stats/intervals/cluster-jackknife.js";
import { meanEstimate } from "../../stats/intervals/mean-estimate.js";
import { hasWidth } from "../../stats/intervals/proportion.js";
import { AGREEMENT_MASKS, accuracy, confusion, f1, f1Statistic, rateStatistic } from "./agreement.js";
import { DEFENSIBLE, defensibilityIndex } from "./indices.js";
import { allAlikeWarning } from "./paired/paired-change.js";
import { type CellStatistic, minus, smoothDifference } from "./smooth.js";
import { ALL_CELLS, countIn, LABELLED, type Tally } from "./tally.js";

/** Mean of a number over the verdicts of one community that have it. */
export interface ClusterMean {
  cluster: string;
  n: number;
  /** 0 if n is 0. */
  mean: number;
  /** Σ(x − mean)² within the community. */
  squaredDeviations: number;
}

/**
 * Mean of a number over verdicts: DI_soft is the mean of p(L1) + p(L2), AI_soft the mean of σ(ρ). Soft indices vary less than counts of sampled
 * labels and show how much of a rate is due to sampling the last token.
 *
 * Σx / n with a t interval, and also the interval for rows clustered by community. If all n values are equal, their spread does not show the
 * uncertainty: with confidence 1 − α at most ε = 1 − α^(1/n) of the population has another value, which is within `bounds`. For a single value that
 * is Markov's inequality. There is no interval over communities whose means are all equal.
 * Undefined when no verdict has a value.
 */
export function meanOver(clusters: readonly ClusterMean[], bounds: [number, number], empty: string): Estimate {
  const present = clusters.filter((cluster) => cluster.n > 0);
  const n = present.reduce((total, cluster) => total + cluster.n, 0);
  if (n === 0) return undefinedEstimate(empty, 0);
  const mean = present.reduce((total, cluster) => total + cluster.n * cluster.mean, 0) / n;
  const deviations = present.reduce(
    (total, cluster) => total + cluster.squaredDeviations + cluster.n * (cluster.mean - mean) ** 2,
    0,
  );
  const estimate = meanEstimate(n, mean, deviations);
  if (estimate.estimate === null) return estimate;
  if (!hasWidth(estimate)) return allEqual(estimate, bounds);
  estimate.lower = Math.max(bounds[0], estimate.lower);
  estimate.upper = Math.min(bounds[1], estimate.upper);
  const spread = spreadOfSums(
    present.map((cluster) => (cluster.n * (cluster.mean - mean)) / n),
    present.map((cluster) => cluster.n),
  );
  if (!spread) return estimate;
  if (!hasWidth(intervalOf(mean, spread, bounds))) return { ...estimate, warnings: [allAlikeWarning()] };
  const independent = deviations / (n - 1) / n;
  const design_effect = independent > 1e-15 ? spread.variance / independent : null;
  return { ...estimate, cluster: { ...intervalOf(mean, spread, bounds), design_effect } };
}

function allEqual(estimate: DefinedEstimate, [least, most]: [number, number]): Estimate {
  const others = 1 - (1 - estimate.level) ** (1 / estimate.n);
  if (!(most - least < Number.MAX_VALUE)) return estimate;
  return {
    ...estimate,
    lower: estimate.estimate - others * (estimate.estimate - least),
    upper: estimate.estimate + others * (most - estimate.estimate),
    method: estimate.n === 1 ? "Markov" : "equal values",
    warnings: [
      estimate.n === 1
        ? "one value: the interval is nearly the whole range"
        : "all values are equal: the interval holds what the rest of the population could have",
    ],
  };
}

/**
 * The Agreement Trap penalty as the paper prints it: how much better decisions score by the rules than by F1.
 *
 * DI − F1, with DI over all verdicts and F1 over the labelled ones; n is the number of labelled verdicts.
 * Range −1 to 1. Undefined when either is, or when fewer than two verdicts are labelled. The interval is linearised, and over communities a
 * jackknife; if all verdicts are alike, it is combined from the two intervals by `squareAndAdd`.
 * Differs from the paper: nothing. Note that F1 ignores true negatives, so if one action is rare this gap is large for arithmetic reasons alone;
 * compare `defensibilityMinusAccuracy`.
 * @see paper §5.2
 * @param index DI of the same verdicts, `score` their F1, and `table` its counts, if already known
 */
export function defensibilityMinusF1(
  tallies: readonly Tally[],
  index = defensibilityIndex(tallies),
  score = f1(tallies),
  table = confusion(tallies),
): Estimate {
  return difference(tallies, index, score, () => f1Statistic(table));
}

/**
 * The same gap to accuracy, where both sides are rates over decisions.
 *
 * DI − accuracy. Range −1 to 1. Undefined when either is.
 * Differs from the paper: the paper has only the gap to F1.
 * @see paper §5.2
 */
export function defensibilityMinusAccuracy(
  tallies: readonly Tally[],
  index = defensibilityIndex(tallies),
  score = accuracy(tallies),
): Estimate {
  return difference(tallies, index, score, () => rateStatistic(tallies, LABELLED, AGREEMENT_MASKS.AGREES));
}

function difference(
  tallies: readonly Tally[],
  index: Estimate,
  other: Estimate,
  otherStatistic: () => CellStatistic,
): Estimate {
  if (index.estimate === null) return index;
  const labelled = tallies.reduce((sum, tally) => sum + countIn(tally, LABELLED), 0);
  if (other.estimate === null) return undefinedEstimate(other.reason, labelled);
  if (labelled < 2) return undefinedEstimate("fewer than two labelled verdicts", labelled);
  const gap = minus(rateStatistic(tallies, ALL_CELLS, DEFENSIBLE), otherStatistic());
  return smoothDifference(index, other, gap, tallies, labelled);
}
