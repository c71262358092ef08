import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../domain/estimate.js";
import { checkLevel } from "./check-arguments.js";
import { clusterBootstrap } from "./cluster-bootstrap.js";
import type { Rng } from "./create-rng.js";
import { fastUniform } from "./fast-uniform.js";
import { normalQuantile } from "./normal-quantile.js";

export interface RatioOptions {
  rng: Rng;
  /** Draws of the bootstrap over clusters. Default 2,000. */
  draws?: number;
  /** Confidence level. Default 0.95. */
  level?: number;
}

/**
 * How many times larger the mean of a number that is never negative is in one group of rows than in the rest, such as a signal in
 * disagreements against agreements.
 *
 * Formula: R = m₁/m₀. Independent rows: ln R ± z √(s₁²/(n₁m₁²) + s₀²/(n₀m₀²)), mapped back. Clusters: percentile bootstrap of whole
 * clusters, from each cluster's sums.
 * Range: [0, ∞); 1 is no difference.
 * Undefined when: a group has no rows, or fewer than two of either to take a spread from, or the mean below the line is 0. Where m₁ = 0
 * the logarithm has no interval: it is [0, 0], with a warning. No `cluster` with fewer than two clusters. RangeError when a value is
 * negative or not finite.
 * Differs from the paper: the paper prints ratios (1.54, 1.63, 6–7) without intervals.
 * @see paper §5.4; Efron (1987), Journal of the American Statistical Association 82:171-185
 * @example
 * ratioOfMeans([1, 3, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0], 1, { rng: { int: () => 0 } }).estimate // => 2
 */
export function ratioOfMeans(
  values: ArrayLike<number>,
  inFirst: ArrayLike<number>,
  cluster: ArrayLike<number>,
  clusters: number,
  options: RatioOptions,
): Estimate {
  const { rng, draws, level = CONFIDENCE_LEVEL } = options;
  checkLevel(level);
  const sums = groupSums(values, inFirst, cluster, clusters);
  const n = values.length;
  const [second, first] = [spread(values, inFirst, 0), spread(values, inFirst, 1)];
  if (first.n === 0 || second.n === 0) {
    return undefinedEstimate(first.n === 0 ? "the first group has no rows" : "the second group has no rows", n);
  }
  if (first.n < 2 || second.n < 2) return undefinedEstimate("a group has one row, and so no spread", n);
  if (second.mean === 0) return undefinedEstimate("the mean below the line is 0", n);
  const estimate = first.mean / second.mean;
  const relative = ({ n: rows, mean, variance }: Spread) => variance / (rows * mean * mean);
  const half = first.mean === 0 ? 0 : normalQuantile((1 + level) / 2) * Math.sqrt(relative(first) + relative(second));
  const interval = clusterBootstrap(clusters, (weights) => weightedRatio(sums, weights), {
    rng: quick(rng),
    draws,
    level,
  });
  return {
    estimate,
    lower: estimate * Math.exp(-half),
    upper: estimate * Math.exp(half),
    level,
    method: "delta, log",
    n,
    ...(first.mean === 0 && { warnings: ["all values of the first group are 0: the interval has no width"] }),
    ...(interval && {
      cluster: {
        lower: interval.lower,
        upper: interval.upper,
        method: `bootstrap of clusters, percentile, ${interval.draws} draws`,
        clusters,
        design_effect: null,
      },
    }),
  };
}

interface Spread {
  n: number;
  mean: number;
  /** Sample variance. */
  variance: number;
}

function spread(values: ArrayLike<number>, inFirst: ArrayLike<number>, group: number): Spread {
  let n = 0;
  let mean = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i += 1) {
    if (inFirst[i] !== group) continue;
    n += 1;
    const step = values[i]! - mean;
    mean += step / n;
    squares += step * (values[i]! - mean);
  }
  return { n, mean, variance: n > 1 ? squares / (n - 1) : 0 };
}

/** By cluster: count and sum of the second group, then of the first. */
function groupSums(
  values: ArrayLike<number>,
  inFirst: ArrayLike<number>,
  cluster: ArrayLike<number>,
  clusters: number,
): Float64Array {
  const sums = new Float64Array(4 * clusters);
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(`value: no ratio of means; got ${value}, expected a finite number from 0 on`);
    }
    const at = 4 * cluster[i]! + 2 * inFirst[i]!;
    sums[at]! += 1;
    sums[at + 1]! += value;
  }
  return sums;
}

/** Written out, without arrays: it runs some thousand times over some thousand clusters. */
function weightedRatio(sums: Float64Array, weights: Float64Array): number | null {
  let n0 = 0;
  let sum0 = 0;
  let n1 = 0;
  let sum1 = 0;
  for (let c = 0, at = 0; c < weights.length; c += 1, at += 4) {
    const weight = weights[c]!;
    if (weight === 0) continue;
    n0 += weight * sums[at]!;
    sum0 += weight * sums[at + 1]!;
    n1 += weight * sums[at + 2]!;
    sum1 += weight * sums[at + 3]!;
  }
  return n0 === 0 || n1 === 0 || sum0 === 0 ? null : sum1 / n1 / (sum0 / n0);
}

/** Draws of clusters from a quicker stream that `rng` determines. */
function quick(rng: Rng): Rng {
  const next = fastUniform(rng);
  return { ...rng, int: (n) => Math.floor((next() * n) / 2 ** 32) };
}
