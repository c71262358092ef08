import type { PlanClusters, PlanCorrelation, PlanLabels } from "../../../core/results/plan.js";
import { incompleteBeta } from "../../../stats/distributions/incomplete-beta.js";
import { normalQuantile } from "../../../stats/distributions/normal.js";
import type { GateLimits } from "../gate-input.js";
import { indefensibleLimit, LIMIT_SLACK } from "../limits.js";
import { allowedFailures } from "./certify-size.js";
import type { GateRegion } from "./pass-probability.js";

/** Prior of a community's rate: its mean, and its strength as a number of earlier decisions. */
export interface RatePrior {
  mean: number;
  strength: number;
}

export interface RegionOptions {
  limits: GateLimits;
  /** `certified`: δ of one community, already divided for the number of communities. Default 0.05. */
  delta?: number;
  /** `shrunk`: largest probability that an admitted community is beyond a limit. Default 0.05. */
  risk?: number;
  priors?: { indefensible: RatePrior; ambiguity: RatePrior };
}

/** A fleet like the paper's: 6% indefensible, 15% ambiguous, priors worth 20 and 10 decisions. An assumption; `gate` fits a real fleet's priors. */
export const ASSUMED_PRIORS = {
  indefensible: { mean: 0.06, strength: 20 },
  ambiguity: { mean: 0.15, strength: 10 },
} as const satisfies RegionOptions["priors"];

const NOTHING: GateRegion = { mostYes: new Int32Array(0) };

/** The counts of n decisions that pass the paper's plug-in gate. */
export function paperRegion(n: number, { limits }: RegionOptions): GateRegion {
  if (n < limits.min_decisions) return NOTHING;
  return rectangle(Math.floor(n * (1 - limits.di + LIMIT_SLACK)), Math.floor(n * (limits.ai + LIMIT_SLACK)));
}

/** Both e-values reach 1/δ, as the certified gate requires for independent decisions. */
export function certifiedRegion(n: number, { limits, delta = 0.05 }: RegionOptions): GateRegion {
  if (n < limits.min_decisions) return NOTHING;
  return rectangle(failuresWithin(n, indefensibleLimit(limits), delta), failuresWithin(n, limits.ai, delta));
}

/**
 * The posterior probabilities of exceeding either limit sum to at most the risk. In a fleet a community may be admitted at up to twice the risk, as
 * long as the mean over all that pass stays within it.
 */
export function shrunkRegion(n: number, options: RegionOptions): GateRegion {
  const { limits, risk = 0.05, priors = ASSUMED_PRIORS } = options;
  if (n < limits.min_decisions) return NOTHING;
  const beyondDi = beyond(n, indefensibleLimit(limits), priors.indefensible, risk);
  const beyondAi = beyond(n, limits.ai, priors.ambiguity, risk);
  const mostYes = new Int32Array(beyondDi.length);
  let y = beyondAi.length - 1;
  for (let x = 0; x < beyondDi.length; x++) {
    while (y >= 0 && beyondDi[x]! + beyondAi[y]! > risk) y--;
    mostYes[x] = y;
  }
  return { mostYes };
}

/** P(rate > limit | k of n) for k = 0, 1, … as long as it is within the risk. */
function beyond(n: number, limit: number, prior: RatePrior, risk: number): number[] {
  const tails: number[] = [];
  for (let k = 0; k <= n; k++) {
    const a = prior.mean * prior.strength + k;
    const b = (1 - prior.mean) * prior.strength + n - k;
    const tail = limit >= 1 ? 0 : incompleteBeta(1 - limit, b, a);
    if (tail > risk) break;
    tails.push(tail);
  }
  return tails;
}

function failuresWithin(n: number, limit: number, delta: number): number {
  if (limit >= 1) return n;
  if (limit <= 0) return -1;
  return allowedFailures(n, limit, delta, "anytime");
}

function rectangle(failures: number, yes: number): GateRegion {
  return failures < 0 || yes < 0 ? NOTHING : { mostYes: new Int32Array(failures + 1).fill(yes) };
}

/**
 * How many more decisions are needed because they come in clusters (threads, authors, communities).
 *
 * Formula: design effect D = 1 + (m̄ − 1) ICC; n D decisions in ⌈n D/m̄⌉ clusters are as informative as n independent ones.
 * Range: at least n; n itself for clusters of one or an ICC of 0.
 * Undefined when: m̄ < 1, ICC outside [0, 1]: RangeError.
 * Differs from the paper: the paper treats rows as independent.
 * @see docs/plan.md
 * @example
 * clusterSize({ n: 61, cluster_size: 5, icc: 0.2 }).n // => 110
 */
