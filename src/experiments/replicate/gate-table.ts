import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { GateState } from "../../core/gate.js";
import { gateCounts } from "../../measures/gate/coverage.js";
import { fleetState } from "../../measures/gate/fleet-state.js";
import { ambiguousCount, type GateCohort, type GateLimits, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { isEligible } from "../../measures/gate/limits.js";
import { paperGate } from "../../measures/gate/paper-gate.js";
import { exposureReduction } from "../../measures/gate/risk-reduction.js";
import { PAPER_SCENARIOS, type ScenarioResult, scenarioResult } from "../../measures/gate/scenarios.js";
import { meanEstimate } from "../../stats/intervals/mean-estimate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { createRng } from "../../stats/random/create-rng.js";
import { clusterBootstrap } from "../../stats/resampling/cluster-bootstrap.js";
import type { DrawSettings } from "./calibration-table.js";
import { gateFigures } from "./gate-figures.js";

export interface StateRow {
  state: GateState;
  /** Of the communities that a gate looks at. */
  share: Estimate;
  communities: number;
  /** Means over communities, each counting once. */
  di: Estimate;
  ai: Estimate;
}

export interface ScenarioRow extends ScenarioResult {
  reduction: Estimate;
}

export interface GateTable {
  communities: number;
  eligible: number;
  decisions: number;
  states: StateRow[];
  scenarios: ScenarioRow[];
  figures: Figure[];
}

const STATES = ["earned_autonomy", "policy_gaps", "normative_complexity"] as const;

/** The paper's gate, by rates as seen, over a fleet: its three states and four scenarios. */
export function gateTable(cohorts: readonly GateCohort[], settings: DrawSettings): GateTable {
  const limits = STANDARD_LIMITS;
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  return {
    communities: cohorts.length,
    eligible: eligible.length,
    decisions: cohorts.reduce((sum, { n, unscored }) => sum + n + unscored, 0),
    figures: gateFigures(cohorts),
    states: STATES.map((state) => stateRow(state, eligible, limits)),
    scenarios: PAPER_SCENARIOS.map(({ name, di, ai }) => {
      const own = { ...limits, di, ai };
      return {
        ...scenarioResult(name, cohorts, paperGate(cohorts, own), own),
        reduction: reductionOf(eligible, own, settings),
      };
    }),
  };
}

function stateRow(state: GateState, eligible: readonly GateCohort[], limits: GateLimits): StateRow {
  const members = eligible.filter((cohort) => fleetState(cohort, limits) === state);
  return {
    state,
    communities: members.length,
    share: eligible.length === 0 ? undefinedEstimate(NONE) : proportion(members.length, eligible.length),
    di: meanOf(members.map(({ n, indefensible }) => 1 - indefensible / n)),
    ai: meanOf(members.map((cohort) => ambiguousCount(cohort, limits.variable) / cohort.n)),
  };
}

const NONE = "no community has 25 decisions";

function meanOf(values: readonly number[]): Estimate {
  const n = values.length;
  if (n === 0) return undefinedEstimate("no community is in this state");
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return meanEstimate(
    n,
    mean,
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0),
  );
}

/** Communities are drawn again; each passes or not as it stands. */
function reductionOf(eligible: readonly GateCohort[], limits: GateLimits, { seed, draws }: DrawSettings): Estimate {
  const passes = paperGate(eligible, limits);
  const value = exposureReduction(gateCounts(eligible, passes, limits));
  if (value === null) {
    return undefinedEstimate(eligible.length === 0 ? NONE : "no indefensible decision among the eligible ones");
  }
  const drawn = clusterBootstrap(
    eligible.length,
    (copies) => {
      let [all, automated] = [0, 0];
      eligible.forEach(({ indefensible }, i) => {
        all += copies[i]! * indefensible;
        if (passes[i]) automated += copies[i]! * indefensible;
      });
      return all === 0 ? null : 1 - automated / all;
    },
    { rng: createRng(seed).fork(`reduction at ${limits.di} and ${limits.ai}`), draws },
  );
  if (!drawn) return undefinedEstimate("too few communities for an interval", eligible.length);
  return {
    estimate: value,
    lower: Math.min(drawn.lower, value),
    upper: Math.max(drawn.upper, value),
    level: CONFIDENCE_LEVEL,
    method: "bootstrap of communities",
    n: eligible.length,
  };
}
