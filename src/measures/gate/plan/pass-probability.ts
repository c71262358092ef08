import { binomialCdf, binomialPmf } from "../../../stats/distributions/incomplete-beta.js";
import type { GateLook } from "../adjustment.js";
import { allowedFailures, failurePValue } from "./certify-size.js";

/** The counts that pass a gate: at most `mostYes[x]` inverse-Yes verdicts with x indefensible ones; −1: no count passes. */
export interface GateRegion {
  mostYes: Int32Array;
}

/** The true rates of a community. */
export interface GateTruth {
  /** Share of indefensible decisions. */
  indefensible: number;
  /** How often the inverse check says Yes for an indefensible decision. */
  yes_if_indefensible: number;
  /** How often it says Yes for a defensible one: the rules really leave the case open. */
  yes_if_defensible: number;
}

/** Smaller terms are not added to a probability. */
const NEGLIGIBLE = 1e-18;

/**
 * Probability that a community passes a gate that counts indefensible and inverse-Yes verdicts among n decisions.
 *
 * Formula: Σ_x P(Bin(n, p) = x) Σ_j P(Bin(x, c) = j) P(Bin(n − x, u) ≤ mostYes[x] − j); p is the true rate of indefensible decisions; c and u are
 * how often the inverse check says Yes for an indefensible and for a defensible one. Exact, without a normal approximation; both counts come from
 * the same decisions.
 * Range: [0, 1]; falls with u; falls with p where c ≥ u.
 * Undefined when: n is not a count above 0 or a probability lies outside [0, 1]: RangeError.
 * Differs from the paper: the paper has no operating characteristic.
 * @see docs/plan.md
 * @example
 * passProbability(2, { mostYes: [2, 2] }, { indefensible: 0.5, yes_if_indefensible: 1, yes_if_defensible: 0 }) // => 0.75
 */
export function passProbability(n: number, region: GateRegion, truth: GateTruth): number {
  const { indefensible: p, yes_if_indefensible: c, yes_if_defensible: u } = truth;
  for (const value of [p, c, u]) {
    if (!(value >= 0 && value <= 1)) throw new RangeError(`truth: not a probability; got ${value}, expected 0 to 1`);
  }
  let total = 0;
  const most = Math.min(n, region.mostYes.length - 1);
  for (let x = 0; x <= most; x++) {
    const limit = region.mostYes[x]!;
    const weight = limit < 0 ? 0 : binomialPmf(x, n, p);
    if (weight > NEGLIGIBLE) total += weight * fewYes(x, n - x, Math.min(limit, n), c, u);
  }
  return Math.min(1, total);
}

/** P(Bin(x, c) + Bin(rest, u) ≤ limit). */
function fewYes(x: number, rest: number, limit: number, c: number, u: number): number {
  if (x === 0 || c === 0) return rest === 0 ? 1 : binomialCdf(Math.min(limit, rest), rest, u);
  if (rest === 0 || u === 0) return binomialCdf(Math.min(limit, x), x, c);
  // With fewer than `bottom` among the x, the others cannot exceed the limit.
  const bottom = Math.max(0, limit - rest);
  if (bottom > x) return 1;
  let sum = bottom > 0 ? binomialCdf(bottom - 1, x, c) : 0;
  const first = new Walk(Math.min(x, limit), x, c);
  const second = new Walk(limit - first.k, rest, u);
  let cdf = binomialCdf(second.k, rest, u);
  for (let j = first.k; j >= bottom; j--) {
    if (first.probability < NEGLIGIBLE && j < x * c) break;
    sum += first.probability * cdf;
    first.down();
    second.up();
    cdf += second.probability;
  }
  return Math.min(1, sum);
}

/** Below this, a probability derived from its neighbour has lost digits or underflowed to 0, so it is computed directly. */
const SMALLEST = 1e-200;

/** Binomial probabilities, each computed from its neighbour: ten times faster than one by one. */
class Walk {
  probability: number;

  constructor(
    public k: number,
    private readonly n: number,
    private readonly p: number,
  ) {
    this.probability = binomialPmf(k, n, p);
  }

  down(): void {
    if (this.k === 0) this.probability = 0;
    else this.step(this.k - 1, this.k / ((this.n - this.k + 1) * this.odds));
  }

  up(): void {
    if (this.k === this.n) this.probability = 0;
    else this.step(this.k + 1, ((this.n - this.k) / (this.k + 1)) * this.odds);
  }

  private get odds(): number {
    return this.p / (1 - this.p);
  }

  private step(k: number, factor: number): void {
    this.k = k;
    const next = this.probability * factor;
    this.probability = next > SMALLEST && Number.isFinite(next) ? next : binomialPmf(k, this.n, this.p);
  }
}

/** How often the inverse check says Yes for indefensible decisions; 86 to 90.5% in the paper's runs. */
export const YES_IF_INDEFENSIBLE = 0.88;

/** A community given by its rates: the part of its Ambiguity Index beyond the contradictions is ambiguity of defensible decisions. */
export function truthFromIndices(indefensible: number, ambiguity: number, share = YES_IF_INDEFENSIBLE): GateTruth {
  const contradictions = Math.min(share * indefensible, ambiguity);
  return {
    indefensible,
    yes_if_indefensible: indefensible === 0 ? share : contradictions / indefensible,
    yes_if_defensible: indefensible === 1 ? 0 : Math.min(1, (ambiguity - contradictions) / (1 - indefensible)),
  };
}

/** The Ambiguity Index that follows from a community's rates. */
export function ambiguityOf(truth: GateTruth): number {
  return truth.indefensible * truth.yes_if_indefensible + (1 - truth.indefensible) * truth.yes_if_defensible;
}

export interface HolmPower {
  /** Mean share of the communities that are certified. */
  expected_share: number;
  /** Probability that every community is certified. */
  all: number;
}

/**
 * What Holm's procedure certifies among G identical communities, each with n decisions and the same true rate below the limit.
 *
 * Formula: the i-th smallest p-value must be at most δ/(G − i + 1), for all i up to the last that is certified. p-values take few values, one for
 * each number of failures, so thresholds fall into steps k_1 ≤ k_2 ≤ …; the exact distribution of the number of communities with at most k failures
 * is computed step by step.
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
  // thresholds[i]: failures allowed for the community that comes i-th.
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
    // Places in the order at which at most this many failures are allowed: their p-value is within δ/(G − i + 1).
    const places = placesAllowed(failures, n, limit, delta, communities, look);
    // Holm stops here if fewer communities than places are this good: all of them are certified.
    for (let m = 0; m < Math.min(places, communities); m++) {
      expected += below[m]! * m;
      below[m] = 0;
    }
  }
  const all = below[communities]!;
  // The remaining communities have at most `last` failures in every place.
  for (let m = 0; m <= communities; m++) expected += below[m]! * m;
  return { expected_share: Math.min(1, expected / communities), all: Math.min(1, all) };
}

/** Number of places i ≥ 1 whose threshold δ/(G − i + 1) is below the p-value of one more failure. */
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

/** Each community not yet counted becomes counted with probability p. */
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
    // From the mode outwards, each from its neighbour, until the terms are negligible.
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
