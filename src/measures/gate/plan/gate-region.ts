import { incompleteBeta } from "../../../stats/distributions/incomplete-beta.js";
import type { GateLimits } from "../gate-input.js";
import { indefensibleLimit, LIMIT_SLACK } from "../limits.js";
import { allowedFailures } from "./certify-size.js";
import type { GateRegion } from "./pass-probability.js";

/** Mean and strength (as if so many decisions had been seen before) of what is expected of a community's rate. */
export interface RatePrior {
  mean: number;
  strength: number;
}

export interface RegionOptions {
  limits: GateLimits;
  /** `certified`: δ of a community, already divided by what the number of communities costs. Default 0.05. */
  delta?: number;
  /** `shrunk`: greatest probability that a community which is let through is beyond a limit. Default 0.05. */
  risk?: number;
  priors?: { indefensible: RatePrior; ambiguity: RatePrior };
}

/**
 * A fleet of the kind the paper describes: 6 % indefensible and 15 % ambiguous on average, with communities that differ as after 20 and
 * 10 decisions of their own. An assumption; `gate` fits the priors of a real fleet.
 */
export const ASSUMED_PRIORS = {
  indefensible: { mean: 0.06, strength: 20 },
  ambiguity: { mean: 0.15, strength: 10 },
} as const satisfies RegionOptions["priors"];

const NOTHING: GateRegion = { mostYes: new Int32Array(0) };

/** Which counts of n decisions pass: the paper's plug-in gate. */
export function paperRegion(n: number, { limits }: RegionOptions): GateRegion {
  if (n < limits.min_decisions) return NOTHING;
  return rectangle(Math.floor(n * (1 - limits.di + LIMIT_SLACK)), Math.floor(n * (limits.ai + LIMIT_SLACK)));
}

/** Both e-values reach 1/δ, as the certified gate asks of independent decisions. */
export function certifiedRegion(n: number, { limits, delta = 0.05 }: RegionOptions): GateRegion {
  if (n < limits.min_decisions) return NOTHING;
  return rectangle(failuresWithin(n, indefensibleLimit(limits), delta), failuresWithin(n, limits.ai, delta));
}

/**
 * Posterior probabilities to be beyond either limit add up to no more than the risk. With other communities beside it a community may be
 * let through up to twice the risk, as long as the mean over all that pass stays within it.
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
