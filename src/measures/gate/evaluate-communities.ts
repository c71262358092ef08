import type { CommunityHarm, GateMode } from "../../core/gate.js";
import { type BetaBinomialFit, posteriorBeta } from "../../stats/distributions/beta-binomial-fit.js";
import { betaQuantile } from "../../stats/distributions/incomplete-beta.js";
import { wilsonInterval } from "../../stats/intervals/proportion.js";
import { boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import { type GateAdjustment, levelToReach, rankPValues } from "./adjustment.js";
import { advise } from "./advice.js";
import { type CertifiedVerdict, testingOrder } from "./certified-gate.js";
import type { CommunityEvaluation, GateOptions, ShrunkRate } from "./gate-evaluation.js";
import {
  ambiguousCount,
  effectiveShare,
  type GateCohort,
  type GateLimits,
  threadEvidence,
  threadUnits,
} from "./gate-input.js";
import { type HarmLimit, harmInterval, harmShares, meetsHarm } from "./harm.js";
import { bindingConstraint } from "./holdout-certificate.js";
import { fleetState, isEligible, type ShrinkageFit } from "./limits.js";
import {
  type MoreDecisions,
  moreForCertified,
  moreForHarm,
  moreForPaper,
  moreForShrunk,
  SETTLED,
} from "./more-decisions.js";
import { admissionLadder, type ShrunkVerdict } from "./pass-gate.js";

export interface CommunitiesInput {
  cohorts: readonly GateCohort[];
  limits: GateLimits;
  mode: GateMode;
  q: number;
  delta: number;
  adjust: GateAdjustment;
  threadCap: number;
  level: number;
  fit: ShrinkageFit;
  paper: readonly boolean[];
  shrunk: readonly ShrunkVerdict[];
  certified: readonly CertifiedVerdict[];
  rulesByCohort: GateOptions["rulesByCohort"];
}

/** The verdicts of the three modes on each cohort, with intervals, missing decisions and advice. */
export function evaluateCommunities(input: CommunitiesInput): CommunityEvaluation[] {
  const { cohorts, limits, mode, q, delta, threadCap, level, fit } = input;
  const posterior = {
    indefensible: shrunkRates(fit.indefensible, level),
    ambiguity: shrunkRates(fit.ambiguity, level),
  };
  const entrants = input.shrunk.filter((verdict, i) => verdict.f_c !== null && isEligible(cohorts[i]!, limits));
  const ladder = admissionLadder(
    entrants.map((verdict) => verdict.f_c!),
    q,
  );
  const levels = certifiedLevels(input);
  return cohorts.map((cohort, i) => {
    const { n, indefensible } = cohort;
    const ambiguous = ambiguousCount(cohort, limits.variable);
    const shrunk = input.shrunk[i]!;
    const { passes: certifies, harm: harmTest, ...tests } = input.certified[i]!;
    const share = effectiveShare(cohort);
    const bound = (counted: "indefensible" | GateLimits["variable"]) =>
      n === 0 ? null : boundedUpperBound(threadUnits(cohort, counted, threadCap), delta);
    const certifiedMore = (): MoreDecisions => {
      const asked = levels[i]!;
      if (asked.level === null) return { more: null, reason: asked.reason };
      if ((tests.p_true_rate ?? 0) > asked.level) {
        return { more: null, reason: "the true rate has to be proven by labels, not by more decisions" };
      }
      return moreForCertified(cohort, limits, asked.level, threadCap);
    };
    const more: Record<GateMode, MoreDecisions> = {
      paper: input.paper[i] ? SETTLED : moreForPaper(cohort, limits),
      shrunk: shrunk.passes ? SETTLED : moreForShrunk(cohort, shrunk.f_c, limits, fit, ladder, q),
      certified: certifies ? SETTLED : certifiedMore(),
    };
    const passes = { paper: input.paper[i]!, shrunk: shrunk.passes, certified: certifies };
    const state = fleetState(cohort, limits);
    const harm =
      limits.harm_limit && harmTest
        ? communityHarm(cohort, limits.harm_limit, input, shrunk.harm_exceeds ?? null, harmTest)
        : null;
    const harmMore = harm && !harm.passes[mode] ? moreForHarm(cohort, limits, input) : SETTLED;
    return {
      community: cohort.key,
      n,
      indefensible,
      inverse_yes: cohort.inverse_yes,
      inverse_yes_pure: cohort.inverse_yes_pure,
      unscored: cohort.unscored,
      design_effect: cohort.design_effect ?? null,
      di: rate(n - indefensible, n),
      ai: rate(cohort.inverse_yes, n),
      ai_pure: rate(cohort.inverse_yes_pure, n),
      di_interval: n === 0 ? null : wilsonInterval(n - indefensible, n, level),
      ambiguity_interval: n === 0 ? null : wilsonInterval(ambiguous, n, level),
      state,
      suspended: null,
      passes,
      more_decisions_needed: more[mode].more,
      binding: bindingConstraint(cohort, limits),
      ...(harm ? { harm: { ...harm, more: harmMore.more } } : {}),
      paper: { passes: passes.paper, ...more.paper },
      shrunk: {
        passes: passes.shrunk,
        f_c: shrunk.f_c,
        indefensible: posterior.indefensible(indefensible * share, n * share, shrunk.indefensible_exceeds),
        ambiguity: posterior.ambiguity(ambiguous * share, n * share, shrunk.ambiguity_exceeds),
        ...more.shrunk,
      },
      certified: {
        passes: passes.certified,
        ...tests,
        ln_e: finite(tests.ln_e),
        ln_e_indefensible: finite(tests.ln_e_indefensible),
        ln_e_ambiguity: finite(tests.ln_e_ambiguity),
        ln_e_true_rate: tests.ln_e_true_rate === null ? null : finite(tests.ln_e_true_rate),
        indefensible_upper: bound("indefensible"),
        ambiguity_upper: bound(limits.variable),
        threads: threadEvidence(cohort, threadCap),
        ...more.certified,
      },
      advice: advise({
        cohort,
        limits,
        state,
        passes: passes[mode],
        more: more[mode],
        harm: harmMore,
        rules: input.rulesByCohort?.(cohort.key),
      }),
    };
  });
}

/** One cohort's expected harm in the report. The modes' overall verdicts, which also require the rates, are in `passes` of the cohort. */
function communityHarm(
  cohort: GateCohort,
  limit: HarmLimit,
  { limits, threadCap, level, q, delta }: CommunitiesInput,
  exceeds: number | null,
  { p, ln_e }: { p: number; ln_e: number },
): CommunityHarm {
  const sum = harmShares(cohort);
  const interval = cohort.n === 0 ? null : harmInterval(cohort, limit, threadCap, level);
  const seen = meetsHarm(cohort, limits);
  return {
    mean: sum === null || cohort.n === 0 ? null : (limit.max * sum) / cohort.n,
    lower: interval?.lower ?? null,
    upper: interval?.upper ?? null,
    limit: limit.limit,
    exceeds,
    p,
    ln_e: finite(ln_e),
    passes: { paper: seen, shrunk: exceeds !== null && exceeds <= 2 * q, certified: seen && p <= delta },
  };
}

/** Posterior mean and equal-tailed interval; cohorts with the same counts are computed once. */
function shrunkRates(fit: BetaBinomialFit | null, level: number) {
  const known = new Map<string, Omit<ShrunkRate, "exceeds">>();
  return (k: number, n: number, exceeds: number | null): ShrunkRate | null => {
    if (fit === null || exceeds === null) return null;
    const key = `${k}/${n}`;
    let rate = known.get(key);
    if (rate === undefined) {
      const { a, b } = posteriorBeta(fit.prior, k, n);
      const tail = (1 - level) / 2;
      rate = { mean: a / (a + b), lower: betaQuantile(tail, a, b), upper: betaQuantile(1 - tail, a, b) };
      known.set(key, rate);
    }
    return { ...rate, exceeds };
  };
}

function rate(k: number, n: number): number | null {
  return n === 0 ? null : k / n;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The level that a cohort's own p = 1/E has to reach; null, with the reason, where reaching it alone would not be enough. */
interface CertifiedLevel {
  level: number | null;
  reason: string | null;
}

/**
 * For each cohort, the level it has to reach to pass, with all others unchanged. A cohort below the minimum is not tested yet and would be added as
 * one more test. In a fixed sequence only the first cohort that fails has a level.
 */
function certifiedLevels(input: {
  cohorts: readonly GateCohort[];
  limits: GateLimits;
  certified: readonly CertifiedVerdict[];
  adjust: GateAdjustment;
  delta: number;
}): CertifiedLevel[] {
  const { cohorts, limits, certified, adjust, delta } = input;
  const tested = testingOrder(cohorts, limits, adjust);
  const levels: CertifiedLevel[] = cohorts.map(() => ({ level: delta, reason: null }));
  if (adjust === "fixed_sequence") {
    const stop = tested.findIndex((index) => certified[index]!.p > delta);
    if (stop === -1) return levels;
    const reason = `the sequence stops before it, at ${cohorts[tested[stop]!]!.key}`;
    const reached = new Set(tested.slice(0, stop + 1));
    return levels.map((level, index) => (reached.has(index) ? level : { level: null, reason }));
  }
  const { sorted, rank } = rankPValues(tested.map((index) => certified[index]!.p));
  const rule = adjust === "holm" ? adjust : "bh";
  const joining = levelToReach(sorted, null, rule, delta);
  for (const level of levels) level.level = joining;
  tested.forEach((index, place) => {
    levels[index]!.level = levelToReach(sorted, rank[place]!, rule, delta);
  });
  return levels;
}
