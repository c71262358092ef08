import { CONFIDENCE_LEVEL } from "../../core/estimate.js";
import type { GateMode } from "../../core/gate.js";
import type { BetaBinomialFit } from "../../stats/distributions/beta-binomial-fit.js";
import { certifiedMethod } from "./adjustment.js";
import { certifiedGate, DEFAULT_DELTA } from "./certified-gate.js";
import { evaluateCommunities } from "./evaluate-communities.js";
import { coverageRiskFrontier } from "./frontier.js";
import { type FleetThreads, type GateEvaluation, type GateOptions, stateSummary } from "./gate-evaluation.js";
import {
  certifiedClaim,
  DEFAULT_THREAD_CAP,
  type GateCohort,
  type GateLimits,
  STANDARD_LIMITS,
  threadEvidence,
} from "./gate-input.js";
import { analyseBinding } from "./holdout-certificate.js";
import { checkCohorts, checkLimits, fitShrinkage, indefensibleLimit, isEligible } from "./limits.js";
import { DEFAULT_Q, paperGate, passGate, shrunkGate } from "./pass-gate.js";
import { PAPER_SCENARIOS, scenarioResult } from "./scenarios.js";

/**
 * All results of `defensible gate` that follow from counts: the three modes for every cohort, states, scenarios, frontier, binding constraints and
 * advice. Pure: the same cohorts and options give the same result.
 *
 * `more_decisions_needed` of a cohort belongs to the active mode: 0 when it passes; otherwise the number of further verdicts it needs if its rates
 * stay as observed and all other cohorts stay unchanged; null when more data will not help (`[mode].reason` says why). The fit of the shrunk mode
 * uses every cohort with a verdict, including those below the minimum.
 * @example
 * evaluateGate([]).communities // => []
 */
export function evaluateGate(cohorts: readonly GateCohort[], options: GateOptions = {}): GateEvaluation {
  const { limits = STANDARD_LIMITS, mode = "shrunk", q = DEFAULT_Q, delta = DEFAULT_DELTA } = options;
  const { adjust = "holm", look = "anytime", level = CONFIDENCE_LEVEL } = options;
  const { threadCap = DEFAULT_THREAD_CAP } = options;
  checkLimits(limits);
  checkCohorts(cohorts);
  if (!(q > 0 && q < 1)) throw new RangeError(`q: not an error rate; got ${q}, expected 0 to 1`);
  const fit = options.fit ?? fitShrinkage(cohorts, limits.variable);
  const settings = { ...options, mode, q, delta, adjust, look, fit };
  const paper = paperGate(cohorts, limits);
  const shrunk = shrunkGate(cohorts, limits, fit, q);
  const certified = certifiedGate(cohorts, limits, settings);
  const passes: Record<GateMode, boolean[]> = {
    paper,
    shrunk: shrunk.map((verdict) => verdict.passes),
    certified: certified.map((verdict) => verdict.passes),
  };
  const known = [...PAPER_SCENARIOS, ...(options.scenarios ?? [])];
  const name = known.find(({ di, ai }) => di === limits.di && ai === limits.ai)?.name ?? "Own";
  const by_mode = {
    paper: scenarioResult(name, cohorts, passes.paper, limits),
    shrunk: scenarioResult(name, cohorts, passes.shrunk, limits),
    certified: scenarioResult(name, cohorts, passes.certified, limits),
  };
  const settingsToCompare = [...(options.scenarios ?? PAPER_SCENARIOS)];
  if (!settingsToCompare.some(({ di, ai }) => di === limits.di && ai === limits.ai)) {
    settingsToCompare.push({ name, di: limits.di, ai: limits.ai });
  }
  return {
    mode,
    thresholds: {
      di: limits.di,
      ai: limits.ai,
      min_decisions: limits.min_decisions,
      ...(limits.harm_limit ? { harm: limits.harm_limit.limit } : {}),
    },
    variable: limits.variable,
    q,
    delta,
    adjust,
    look,
    level,
    threads: fleetThreads(cohorts, limits, delta, threadCap),
    methods: {
      paper: "observed rates; no promise",
      shrunk: `rates drawn towards the fleet's (empirical Bayes); of those that pass, at most ${+(100 * q).toPrecision(6)}% are expected to break a limit, if the fleet's distribution is as fitted`,
      certified: certifiedMethod(adjust, look, delta, options.labelCounts !== undefined),
    },
    shrinkage: {
      indefensible: withoutPrior(fit.indefensible),
      ambiguity: withoutPrior(fit.ambiguity),
      ...(limits.harm_limit ? { harm: withoutPrior(fit.harm ?? null) } : {}),
    },
    fleet: by_mode[mode],
    by_mode,
    scenarios: settingsToCompare.map((setting) => {
      const own = { ...limits, di: setting.di, ai: setting.ai };
      const same = setting.di === limits.di && setting.ai === limits.ai;
      const passing = same ? passes[mode] : passGate(cohorts, own, settings);
      return scenarioResult(setting.name, cohorts, passing, own);
    }),
    states: stateSummary(cohorts, limits),
    binding: analyseBinding(cohorts, limits),
    frontier: options.frontier === false ? null : coverageRiskFrontier(cohorts, limits, options.frontier),
    communities: evaluateCommunities({
      cohorts,
      limits,
      mode,
      q,
      delta,
      adjust,
      threadCap,
      level,
      fit,
      paper,
      shrunk,
      certified,
      rulesByCohort: options.rulesByCohort,
    }),
  };
}

function fleetThreads(
  cohorts: readonly GateCohort[],
  limits: GateLimits,
  delta: number,
  threadCap: number,
): FleetThreads {
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  const all = eligible.map((cohort) => threadEvidence(cohort, threadCap));
  const sum = (count: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + count(one), 0);
  const decisions = sum((one) => one.decisions);
  const independence_assumed = all.filter((one) => one.independence_assumed).length;
  // Where no decision has a thread, every decision counts in full and the cap has no effect.
  const cap = all.length > 0 && independence_assumed === all.length ? 1 : threadCap;
  return {
    cap,
    threads: sum((one) => one.threads),
    decisions,
    beyond_cap: decisions === 0 ? null : sum((one) => (one.beyond_cap ?? 0) * one.decisions) / decisions,
    open: sum((one) => one.open),
    late: sum((one) => one.late),
    independence_assumed,
    claim: certifiedClaim({ delta, limit: indefensibleLimit(limits), cap }),
  };
}

function withoutPrior(fit: BetaBinomialFit | null): Omit<BetaBinomialFit, "prior"> | null {
  if (fit === null) return null;
  const { prior: _, ...rest } = fit;
  return rest;
}
