import type { GateCommunity, GateMode } from "../../core/gate.js";
import { GATE_STATES, type GateState, type GateVariable } from "../../core/names.js";
import type { BetaBinomialFit } from "../../stats/distributions/beta-binomial-fit.js";
import type { GateAdjustment, GateLook } from "./adjustment.js";
import type { Advice, RuleAmbiguity } from "./advice.js";
import type { CoverageRiskFrontier } from "./frontier.js";
import { ambiguousCount, type GateCohort, type GateLimits, type ThreadEvidence } from "./gate-input.js";
import type { BindingAnalysis, BindingConstraint } from "./holdout-certificate.js";
import { fleetState } from "./limits.js";
import type { MoreDecisions } from "./more-decisions.js";
import type { PassOptions } from "./pass-gate.js";
import type { ScenarioLimits, ScenarioResult } from "./scenarios.js";

export interface GateOptions extends PassOptions {
  /** Default: the paper's Standard scenario. */
  limits?: GateLimits;
  /** Confidence level of displayed intervals, default 0.95. */
  level?: number;
  /** Scenarios to compare; default the paper's four. */
  scenarios?: readonly ScenarioLimits[];
  /** Grid of the frontier; false leaves it out. */
  frontier?: { di: readonly number[]; ai: readonly number[] } | false;
  rulesByCohort?: ((key: string) => readonly RuleAmbiguity[] | undefined) | undefined;
}

/** Posterior of a rate after shrinkage. */
export interface ShrunkRate {
  mean: number;
  lower: number;
  upper: number;
  /** Probability that the rate exceeds its limit. */
  exceeds: number;
}

/** One cohort of the gate, in all three modes. */
export interface CommunityEvaluation extends GateCommunity {
  suspended: null;
  inverse_yes_pure: number;
  ai_pure: number | null;
  unscored: number;
  /** n / n*: how many verdicts count as one independent verdict in the cautious gate; null if the cohort has no threads. */
  design_effect: number | null;
  /** Wilson intervals of DI and of the gate's ambiguity variable, at `level`. */
  di_interval: { lower: number; upper: number } | null;
  ambiguity_interval: { lower: number; upper: number } | null;
  /** The limit that excludes it by the observed rates. */
  binding: BindingConstraint | null;
  paper: MoreDecisions & { passes: boolean };
  shrunk: MoreDecisions & {
    passes: boolean;
    f_c: number | null;
    indefensible: ShrunkRate | null;
    ambiguity: ShrunkRate | null;
  };
  certified: MoreDecisions & {
    passes: boolean;
    p: number;
    p_indefensible: number;
    p_ambiguity: number;
    adjusted_p: number | null;
    /** Logarithms of e-values; null where a limit of 1 leaves nothing to test. */
    ln_e: number | null;
    ln_e_indefensible: number | null;
    ln_e_ambiguity: number | null;
    /** Upper bounds at 1 − δ that hold at every look, for this community alone, not adjusted; null without verdicts. */
    indefensible_upper: number | null;
    ambiguity_upper: number | null;
    /** The evidence behind them. */
    threads: ThreadEvidence;
    /** For the true rate, from human labels; null where they were not required. */
    p_true_rate: number | null;
    ln_e_true_rate: number | null;
    true_rate_upper: number | null;
  };
  advice: Advice;
}

export interface FleetThreads extends Omit<ThreadEvidence, "independence_assumed"> {
  /** Communities in which no decision has a `thread_id`. */
  independence_assumed: number;
  /** The claim that a certified pass makes, in words. */
  claim: string;
}

/** Everything in the Gate JSON that follows from counts: JSON-ready, no NaN. */
export interface GateEvaluation {
  mode: GateMode;
  thresholds: { di: number; ai: number; min_decisions: number; harm?: number };
  variable: GateVariable;
  q: number;
  delta: number;
  adjust: GateAdjustment;
  look: GateLook;
  level: number;
  /** The certified gate's units of evidence, over all communities with enough verdicts. */
  threads: FleetThreads;
  /** The method and guarantee of each mode, in words. */
  methods: Record<GateMode, string>;
  /** Distribution of both rates over the fleet, without the `prior` of the fit. */
  shrinkage: {
    indefensible: Omit<BetaBinomialFit, "prior"> | null;
    ambiguity: Omit<BetaBinomialFit, "prior"> | null;
    /** Of harm, as a share of the greatest possible harm; absent: harm is not limited. */
    harm?: Omit<BetaBinomialFit, "prior"> | null;
  };
  /** The gate's own limits in the active mode. */
  fleet: ScenarioResult;
  /** The gate's own limits in every mode. */
  by_mode: Record<GateMode, ScenarioResult>;
  /** Other limits in the active mode. */
  scenarios: ScenarioResult[];
  states: StateSummary[];
  binding: BindingAnalysis;
  frontier: CoverageRiskFrontier | null;
  communities: CommunityEvaluation[];
}

export interface StateSummary {
  state: GateState;
  communities: number;
  /** Verdicts in these communities. */
  decisions: number;
  indefensible: number;
  ambiguous: number;
  /** Mean over communities with equal weight, as the paper prints it; null if no community has verdicts. */
  mean_di: number | null;
  mean_ai: number | null;
  /** Over all decisions of these communities. */
  pooled_di: number | null;
  pooled_ai: number | null;
}

/**
 * The fleet by state, with counts and mean rates: the paper's table of 165 / 40 / 65 communities.
 *
 * Formula: mean over communities of DI_c and AI_c; pooled: Σk / Σn.
 * Range: rates in [0, 1]; one row for each state, in a fixed order, including empty ones.
 * Undefined when: a state has no community with verdicts: its means are null.
 * Differs from the paper: pooled rates and the `insufficient` row are added.
 * @see paper §5.3
 * @example
 * stateSummary([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).length // => 4
 */
export function stateSummary(cohorts: readonly GateCohort[], limits: GateLimits): StateSummary[] {
  const groups = new Map<GateState, GateCohort[]>(GATE_STATES.map((state) => [state, []]));
  for (const cohort of cohorts) groups.get(fleetState(cohort, limits))!.push(cohort);
  return GATE_STATES.map((state) => {
    const members = groups.get(state)!;
    const seen = members.filter((cohort) => cohort.n > 0);
    const sum = (of: (cohort: GateCohort) => number) => seen.reduce((total, cohort) => total + of(cohort), 0);
    const ambiguousOf = (cohort: GateCohort) => ambiguousCount(cohort, limits.variable);
    const decisions = sum((cohort) => cohort.n);
    const indefensible = sum((cohort) => cohort.indefensible);
    const ambiguous = sum(ambiguousOf);
    const share = (value: number, of: number) => (of === 0 ? null : value / of);
    return {
      state,
      communities: members.length,
      decisions,
      indefensible,
      ambiguous,
      mean_di: share(
        sum((cohort) => 1 - cohort.indefensible / cohort.n),
        seen.length,
      ),
      mean_ai: share(
        sum((cohort) => ambiguousOf(cohort) / cohort.n),
        seen.length,
      ),
      pooled_di: share(decisions - indefensible, decisions),
      pooled_ai: share(ambiguous, decisions),
    };
  });
}
