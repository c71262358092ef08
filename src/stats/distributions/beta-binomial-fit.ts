import { checkTrials } from "../check-arguments.js";
import {
  type BetaBinomialSums,
  betaBinomialSums,
  GREATEST_LOGIT,
  type HyperPrior,
  NO_PRIOR,
  objectiveAt,
  type ProfilePoint,
  profileAt,
  scanProfile,
} from "./beta-binomial-profile.js";
import { lowerTail } from "./incomplete-beta.js";

/** Resolution of the grid over the two parameters. */
interface Grid {
  /** Points along each of the two parameters. */
  side: number;
  /** The profile in ln M is followed to this depth below its top, in nats. */
  depth: number;
  /** Half-width along logit μ, in standard deviations at the given M. */
  reach: number;
}

/** For few cohorts, whose two parameters are uncertain. */
const FINE_GRID: Grid = Object.freeze({ side: 25, depth: 12, reach: 7 });
/** For many cohorts with a maximum on the edge of the box: little is uncertain, and thousands of posteriors are needed. */
const COARSE_GRID: Grid = Object.freeze({ side: 7, depth: 7, reach: 3.5 });
const GRID_SCAN_POINTS = 40;
/** Points with less than this share of the largest weight are dropped: together they hold less than a thousandth of the mass. */
const NEGLIGIBLE = 1e-5;

/**
 * Prior of a rate over cohorts, integrated over its own uncertainty: a mixture of Beta distributions, one for each
 * point of a grid of (logit μ, ln M), weighted by likelihood × prior. What few communities cannot settle stays uncertain.
 *
 * Formula: weight ∝ Π_c B(a+k_c, b+n_c−k_c)/B(a, b) · π(μ, M) · cell, a = μM, b = (1−μ)M; μ ~ Beta(½, ½) (Jeffreys) and
 * n₀/(n₀+M) ~ uniform, n₀ the median n of the cohorts ("uniform shrinkage"). Fine grid: 25 values of ln M where the profile
 * lies within 12 nats of its top, and for each 25 values of logit μ within 7 standard deviations of the best one.
 * Range: weights above 0 with sum 1.
 * Undefined when: there are no cohorts; `betaBinomialFit` answers that case.
 * Differs from the paper: not in the paper.
 * @see Daniels (1999), Canadian Journal of Statistics 27:567-578 (uniform shrinkage prior)
 */
function integrateBetaBinomial(sums: BetaBinomialSums, pooledLogit: number, grid: Grid): BetaMixture {
  const prior: HyperPrior = { mean: 0.5, halfway: medianTrials(sums) };
  const scan = scanProfile(sums, GRID_SCAN_POINTS, pooledLogit, prior);
  const top = Math.max(...scan.map((point) => point.value));
  const first = scan.findIndex((point) => point.value > top - grid.depth);
  const last = scan.findLastIndex((point) => point.value > top - grid.depth);
  const low = scan[Math.max(0, first - 1)]!.logConcentration;
  const high = scan[Math.min(scan.length - 1, last + 1)]!.logConcentration;
  const points: { a: number; b: number; log: number }[] = [];
  for (let i = 0; i < grid.side; i += 1) {
    const logM = low + ((i + 0.5) / grid.side) * (high - low);
    const best = profileAt(sums, logM, pooledLogit, prior);
    const sd = 1 / Math.sqrt(best.curvature);
    for (let j = 0; j < grid.side; j += 1) {
      const logit = best.logitMean + grid.reach * sd * ((2 * j + 1) / grid.side - 1);
      const mean = 1 / (1 + Math.exp(-logit));
      const m = Math.exp(logM);
      points.push({
        a: mean * m,
        b: m / (1 + Math.exp(logit)),
        log: objectiveAt(sums, logit, logM, prior) + Math.log(sd),
      });
    }
  }
  const heaviest = Math.max(...points.map((point) => point.log));
  const kept = points.filter((point) => point.log > heaviest + Math.log(NEGLIGIBLE));
  const total = kept.reduce((sum, point) => sum + Math.exp(point.log - heaviest), 0);
  return {
    a: kept.map((point) => point.a),
    b: kept.map((point) => point.b),
    weight: kept.map((point) => Math.exp(point.log - heaviest) / total),
  };
}

