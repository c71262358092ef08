import {
  type BetaBinomialSums,
  type HyperPrior,
  objectiveAt,
  profileAt,
  scanProfile,
} from "./beta-binomial-profile.js";
import type { BetaMixture } from "./beta-mixture.js";

/** How finely the parameters are laid out. */
export interface Grid {
  /** Points along each of the two parameters. */
  side: number;
  /** How far (nats) below its top the profile in ln M is followed. */
  depth: number;
  /** Half-width along logit μ, in standard deviations at the given M. */
  reach: number;
}

/** For few cohorts, whose two parameters are uncertain. */
export const FINE_GRID: Grid = Object.freeze({ side: 25, depth: 12, reach: 7 });
/** For many cohorts with a maximum on the edge of the box: little is uncertain, and thousands of posteriors are asked for. */
export const COARSE_GRID: Grid = Object.freeze({ side: 7, depth: 7, reach: 3.5 });
const SCAN_POINTS = 40;
/** Points below this share of the heaviest are dropped: together they hold less than a thousandth of the mass. */
const NEGLIGIBLE = 1e-5;

/**
 * Prior of a rate over cohorts with its own uncertainty integrated over: a mixture of Beta distributions, one for each
 * point of a grid of (logit μ, ln M), weighted by likelihood × prior. What few communities cannot settle is left open.
 *
 * Formula: weight ∝ Π_c B(a+k_c, b+n_c−k_c)/B(a, b) · π(μ, M) · cell, a = μM, b = (1−μ)M; μ ~ Beta(½, ½) (Jeffreys) and
 * n₀/(n₀+M) ~ uniform, n₀ the median n of the cohorts ("uniform shrinkage"). Fine grid: 25 values of ln M where the profile
 * lies within 12 nats of its top, and for each 25 values of logit μ within 7 standard deviations of the best one.
 * Range: weights above 0 with sum 1.
 * Undefined when: there are no cohorts; `betaBinomialFit` answers that case.
 * Differs from the paper: not in the paper.
 * @see Daniels (1999), Canadian Journal of Statistics 27:567-578 (uniform shrinkage prior)
 */
export function integrateBetaBinomial(sums: BetaBinomialSums, pooledLogit: number, grid: Grid): BetaMixture {
  const prior: HyperPrior = { mean: 0.5, halfway: medianTrials(sums) };
  const scan = scanProfile(sums, SCAN_POINTS, pooledLogit, prior);
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
