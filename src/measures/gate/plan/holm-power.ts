import { binomialCdf, binomialPmf } from "../../../stats/distributions/incomplete-beta.js";
import type { GateLook } from "../adjustment.js";
import { allowedFailures, failurePValue } from "./certify-size.js";

export interface HolmPower {
  /** Mean share of the communities that are certified. */
  expected_share: number;
  /** Probability that every community is certified. */
  all: number;
}

/**
 * What Holm's procedure certifies of G communities that are all alike: each with n decisions and the same true rate below
 * the limit.
 *
 * Formula: the i-th smallest p-value must be at most δ/(G − i + 1), for all i up to the last that is certified. p-values
 * take few values, one for each number of failures, so thresholds fall into steps k_1 ≤ k_2 ≤ …; the number of
 * communities with at most k failures is followed from step to step by its exact distribution.
 * Range: both in [0, 1]; between Bonferroni's power (δ/G) and that of a single test (δ).
 * Undefined when: communities or n are not counts above 0: RangeError.
 * Differs from the paper: the paper's gate does not correct for the number of communities.
 * @see Holm (1979), Scandinavian Journal of Statistics 6:65-70
 * @example
 * holmPower({ communities: 1, n: 61, limit: 0.1, delta: 0.05, truth: 0.02 }).all // => 0.877
 */
export function holmPower(options: {
  communities: number;
  n: number;
  limit: number;
  delta: number;
  truth: number;
  look?: GateLook;
}): HolmPower {
  const { communities, n, limit, delta, truth, look = "once" } = options;
  if (!(Number.isSafeInteger(communities) && communities >= 1)) {
    throw new RangeError(`communities: not a number of communities; got ${communities}, expected an integer from 1 on`);
  }
  // thresholds[i]: failures allowed to the community that comes i-th.
  const first = allowedFailures(n, limit, delta / communities, look);
  const last = allowedFailures(n, limit, delta, look);
  // below[m] = P(m communities have at most `failures` failures, and Holm has not stopped).
  let below = new Float64Array(communities + 1);
  below[0] = 1;
  let expected = 0;
  let reached = 0;
  for (let failures = first; failures <= last; failures++) {
    const reaching = failures < 0 ? 0 : binomialCdf(failures, n, truth);
    below = spread(below, reached < 1 ? (reaching - reached) / (1 - reached) : 0);
    reached = reaching;
    // Places of the order in which at most this many failures are allowed: their p-value is within δ/(G − i + 1).
    const places = placesAllowed(failures, n, limit, delta, communities, look);
    // Holm stops here when fewer communities are this good than there are places: all of them are certified.
    for (let m = 0; m < Math.min(places, communities); m++) {
      expected += below[m]! * m;
      below[m] = 0;
    }
  }
  const all = below[communities]!;
  // Whoever is left has at most `last` failures in every place.
  for (let m = 0; m <= communities; m++) expected += below[m]! * m;
  return { expected_share: Math.min(1, expected / communities), all: Math.min(1, all) };
}

/** Number of places i, from 1 on, whose threshold δ/(G − i + 1) lies below the p-value of one failure more. */
function placesAllowed(
  failures: number,
  n: number,
  limit: number,
  delta: number,
  communities: number,
  look: GateLook,
): number {
  const next = failures + 1 >= n ? 1 : failurePValue(failures + 1, n, limit, look);
  // δ/(G − i + 1) < next  ⇔  G − i + 1 > δ/next
  let places = Math.min(communities, Math.max(0, communities - Math.floor(delta / next)));
  while (places < communities && delta / (communities - places) < next) places++;
  while (places > 0 && delta / (communities - places + 1) >= next) places--;
  return places;
}

/** Each community that is not yet counted is so with probability p. */
function spread(counts: Float64Array<ArrayBuffer>, p: number): Float64Array<ArrayBuffer> {
  if (p <= 0) return counts;
  const total = counts.length - 1;
  const result = new Float64Array(total + 1);
  for (let m = 0; m <= total; m++) {
    const mass = counts[m]!;
    if (mass < 1e-18) continue;
    const left = total - m;
    if (left === 0) {
      result[m]! += mass;
      continue;
    }
    // From the most probable number outwards, each from its neighbour, until nothing is left to add.
    const mode = Math.min(left, Math.floor((left + 1) * p));
    const odds = p / (1 - p);
    const peak = mass * (p >= 1 ? 1 : binomialPmf(mode, left, p));
    result[m + mode]! += peak;
    let value = peak;
    for (let more = mode + 1; more <= left && value > 1e-18; more++) {
      value *= ((left - more + 1) / more) * odds;
      result[m + more]! += value;
    }
    value = peak;
    for (let more = mode; more > 0 && value > 1e-18; more--) {
      value *= more / ((left - more + 1) * odds);
      result[m + more - 1]! += value;
    }
  }
  return result;
}
