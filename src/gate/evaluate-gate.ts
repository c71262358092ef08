import { CONFIDENCE_LEVEL } from "../domain/estimate.js";
import type { GateMode } from "../domain/gate.js";
import type { BetaBinomialFit } from "../stats/beta-binomial-fit.js";
import { certifiedMethod } from "./adjustment.js";
import { analyseBinding } from "./binding-constraint.js";
import { certifiedGate, DEFAULT_DELTA } from "./certified-gate.js";
import { evaluateCommunities } from "./evaluate-communities.js";
import { coverageRiskFrontier } from "./frontier.js";
import type { GateEvaluation, GateOptions } from "./gate-evaluation.js";
import { type GateCohort, STANDARD_LIMITS } from "./gate-input.js";
import { checkCohorts, checkLimits } from "./limits.js";
import { paperGate } from "./paper-gate.js";
import { passGate } from "./pass-gate.js";
import { PAPER_SCENARIOS, scenarioResult } from "./scenarios.js";
import { fitShrinkage } from "./shrinkage-fit.js";
import { DEFAULT_Q, shrunkGate } from "./shrunk-gate.js";
import { stateSummary } from "./state-summary.js";

/**
 * Everything `defensible gate` says about counts: the three modes side by side for every cohort, states, scenarios,
 * frontier, binding constraints and advice. Pure: the same cohorts and options give the same result.
 *
 * `more_decisions_needed` of a cohort is that of the mode in force: 0 when it passes; otherwise the verdicts still missing
 * if its rates stay as seen and all other cohorts stay as they are; null when no number helps (`[mode].reason` says why).
 * The fit of the shrunk mode uses every cohort with a verdict, also those below the minimum.
 * @example
 * evaluateGate([]).communities // => []
 */
export function evaluateGate(cohorts: readonly GateCohort[], options: GateOptions = {}): GateEvaluation {
  const { limits = STANDARD_LIMITS, mode = "shrunk", q = DEFAULT_Q, delta = DEFAULT_DELTA } = options;
  const { adjust = "holm", look = "anytime", level = CONFIDENCE_LEVEL } = options;
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
    thresholds: { di: limits.di, ai: limits.ai, min_decisions: limits.min_decisions },
    variable: limits.variable,
    q,
    delta,
    adjust,
    look,
    level,
    methods: {
      paper: "rates as seen; no promise",
      shrunk: `rates drawn towards the fleet's (empirical Bayes); of those that pass, at most ${+(100 * q).toPrecision(6)} % are expected to break a limit, if the fleet's distribution is as fitted`,
      certified: certifiedMethod(adjust, look, delta, options.labelCounts !== undefined),
    },
    shrinkage: { indefensible: withoutPrior(fit.indefensible), ambiguity: withoutPrior(fit.ambiguity) },
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
      look,
      level,
      fit,
      paper,
      shrunk,
      certified,
      rulesByCohort: options.rulesByCohort,
    }),
  };
}

function withoutPrior(fit: BetaBinomialFit | null): Omit<BetaBinomialFit, "prior"> | null {
  if (fit === null) return null;
  const { prior: _, ...rest } = fit;
  return rest;
}