export function clusterSize(inputs: PlanClusters["inputs"]): PlanClusters {
  const { n, cluster_size: size, icc } = inputs;
  if (!(size >= 1)) throw new RangeError(`cluster_size: not usable; got ${size}, expected at least 1`);
  if (!(icc >= 0 && icc <= 1))
    throw new RangeError(`icc: not a correlation within clusters; got ${icc}, expected 0 to 1`);
  const effect = 1 + (size - 1) * icc;
  const total = Math.ceil(n * effect - 1e-9);
  const clusters = Math.ceil(total / size);
  return {
    format: 1,
    what: "clusters",
    inputs,
    design_effect: effect,
    n: total,
    clusters,
    effective_n: total / effect,
  };
}

/**
 * How many cases are needed to show that a correlation is not zero.
 *
 * Formula: ⌈((z_{1−α/2} + z_power)/atanh ρ)² + 3⌉, Fisher's transformation.
 * Range: at least 4; falls with |ρ|.
 * Undefined when: ρ is 0 or not between −1 and 1: RangeError.
 * Differs from the paper: the paper reports a correlation over 30 cases without a sample-size calculation.
 * @see docs/plan.md
 * @example
 * correlationSize({ correlation: 0.3, alpha: 0.05, power: 0.8 }).n // => 85
 */
export function correlationSize(inputs: PlanCorrelation["inputs"]): PlanCorrelation {
  const { correlation, alpha, power } = inputs;
  if (!(Math.abs(correlation) > 0 && Math.abs(correlation) < 1)) {
    throw new RangeError(`correlation: not usable; got ${correlation}, expected between −1 and 1 and not 0`);
  }
  const reach = (normalQuantile(1 - alpha / 2) + normalQuantile(power)) / Math.atanh(Math.abs(correlation));
  return { format: 1, what: "correlation", inputs, n: Math.max(4, Math.ceil(reach ** 2 + 3 - 1e-9)) };
}

/**
 * How many human labels are needed, in addition to N audited decisions, to estimate the true rate within a half-width.
 *
 * Formula: nested prediction-powered mean with the best λ: SE² = σ²(1−ρ²)/n + σ²ρ²/N, σ² = p(1−p), ρ the correlation of label and verdict; n =
 * ⌈σ²(1−ρ²)/((h/z)² − σ²ρ²/N)⌉, at most N. Without the auditor ⌈σ² z²/h²⌉.
 * Range: at least 2; falls with |ρ| and with N.
 * Undefined when: even labels for all N decisions leave a wider interval: null with the reason.
 * Differs from the paper: the paper treats the auditor's verdicts as the truth.
 * @see docs/plan.md; `predictionPoweredMean`
 * @example
 * labelSize({ rate: 0.08, half_width: 0.02, level: 0.95, decisions: 20000, correlation: 0.8, sensitivity: null, specificity: null }).labels // => 261
 */
export function labelSize(inputs: PlanLabels["inputs"]): PlanLabels {
  const { rate, half_width: half, level, decisions, correlation } = inputs;
  if (!(rate > 0 && rate < 1)) throw new RangeError(`rate: not usable; got ${rate}, expected between 0 and 1`);
  const variance = rate * (1 - rate);
  const wanted = (half / normalQuantile((1 + level) / 2)) ** 2;
  const base = {
    format: 1 as const,
    what: "labels" as const,
    inputs,
    labels_alone: Math.ceil(variance / wanted - 1e-9),
  };
  if (variance / decisions > wanted) {
    const reason = `with ${decisions} decisions the interval is wider even if all of them are labelled`;
    return { ...base, labels: null, reason };
  }
  const square = correlation * correlation;
  const left = wanted - (variance * square) / decisions;
  const labels = Math.max(2, Math.ceil((variance * (1 - square)) / left - 1e-9));
  return { ...base, labels: Math.min(labels, decisions), reason: null };
}

/**
 * Correlation of a yes/no verdict with the truth, from its error rates.
 *
 * Formula: φ = p(1−p)(Se + Sp − 1)/√(p(1−p) q(1−q)), q = p Se + (1−p)(1−Sp).
 * Range: [−1, 1]; 1 for a judge without errors, 0 at Se + Sp = 1.
 * Undefined when: the judge always gives the same answer (q = 0 or 1): 0, since the answer is then uninformative.
 * Differs from the paper: not in the paper.
 * @example
 * judgeCorrelation(0.5, 0.9, 0.9) // => 0.8
 */
export function judgeCorrelation(rate: number, sensitivity: number, specificity: number): number {
  const said = rate * sensitivity + (1 - rate) * (1 - specificity);
  const spread = Math.sqrt(rate * (1 - rate) * said * (1 - said));
  return spread === 0 ? 0 : (rate * (1 - rate) * (sensitivity + specificity - 1)) / spread;
}
