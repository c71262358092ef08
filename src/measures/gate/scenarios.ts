import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { GateScenario } from "../../core/gate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { shareEstimate } from "../metrics/indices.js";
import { conditionalRiskReduction, exposureReduction, type GateCounts, gateCounts } from "./adjustment.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { communityShares, isEligible } from "./limits.js";

export interface ScenarioLimits {
  name: string;
  di: number;
  ai: number;
}

/** The paper's four settings of the gate. @see paper §9, Table "Governance Gate scenario sensitivity" */
export const PAPER_SCENARIOS: readonly ScenarioLimits[] = Object.freeze([
  Object.freeze({ name: "Lenient", di: 0.8, ai: 0.2 }),
  Object.freeze({ name: "Moderate", di: 0.85, ai: 0.15 }),
  Object.freeze({ name: "Standard", di: 0.9, ai: 0.15 }),
  Object.freeze({ name: "Strict", di: 0.95, ai: 0.1 }),
]);

/** Rates k of n, with the Wilson interval and, for rates of decisions, the interval over communities, whatever the cohorts are. */
export interface ScenarioEstimates {
  community_coverage: Estimate;
  decision_coverage_eligible: Estimate;
  decision_coverage_all: Estimate;
  fleet_di: Estimate;
  fleet_ai: Estimate;
  base_indefensible_rate: Estimate;
  automated_indefensible_rate: Estimate;
}

export interface ScenarioResult extends GateScenario {
  counts: GateCounts;
  estimates: ScenarioEstimates;
  /** Why a rate is null. */
  reasons: Record<string, string>;
}

const NO_ELIGIBLE = "no community has enough decisions";
const NONE_PASSES = "no community passes";

/**
 * The effect of one setting of the gate on the fleet, given the communities that pass: coverage with three denominators, rates of the automated part,
 * and both risk reductions with the baseline of a gate that picks at random.
 *
 * Formula: community_coverage = passing / eligible communities; decision_coverage_eligible (_all) = automated / eligible (all) decisions; fleet_di,
 * fleet_ai pooled over passing communities; base rate = L3 / n over eligible decisions; automated rate = L3 / n over automated ones; random-gate
 * baseline = 1 − decision_coverage_eligible.
 * Range: rates in [0, 1], conditional reduction at most 1.
 * Undefined when: a denominator is 0: null, with the reason in `reasons`.
 * Differs from the paper: the paper's "community coverage" is decision-weighted by its own arithmetic; all three are given.
 * @see paper §9
 * @example
 * scenarioResult("Standard", [], [], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).community_coverage // => null
 */
export function scenarioResult(
  name: string,
  cohorts: readonly GateCohort[],
  passes: readonly boolean[],
  limits: GateLimits,
): ScenarioResult {
  const counts = gateCounts(cohorts, passes, limits);
  const estimates = scenarioEstimates(cohorts, passes, limits, counts);
  const reasons: Record<string, string> = {};
  for (const [field, estimate] of Object.entries(estimates) as [string, Estimate][]) {
    if (estimate.estimate === null) reasons[field] = estimate.reason;
  }
  const coverage = estimates.decision_coverage_eligible.estimate;
  const exposure_reduction = exposureReduction(counts);
  const conditional_risk_reduction = conditionalRiskReduction(counts);
  const noL3 = counts.eligible_decisions === 0 ? NO_ELIGIBLE : "no indefensible decision among the eligible ones";
  if (exposure_reduction === null) reasons.exposure_reduction = noL3;
  if (conditional_risk_reduction === null) {
    reasons.conditional_risk_reduction = counts.automated_decisions === 0 ? NONE_PASSES : noL3;
  }
  if (coverage === null) reasons.random_gate_baseline = NO_ELIGIBLE;
  return {
    name,
    di: limits.di,
    ai: limits.ai,
    passing: counts.passing_communities,
    community_coverage: estimates.community_coverage.estimate,
    decision_coverage_eligible: coverage,
    decision_coverage_all: estimates.decision_coverage_all.estimate,
    fleet_di: estimates.fleet_di.estimate,
    fleet_ai: estimates.fleet_ai.estimate,
    base_indefensible_rate: estimates.base_indefensible_rate.estimate,
    automated_indefensible_rate: estimates.automated_indefensible_rate.estimate,
    exposure_reduction,
    conditional_risk_reduction,
    random_gate_baseline: coverage === null ? null : 1 - coverage,
    counts,
    estimates,
    reasons,
  };
}

function scenarioEstimates(
  cohorts: readonly GateCohort[],
  passes: readonly boolean[],
  limits: GateLimits,
  counts: GateCounts,
): ScenarioEstimates {
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  const passing = cohorts.filter((_, i) => passes[i]);
  const automated = new Set(passing);
  type Count = Parameters<typeof communityShares>[1];
  const pooled = (members: readonly GateCohort[], k: Count, reason: string) =>
    shareEstimate(communityShares(members, k), reason);
  const size: Count = ({ n }, cohort) => (automated.has(cohort) ? n : 0);
  return {
    community_coverage:
      counts.eligible_communities === 0
        ? undefinedEstimate(NO_ELIGIBLE)
        : proportion(counts.passing_communities, counts.eligible_communities),
    decision_coverage_eligible: pooled(eligible, size, NO_ELIGIBLE),
    decision_coverage_all: pooled(cohorts, size, "no verdicts"),
    fleet_di: pooled(passing, ({ n, indefensible }) => n - indefensible, NONE_PASSES),
    fleet_ai: pooled(passing, (counts) => ambiguousCount(counts, limits.variable), NONE_PASSES),
    base_indefensible_rate: pooled(eligible, ({ indefensible }) => indefensible, NO_ELIGIBLE),
    automated_indefensible_rate: pooled(passing, ({ indefensible }) => indefensible, NONE_PASSES),
  };
}
