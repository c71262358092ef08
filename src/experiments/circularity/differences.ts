import { type ClusterInterval, CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { allAlikeWarning } from "../../measures/metrics/paired/paired-change.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import {
  clusterSpread,
  effectiveClusters,
  intervalOf,
  jackknifeOfSums,
} from "../../stats/intervals/cluster-jackknife.js";
import { hasWidth, type Interval } from "../../stats/intervals/proportion.js";
import { newcombeInterval, tangoInterval } from "../../stats/intervals/two-proportions.js";
import { squareAndAdd } from "../../stats/optimise/cosine-transform.js";

/** Counts of one community on both sides of a comparison of different decisions. */
export interface TwoRates {
  k1: number;
  n1: number;
  k0: number;
  n0: number;
}

/** Rate in the first group minus the rate in the second: Newcombe's interval, and one that allows for dependence within a community. */
export function rateDifference(clusters: readonly TwoRates[], empty: string): Estimate {
  const total = (name: keyof TwoRates) => clusters.reduce((sum, one) => sum + one[name], 0);
  const [k1, n1, k0, n0] = [total("k1"), total("n1"), total("k0"), total("n0")];
  if (n1 === 0 || n0 === 0) return undefinedEstimate(empty, n1 + n0);
  const [p1, p0] = [k1 / n1, k0 / n0];
  const cluster = leftOut(
    p1 - p0,
    clusters.map((one) => ({
      sizes: [one.n1, one.n0],
      without: one.n1 === n1 || one.n0 === n0 ? null : (k1 - one.k1) / (n1 - one.n1) - (k0 - one.k0) / (n0 - one.n0),
    })),
  );
  return {
    estimate: p1 - p0,
    ...newcombeInterval(k1, n1, k0, n0),
    level: CONFIDENCE_LEVEL,
    method: "Newcombe",
    n: n1 + n0,
    ...overCommunities(cluster),
  };
}

/** Number of decisions of one community that count on only one of the two sides. */
export interface PairedErrors {
  plus: number;
  minus: number;
  n: number;
}

/**
 * Rate by the auditor minus the rate by the truth, on the same decisions: (plus − minus)/n, with its paired variance; if that is 0, Tango's
 * interval.
 */
export function pairedDifference(clusters: readonly PairedErrors[], empty: string): Estimate {
  const error = errorOf(clusters);
  const { n, mean, variance } = error;
  if (n < 2) return undefinedEstimate(n === 0 ? empty : "one decision has no interval", n);
  const cluster = jackknifeOfSums(
    mean,
    clusters.map((one) => (one.plus - one.minus - mean * one.n) / n),
    clusters.map((one) => one.n),
    CONFIDENCE_LEVEL,
    [-1, 1],
  );
  return variance > 0
    ? normalEstimate(mean, variance, cluster, n)
    : pairedEstimate(mean, error.tango, "Tango", cluster, n);
}

/** The error of one group of decisions minus that of another; clusters are in the same order on both sides. */
export function errorDifference(
  first: readonly PairedErrors[],
  second: readonly PairedErrors[],
  empty: string,
): Estimate {
  const [a, b] = [errorOf(first), errorOf(second)];
  if (a.n < 2 || b.n < 2) return undefinedEstimate(empty, a.n + b.n);
  const without = (one: PairedErrors, { n, sum }: { n: number; sum: number }) =>
    one.n === n ? null : (sum - one.plus + one.minus) / (n - one.n);
  const difference = a.mean - b.mean;
  const cluster = leftOut(
    difference,
    first.map((one, i) => {
      const [x, y] = [without(one, a), without(second[i]!, b)];
      return { sizes: [one.n, second[i]!.n], without: x === null || y === null ? null : x - y };
    }),
  );
  const n = a.n + b.n;
  if (a.variance + b.variance > 0) return normalEstimate(difference, a.variance + b.variance, cluster, n);
  const bounds = squareAndAdd({ estimate: a.mean, ...a.tango }, { estimate: b.mean, ...b.tango });
  return pairedEstimate(difference, bounds, "square-and-add", cluster, n);
}

interface ErrorOf {
  n: number;
  sum: number;
  mean: number;
  variance: number;
  tango: Interval;
}

/** Mean of rows that are +1, −1 or 0, and its variance. */
function errorOf(clusters: readonly PairedErrors[]): ErrorOf {
  const total = (name: keyof PairedErrors) => clusters.reduce((sum, one) => sum + one[name], 0);
  const [plus, minus, n] = [total("plus"), total("minus"), total("n")];
  const mean = n > 0 ? (plus - minus) / n : 0;
  // In integers, so that rounding cannot hide that all rows are equal.
  const variance = n > 1 ? ((plus + minus) * n - (plus - minus) ** 2) / (n * n * (n - 1)) : 0;
  return {
    n,
    sum: plus - minus,
    mean,
    variance,
    tango: n > 0 ? tangoInterval(plus, minus, n) : { lower: -1, upper: 1 },
  };
}

/** Interval of a difference between two groups, from its values without each community. null if it depends on a single community. */
function leftOut(
  estimate: number,
  clusters: readonly { sizes: readonly [number, number]; without: number | null }[],
): ClusterInterval | null {
  const used = clusters.filter(({ sizes }) => sizes[0] + sizes[1] > 0);
  if (used.some(({ without }) => without === null)) return null;
  const effective = ([0, 1] as const).map((side) => effectiveClusters(used.map(({ sizes }) => sizes[side])) ?? 0);
  const changes = used.map(({ without }) => without! - estimate);
  const spread = clusterSpread(changes, Math.min(...effective), CONFIDENCE_LEVEL);
  return spread && intervalOf(estimate, spread, [-1, 1]);
}

function normalEstimate(estimate: number, variance: number, cluster: ClusterInterval | null, n: number): Estimate {
  const half = normalQuantile((1 + CONFIDENCE_LEVEL) / 2) * Math.sqrt(variance);
  const bounds = { lower: Math.max(-1, estimate - half), upper: Math.min(1, estimate + half) };
  return pairedEstimate(estimate, bounds, "paired, normal", cluster, n);
}

function pairedEstimate(
  estimate: number,
  bounds: Interval,
  method: string,
  cluster: ClusterInterval | null,
  n: number,
): Estimate {
  return { estimate, ...bounds, level: CONFIDENCE_LEVEL, method, n, ...overCommunities(cluster) };
}

/** If all communities are equal they have no spread, which gives no information about chance. */
function overCommunities(cluster: ClusterInterval | null): { cluster?: ClusterInterval; warnings?: string[] } {
  if (!cluster) return {};
  return hasWidth(cluster) ? { cluster } : { warnings: [allAlikeWarning()] };
}