function medianTrials({ trials, cohorts }: BetaBinomialSums): number {
  let seen = 0;
  for (let i = 0; i < trials.value.length; i += 1) {
    seen += trials.times[i]!;
    if (seen * 2 >= cohorts) return trials.value[i]!;
  }
  return 1;
}

/** With at least this many cohorts the most likely prior is used directly; with fewer, it is integrated over its uncertainty. */
export const ENOUGH_COHORTS = 30;
const SCAN_POINTS = 15;

export interface BetaBinomialFit {
  /** Most likely mean μ of the cohorts' rates. */
  mean: number;
  /** Most likely concentration M: the number of trials that the prior is worth. */
  concentration: number;
  /** Log-likelihood at these two, in nats, without binomial coefficients. */
  log_likelihood: number;
  /** Cohorts with at least one trial, and their trials. */
  cohorts: number;
  rows: number;
  /** Whether the maximum lies on the edge of the box (all rates 0, or no differences beyond chance). */
  at_bound: boolean;
  method: "maximum likelihood" | "integrated";
  /** Grid points along each parameter; null without a grid. */
  grid_side: number | null;
  /** The prior to use: one Beta, or a mixture with the grid's weights. */
  prior: BetaMixture;
}

/**
 * Distribution of a rate over cohorts (communities), from their counts: the prior of the shrunk gate. Maximum
 * likelihood, or integrated over its uncertainty where that matters.
 *
 * Formula: k_c ~ BetaBin(n_c, μM, (1−μ)M); maximise Σ[ln B(a+k, b+n−k) − ln B(a, b)] over (logit μ, ln M), M in [0.05, 1e5], |logit μ| ≤ 14. For a
 * fixed M this is concave in μ, so M is searched along the profile. With fewer than 30 cohorts (μ, M) is integrated over a grid of 25 × 25, with more
 * but a maximum on the edge of the box over 7 × 7: see `integrateBetaBinomial`.
 * Range: mean in (0, 1), concentration in [0.05, 1e5].
 * Undefined when: no cohort has a trial: null. RangeError when k is outside 0..n.
 * Differs from the paper: not in the paper, which judges each community by its own rate alone. Integrating also at the
 * edge of the box is this project's rule: a mean of exactly 0, or no spread at all, is never taken at face value.
 * @see Efron and Morris (1975), Journal of the American Statistical Association 70:311-319
 * @example
 * betaBinomialFit([]) // => null
 */
export function betaBinomialFit(counts: readonly { k: number; n: number }[]): BetaBinomialFit | null {
  const used = counts.filter((count) => count.n !== 0);
  for (const { k, n } of used) checkTrials(k, n);
  if (used.length === 0) return null;
  const sums = betaBinomialSums(used);
  let successes = 0;
  let rows = 0;
  for (const { k, n } of used) {
    successes += k;
    rows += n;
  }
  const pooledLogit = Math.log((successes + 0.5) / (rows - successes + 0.5));
  const { point, atEdge } = mostLikely(sums, pooledLogit);
  const at_bound = atEdge || Math.abs(point.logitMean) > GREATEST_LOGIT - 1e-6;
  const mean = 1 / (1 + Math.exp(-point.logitMean));
  const concentration = Math.exp(point.logConcentration);
  const shared = { mean, concentration, log_likelihood: point.value, cohorts: used.length, rows, at_bound };
  if (used.length >= ENOUGH_COHORTS && !at_bound) {
    const prior = { a: [mean * concentration], b: [(1 - mean) * concentration], weight: [1] };
    return { ...shared, method: "maximum likelihood", grid_side: null, prior };
  }
  const grid = used.length < ENOUGH_COHORTS ? FINE_GRID : COARSE_GRID;
  const prior = integrateBetaBinomial(sums, pooledLogit, grid);
  return { ...shared, method: "integrated", grid_side: grid.side, prior };
}

function mostLikely(sums: BetaBinomialSums, start: number): { point: ProfilePoint; atEdge: boolean } {
  const scan = scanProfile(sums, SCAN_POINTS, start, NO_PRIOR);
  let best = 0;
  for (let i = 1; i < scan.length; i += 1) if (scan[i]!.value > scan[best]!.value) best = i;
  const at = scan[best]!;
  const rising = at.slope > 0;
  const neighbour = scan[rising ? best + 1 : best - 1];
  if (neighbour === undefined) return { point: at, atEdge: true };
  return { point: climb(sums, rising ? at : neighbour, rising ? neighbour : at), atEdge: false };
}

