import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import { normalQuantile } from "../../../stats/distributions/normal-quantile.js";
import { jackknifeOfSums } from "../../../stats/intervals/cluster-jackknife.js";
import { hasWidth } from "../../../stats/intervals/interval.js";
import { tangoInterval } from "../../../stats/intervals/tango-interval.js";
import { shareEstimate } from "../rate.js";
import { allAlikeWarning } from "./paired-difference.js";

/** Labelled decisions of one community by whether the model's decision and the human's are defensible. */
export interface PairTally {
  cluster: string;
  both: number;
  modelOnly: number;
  humanOnly: number;
  neither: number;
}

export interface HumanComparison {
  n: number;
  model_defensibility_index: Estimate;
  human_defensibility_index: Estimate;
  difference: Estimate;
}

/**
 * Model and moderators side by side: DI of what the model decided and of what the human decided, on the same labelled decisions.
 *
 * Where both decided alike one audit counts for both; where they differ the human's decision was audited too (`audit --humans`).
 * difference = DI_model − DI_human = (model only − human only) / n, paired, with a normal interval. Where no pair differs, or all differ the same
 * way, the variance is 0 and says nothing: Tango's interval then, and none over communities that are all alike.
 * Undefined when no labelled decision has both audits.
 */
export function compareWithHumans(pairs: readonly PairTally[]): HumanComparison {
  const size = (pair: PairTally) => pair.both + pair.modelOnly + pair.humanOnly + pair.neither;
  const n = pairs.reduce((sum, pair) => sum + size(pair), 0);
  const index = (defensible: (pair: PairTally) => number): Estimate =>
    shareEstimate(
      pairs.map((pair) => ({ k: defensible(pair), n: size(pair) })),
      "no labelled decision has both audits",
    );
  return {
    n,
    model_defensibility_index: index((pair) => pair.both + pair.modelOnly),
    human_defensibility_index: index((pair) => pair.both + pair.humanOnly),
    difference: pairedDifference(pairs, n, size),
  };
}

function pairedDifference(pairs: readonly PairTally[], n: number, size: (pair: PairTally) => number): Estimate {
  if (n < 2) return undefinedEstimate("fewer than two decisions have both audits", n);
  const plus = pairs.reduce((sum, pair) => sum + pair.modelOnly, 0);
  const minus = pairs.reduce((sum, pair) => sum + pair.humanOnly, 0);
  const difference = (plus - minus) / n;
  const variance = ((plus + minus) / n - difference ** 2) / (n - 1);
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * Math.sqrt(variance);
  const normal = { lower: Math.max(-1, difference - half), upper: Math.min(1, difference + half) };
  const spread = hasWidth(normal);
  const sums = pairs.map((pair) => (pair.modelOnly - pair.humanOnly - difference * size(pair)) / n);
  const cluster = jackknifeOfSums(difference, sums, pairs.map(size), CONFIDENCE_LEVEL, [-1, 1]);
  return {
    estimate: difference,
    ...(spread ? normal : tangoInterval(plus, minus, n)),
    level: CONFIDENCE_LEVEL,
    method: spread ? "paired, normal" : "Tango",
    n,
    ...(cluster && hasWidth(cluster) ? { cluster } : {}),
    ...(cluster && !hasWidth(cluster) ? { warnings: [allAlikeWarning()] } : {}),
  };
}
