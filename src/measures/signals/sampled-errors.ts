import { trigamma } from "../../stats/distributions/special-functions.js";
import { dirichletEntropySd } from "../../stats/optimise/entropy.js";
import type { ValidDraw } from "./extract-sampled.js";
import type { Weights } from "./weights.js";

/** How often each category was drawn. */
export interface DrawCounts {
  level: readonly number[];
  weight: readonly number[];
  inverse: readonly number[];
  citation: readonly number[];
}

/** Jeffreys' prior adds this to each count. */
const PRIOR = 0.5;

const posterior = (counts: readonly number[]) => counts.map((count) => count + PRIOR);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Standard deviation of the probability of some categories whose parameters sum to `part` of `total`. */
const betaSd = (part: number, total: number) => Math.sqrt((part * (total - part)) / (total * total * (total + 1)));

/**
 * Standard errors of the estimates from K draws of one decision, by field name; `p_1`, `p_2`, `p_3` are the members of `level_probs`. A field
 * without draws is absent.
 *
 * Formula: one rule for all: the standard deviation of the quantity under the posterior of the unknown probabilities given the draws and Jeffreys'
 * prior, Dirichlet(k_1 + 1/2, …), A = K + m/2. In closed form: √(p (1 − p) / (A + 1)) for a probability, √(ψ₁(a*) − ψ₁(A)) for λ at a fixed ξ*,
 * √(ψ₁(a_Yes) + ψ₁(a_No)) for ρ, `dirichletEntropySd` for the entropies; for citations, whose number is unknown, over those drawn and one more. S
 * by linearisation, S · sd(α λ − β H − γ σ), where the correlations of the three are those of the draws (0 if one did not vary).
 * Range: above 0, even if all draws agree: five equal draws are no proof. If each label was drawn several times, it is the standard deviation of
 * the estimate. It is larger if labels are about even (twice as large, for λ and entropies) or if one was hardly drawn: then it also covers how far
 * the smoothing moved the estimate. If Yes has 1% and is not drawn in ten draws, ρ is off by 1.6 and `se` is 2.2.
 * Undefined when: there is nothing to estimate; the name is then absent.
 * Differs from the paper: not in the paper.
 * @see Gelman et al. (2013), Bayesian Data Analysis, §3.4; `extractSampled`
 * @example sampledErrors({ level: [1, 0, 0], weight: [], inverse: [1, 0], citation: [] }, [], null, { alpha: 1, beta: 0, gamma: 0 }).inverse_yes_prob // => 0.25
 */
export function sampledErrors(
  counts: DrawCounts,
  draws: readonly ValidDraw[],
  pds: number | null,
  weights: Pick<Weights, "alpha" | "beta" | "gamma">,
): Record<string, number> {
  const se: Record<string, number> = {};
  const level = posterior(counts.level);
  const total = sum(level);
  for (let i = 0; i < level.length; i++) se[`p_${i + 1}`] = betaSd(level[i]!, total);
  se.p_defensible = betaSd(level[2]!, total);
  // The largest count, and the last of equal ones, as for ξ*.
  const best = counts.level.lastIndexOf(Math.max(...counts.level));
  se.lambda_nats = Math.sqrt(trigamma(level[best]!) - trigamma(total));
  const inverse = posterior(counts.inverse);
  se.inverse_log_odds = Math.sqrt(trigamma(inverse[0]!) + trigamma(inverse[1]!));
  se.inverse_yes_prob = betaSd(inverse[0]!, sum(inverse));
  if (sum(counts.weight) > 0) se.h_weight_bits = dirichletEntropySd(posterior(counts.weight));
  if (counts.citation.length > 0) {
    se.h_citation_sampled_bits = dirichletEntropySd([...posterior(counts.citation), PRIOR]);
  }
  if (pds !== null && se.h_weight_bits !== undefined) {
    const parts = influences(draws, best, counts.weight);
    const sds = [
      weights.alpha * se.lambda_nats,
      -weights.beta * se.h_weight_bits,
      -weights.gamma * se.inverse_yes_prob,
    ];
    se.pds = pds * combinedSd(sds, parts);
  }
  return se;
}

/** The influence of each draw that has a weight on λ, H[w] and σ(ρ), up to positive factors. */
function influences(draws: readonly ValidDraw[], best: number, weightCounts: readonly number[]): number[][] {
  const whole = draws.filter((draw) => draw.weight >= 0);
  return [
    whole.map((draw) => (draw.level === best ? 1 : 0)),
    whole.map((draw) => -Math.log(weightCounts[draw.weight]! + PRIOR)),
    whole.map((draw) => (draw.inverse === 0 ? 1 : 0)),
  ];
}

/** Standard deviation of a sum whose terms have these (signed) standard deviations and the correlations of the columns. */
function combinedSd(sds: readonly number[], columns: readonly number[][]): number {
  let variance = 0;
  for (let i = 0; i < sds.length; i++) {
    for (let j = 0; j < sds.length; j++) {
      variance += sds[i]! * sds[j]! * (i === j ? 1 : correlation(columns[i]!, columns[j]!));
    }
  }
  return Math.sqrt(Math.max(0, variance));
}

function correlation(x: readonly number[], y: readonly number[]): number {
  const meanX = sum(x) / x.length;
  const meanY = sum(y) / y.length;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    xx += (x[i]! - meanX) ** 2;
    yy += (y[i]! - meanY) ** 2;
    xy += (x[i]! - meanX) * (y[i]! - meanY);
  }
  // If nothing varied, rounding leaves 1e-32.
  return xx < 1e-20 || yy < 1e-20 ? 0 : xy / Math.sqrt(xx * yy);
}
