import type { GateMode } from "../../core/gate.js";
import { posteriorExceeds } from "../../stats/distributions/beta-binomial-fit.js";
import { wilsonInterval } from "../../stats/intervals/proportion.js";
import { type CertifiedOptions, certifiedGate } from "./certified-gate.js";
import { ambiguousCount, effectiveShare, type GateCohort, type GateLimits } from "./gate-input.js";
import { harmShareLimit, harmShares } from "./harm.js";
import { fitShrinkage, indefensibleLimit, isEligible, meetsLimits, type ShrinkageFit } from "./limits.js";

/** Expected share of wrong passes among the communities that pass. */
export const DEFAULT_Q = 0.05;

export interface ShrunkVerdict {
  passes: boolean;
  /** Upper bound (union bound) on the probability that the community breaks a limit; null if the fleet has no verdicts. */
  f_c: number | null;
  /** P(indefensible rate > 1 − di) and P(ambiguity > ai), after shrinkage. */
  indefensible_exceeds: number | null;
  ambiguity_exceeds: number | null;
  /** P(expected harm > its limit); absent if harm is not limited. */
  harm_exceeds?: number | null;
}

/**
 * The shrunk gate and routing default: each community's rates are shrunk towards the fleet's, the more so the fewer its verdicts, and communities are
 * admitted while the expected share of wrong admissions stays at most q.
 *
 * Formula: rates ~ Beta(a+k, b+n−k), prior from `betaBinomialFit`; f_c = min(1, P(L3 rate > 1−di) + P(AI > ai)), plus P(harm > limit) if harm is
 * limited. In ascending order of f_c, n ≥ min, admit while the running mean of f_c ≤ q; never f_c > 2q. Communities with the same f_c are admitted
 * together or not at all, so that order and names do not matter.
 * Verdicts in threads: k* = p̂ n*, n* = (Σn_t)² / Σn_t². This is a caution, not a guarantee: a community whose bad decisions come in rare waves
 * passes before the first wave (docs/guarantees.md has the share).
 * With threads, a probability is 1 if Wilson's interval of the observed rate lies above the limit: with few effective verdicts the prior would
 * outweigh 90 indefensible of 400.
 * Range: f_c in [0, 1]; one verdict per cohort, in their order.
 * Undefined when: no cohort has a verdict: f_c null, nothing passes.
 * Differs from the paper: not in the paper, which uses observed rates.
 * @see Newton, Noueiry, Sarkar and Ahlquist (2004), Biostatistics 5:155-176 (direct posterior probability)
 * @example
 * shrunkGate([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }, { indefensible: null, ambiguity: null, variable: "ai" }) // => []
 */
export function shrunkGate(
  cohorts: readonly GateCohort[],
  limits: GateLimits,
  fit: ShrinkageFit,
  q = DEFAULT_Q,
): ShrunkVerdict[] {
  const exceeds = exceedance(fit, limits);
  const verdicts = cohorts.map((cohort): ShrunkVerdict => {
    const parts = exceeds(cohort);
    return {
      passes: false,
      f_c: unionOf(parts),
      indefensible_exceeds: parts.indefensible,
      ambiguity_exceeds: parts.ambiguity,
      ...(limits.harm_limit ? { harm_exceeds: parts.harm } : {}),
    };
  });
  const entrants = verdicts.filter((verdict, i) => verdict.f_c !== null && isEligible(cohorts[i]!, limits));
  const ladder = admissionLadder(
    entrants.map((verdict) => verdict.f_c!),
    q,
  );
  for (const verdict of entrants) verdict.passes = verdict.f_c! <= ladder.highest;
  return verdicts;
}

export interface AdmissionLadder {
  /** All f_c in ascending order, and their running sums. */
  sorted: Float64Array;
  sums: Float64Array;
  /** Largest f_c that is admitted; −1: none. */
  highest: number;
}