/** The root of the slope between two concentrations, by the Illinois variant of false position. */
function climb(sums: BetaBinomialSums, from: ProfilePoint, to: ProfilePoint): ProfilePoint {
  let low = from;
  let high = to;
  let lowSlope = low.slope;
  let highSlope = high.slope;
  let point = low.value > high.value ? low : high;
  for (let step = 0; step < 80 && high.logConcentration - low.logConcentration > 1e-10; step += 1) {
    const share = lowSlope > 0 && highSlope < 0 ? lowSlope / (lowSlope - highSlope) : 0.5;
    const logM = low.logConcentration + share * (high.logConcentration - low.logConcentration);
    const next = profileAt(sums, logM, point.logitMean, NO_PRIOR);
    const moved = Math.abs(next.logConcentration - point.logConcentration);
    point = next;
    if (next.slope > 0) {
      low = next;
      lowSlope = next.slope;
      highSlope /= 2;
    } else {
      high = next;
      highSlope = next.slope;
      lowSlope /= 2;
    }
    if (moved < 1e-11) break;
  }
  return point;
}

/** A mixture of Beta distributions of a rate: parallel lists, weights with sum 1. */
export interface BetaMixture {
  a: number[];
  b: number[];
  weight: number[];
}

/**
 * Posterior probability that a rate exceeds a limit, after k of n, under a prior that is a mixture of Beta distributions
 * fitted to all cohorts. The mixture weights are not updated: they already come from all cohorts, this one included.
 *
 * Formula: Σ_j w_j [1 − I_limit(a_j + k, b_j + n − k)].
 * Range: [0, 1]; rises in k, falls in the limit.
 * Undefined when: k outside 0..n: RangeError. n = 0 gives the prior's own tail.
 * Differs from the paper: not in the paper.
 * @see Efron and Morris (1975), Journal of the American Statistical Association 70:311-319
 * @example
 * posteriorExceeds({ a: [1], b: [1], weight: [1] }, 0, 1, 0.5) // => 0.25
 */
export function posteriorExceeds(prior: BetaMixture, k: number, n: number, limit: number): number {
  if (n !== 0 || k !== 0) checkTrials(k, n);
  if (limit >= 1) return 0;
  if (limit < 0) return 1;
  let sum = 0;
  for (let j = 0; j < prior.a.length; j += 1) {
    sum += prior.weight[j]! * lowerTail(1 - limit, limit, prior.b[j]! + n - k, prior.a[j]! + k);
  }
  return Math.min(1, sum);
}

/**
 * The Beta distribution with the mean and variance of the posterior after k of n. If the prior is one Beta, this is the
 * posterior itself; if it is a mixture, its intervals are a close approximation.
 *
 * Formula: m = Σ w_j m_j, v = Σ w_j (v_j + m_j²) − m²; a = m s, b = (1 − m) s, s = m(1−m)/v − 1.
 * Range: a, b above 0.
 * Undefined when: k outside 0..n: RangeError.
 * Differs from the paper: not in the paper.
 * @see Efron and Morris (1975), Journal of the American Statistical Association 70:311-319
 * @example
 * posteriorBeta({ a: [1], b: [1], weight: [1] }, 1, 3) // => { a: 2, b: 3 }
 */
export function posteriorBeta(prior: BetaMixture, k: number, n: number): { a: number; b: number } {
  if (n !== 0 || k !== 0) checkTrials(k, n);
  if (prior.a.length === 1) return { a: prior.a[0]! + k, b: prior.b[0]! + n - k };
  let mean = 0;
  for (let j = 0; j < prior.a.length; j += 1) {
    mean += (prior.weight[j]! * (prior.a[j]! + k)) / (prior.a[j]! + prior.b[j]! + n);
  }
  let variance = 0;
  for (let j = 0; j < prior.a.length; j += 1) {
    const total = prior.a[j]! + prior.b[j]! + n;
    const own = (prior.a[j]! + k) / total;
    const within = (own * (prior.b[j]! + n - k)) / total / (total + 1);
    variance += prior.weight[j]! * (within + (own - mean) ** 2);
  }
  const size = (mean * (1 - mean)) / variance - 1;
  return { a: mean * size, b: (1 - mean) * size };
}
