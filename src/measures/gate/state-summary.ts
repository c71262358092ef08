import { GATE_STATES, type GateState } from "../../core/gate-names.js";
import { fleetState } from "./fleet-state.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";

export interface StateSummary {
  state: GateState;
  communities: number;
  /** Verdicts in these communities. */
  decisions: number;
  indefensible: number;
  ambiguous: number;
  /** Mean over communities, each counting once, as the paper prints; null where there is none with verdicts. */
  mean_di: number | null;
  mean_ai: number | null;
  /** Over their decisions. */
  pooled_di: number | null;
  pooled_ai: number | null;
}

/**
 * The fleet by state, with counts and mean rates: the paper's table of 165 / 40 / 65 communities.
 *
 * Formula: mean over communities of DI_c and AI_c; pooled: Σk / Σn.
 * Range: rates in [0, 1]; one row for each state, in a fixed order, empty ones too.
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