/** Admits values in ascending order while their running mean is at most q and none exceeds 2q. Equal values are admitted together. */
export function admissionLadder(values: readonly number[], q: number): AdmissionLadder {
  const sorted = Float64Array.from(values).sort();
  const sums = new Float64Array(sorted.length);
  let highest = -1;
  let open = true;
  let sum = 0;
  for (let i = 0; i < sorted.length; i += 1) {
    sum += sorted[i]!;
    sums[i] = sum;
    if (sorted[i + 1] === sorted[i]) continue;
    open &&= sorted[i]! <= 2 * q && sum / (i + 1) <= q;
    if (open) highest = sorted[i]!;
  }
  return { sorted, sums, highest };
}

/** Tail probabilities of a cohort. Cohorts with the same counts are computed once, so their values are exactly equal. */
function exceedance(fit: ShrinkageFit, limits: GateLimits): (cohort: GateCohort) => Exceedance {
  const tail = (side: ShrinkageFit["indefensible"], limit: number) => {
    const known = new Map<string, number>();
    return (count: number, verdicts: number, share: number): number | null => {
      if (side === null) return null;
      if (share < 1 && wilsonInterval(count, verdicts).lower > limit) return 1;
      const [k, n] = [count * share, verdicts * share];
      const key = `${k}/${n}`;
      let value = known.get(key);
      if (value === undefined) {
        value = posteriorExceeds(side.prior, k, n, limit);
        known.set(key, value);
      }
      return value;
    };
  };
  const indefensible = tail(fit.indefensible, indefensibleLimit(limits));
  const ambiguity = tail(fit.ambiguity, limits.ai);
  const most = limits.harm_limit ? harmShareLimit(limits.harm_limit) : 1;
  const harm = most < 1 ? tail(fit.harm ?? null, most) : () => 0;
  return (cohort) => {
    const share = effectiveShare(cohort);
    return {
      harm: harm(harmShares(cohort) ?? 0, cohort.n, share),
      indefensible: indefensible(cohort.indefensible, cohort.n, share),
      ambiguity: ambiguity(ambiguousCount(cohort, limits.variable), cohort.n, share),
    };
  };
}

/** Probabilities that a cohort breaks each limit; harm is 0 if it is not limited. */
interface Exceedance {
  indefensible: number | null;
  ambiguity: number | null;
  harm: number | null;
}

function unionOf({ indefensible, ambiguity, harm }: Exceedance): number | null {
  if (indefensible === null || ambiguity === null || harm === null) return null;
  return Math.min(1, indefensible + ambiguity + harm);
}

export interface PassOptions extends CertifiedOptions {
  /** Default `shrunk`. */
  mode?: GateMode;
  /** Bayesian false-pass share of the shrunk gate. Default 0.05. */
  q?: number;
  /** A prior fitted earlier; it does not depend on the limits. */
  fit?: ShrinkageFit | undefined;
}

/** Which cohorts pass the gate in a mode: one boolean per cohort, in their order. */
export function passGate(cohorts: readonly GateCohort[], limits: GateLimits, options: PassOptions = {}): boolean[] {
  const { mode = "shrunk", q = DEFAULT_Q } = options;
  if (mode === "paper") return paperGate(cohorts, limits);
  if (mode === "certified") return certifiedGate(cohorts, limits, options).map((verdict) => verdict.passes);
  const fit = options.fit ?? fitShrinkage(cohorts, limits.variable);
  return shrunkGate(cohorts, limits, fit, q).map((verdict) => verdict.passes);
}

/**
 * The paper's gate: a community passes when its observed rates meet both limits on at least the minimum number of verdicts. It guarantees nothing: at
 * n = 25 a community with a true indefensible rate of 15% passes the DI limit one time in four.
 *
 * Formula: n ≥ min and DI ≥ di and AI ≤ ai.
 * Range: one boolean per cohort, in their order.
 * Undefined when: never; fewer verdicts than the minimum do not pass.
 * Differs from the paper: nothing.
 * @see paper §3.3, §9
 * @example
 * paperGate([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => []
 */
export function paperGate(cohorts: readonly GateCohort[], limits: GateLimits): boolean[] {
  return cohorts.map((cohort) => isEligible(cohort, limits) && meetsLimits(cohort, limits));
}
