import { countGateCohorts } from "../../analysis/gate/counts.js";
import { decisionCount } from "../../analysis/labels/judgements.js";
import { type TokenPair, tokenAgreement } from "../../analysis/signal-columns.js";
import { loadScores } from "../../app/report/choose-target.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { GateState } from "../../core/gate.js";
import { exposureReduction, gateCounts } from "../../measures/gate/adjustment.js";
import { coverageRiskFrontier } from "../../measures/gate/frontier.js";
import { ambiguousCount, type GateCohort, type GateLimits, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { fleetState, isEligible } from "../../measures/gate/limits.js";
import { paperGate } from "../../measures/gate/pass-gate.js";
import { PAPER_SCENARIOS, type ScenarioResult, scenarioResult } from "../../measures/gate/scenarios.js";
import { jackknifeEstimate, leaveEachOut } from "../../stats/intervals/cluster-jackknife.js";
import { meanOf, UNIT_RANGE } from "../../stats/intervals/mean-estimate.js";
import { proportion, wilsonInterval } from "../../stats/intervals/proportion.js";
import { paperCalibration } from "./calibration-table.js";
import { isColumns } from "./run/requests.js";
import { drawing, type Step, withRun } from "./run/step.js";

interface StateRow {
  state: GateState;
  /** Share of the communities that a gate considers. */
  share: Estimate;
  communities: number;
  /** Means over communities, each counting once. */
  di: Estimate;
  ai: Estimate;
}

interface ScenarioRow extends ScenarioResult {
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

/** The paper's gate, by observed rates, over a fleet: its three states and four scenarios. */
export function gateTable(cohorts: readonly GateCohort[]): GateTable {
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
        reduction: reductionOf(eligible, own),
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
    di: meanOf(
      members.map(({ n, indefensible }) => 1 - indefensible / n),
      EMPTY,
      UNIT_RANGE,
    ),
    ai: meanOf(
      members.map((cohort) => ambiguousCount(cohort, limits.variable) / cohort.n),
      EMPTY,
      UNIT_RANGE,
    ),
  };
}

const NONE = "no community has 25 decisions";
const EMPTY = "no community is in this state";

/** Leaves out one community at a time; whether the others pass does not change. */
function reductionOf(eligible: readonly GateCohort[], limits: GateLimits): Estimate {
  const passes = paperGate(eligible, limits);
  const reduction = (weights: ArrayLike<number>) => {
    let [all, automated] = [0, 0];
    eligible.forEach(({ indefensible }, i) => {
      all += weights[i]! * indefensible;
      if (passes[i]) automated += weights[i]! * indefensible;
    });
    return all === 0 ? null : 1 - automated / all;
  };
  const estimate = exposureReduction(gateCounts(eligible, passes, limits));
  if (estimate === null) {
    return undefinedEstimate(eligible.length === 0 ? NONE : "no indefensible decision among the eligible ones");
  }
  const sizes = eligible.map(({ n }) => n);
  return jackknifeEstimate(estimate, leaveEachOut(sizes.length, reduction), sizes, sizes.length, [0, 1]);
}

/** The fleet by DI and ambiguity, and what other limits would have automated: the paper's two figures of the gate. */
function gateFigures(cohorts: readonly GateCohort[]): Figure[] {
  const limits = STANDARD_LIMITS;
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  if (eligible.length === 0) return [];
  const passing = eligible.filter((cohort) => fleetState(cohort, limits) === "earned_autonomy").length;
  const { points, knee } = coverageRiskFrontier(cohorts, limits);
  return [
    {
      id: "replicate-fleet",
      title: `${passing} of ${eligible.length} communities lie where the paper's gate opens (DI at least 90%, ambiguity at most 15%)`,
      mark: "point",
      x: { field: "ai", label: "Ambiguity Index", format: "percent" },
      y: { field: "di", label: "Defensibility Index", format: "percent" },
      series: "state",
      size: { field: "decisions", label: "verdicts" },
      name: "community",
      interval: "none",
      references: [
        { axis: "x", value: limits.ai, label: "ambiguity limit" },
        { axis: "y", value: limits.di, label: "DI limit" },
      ],
      zone: { x: [0, limits.ai], y: [limits.di, 1], label: "the gate opens" },
      paper: "fig:fleet",
      rows: eligible.map((cohort) => {
        const yes = ambiguousCount(cohort, limits.variable);
        const di = wilsonInterval(cohort.n - cohort.indefensible, cohort.n);
        const ai = wilsonInterval(yes, cohort.n);
        return {
          community: cohort.key,
          state: fleetState(cohort, limits),
          decisions: cohort.n,
          di: (cohort.n - cohort.indefensible) / cohort.n,
          di_lower: di.lower,
          di_upper: di.upper,
          ai: yes / cohort.n,
          ai_lower: ai.lower,
          ai_upper: ai.upper,
        };
      }),
    },
    {
      id: "replicate-frontier",
      title: knee
        ? `The knee of coverage against risk is at DI ${knee.di} and ambiguity ${knee.ai}: ${(100 * knee.coverage).toFixed(0)}% automated, ${(100 * knee.risk).toFixed(1)}% of it indefensible`
        : "What other limits would have automated, and how much of it is indefensible",
      mark: "point",
      x: { field: "coverage", label: "decisions automated", format: "percent" },
      y: { field: "risk", label: "indefensible among them", format: "percent" },
      paper: "fig:pds_validation C, Table gate",
      rows: points.map(({ di, ai, coverage, risk }) => ({ di, ai, coverage, risk })),
    },
  ];
}

/** Comes first, since runs are made with the weights that it fits. */
export const calibration: Step = {
  name: "calibration",
  title: "weights of S",
  needs: () => ["balanced"],
  async run(context) {
    const { runs } = context;
    const place = await runs.get("balanced");
    const loaded = await loadScores(place, { kind: "self" }, { stores: runs.context, labels: null });
    const found = paperCalibration(loaded!.main.columns, drawing(context));
    if (found.weights) {
      const { calibrated: _, ...weights } = found.weights;
      runs.keepWeights({ ...weights, fitted_on: loaded!.evidence });
    } else context.warnings.push(`S has the workspace's weights, because none could be fitted: ${found.reason}`);
    return found;
  },
};

export const gate: Step = {
  name: "gate",
  title: "fleet and gate",
  needs: () => ["fleet"],
  async run(context) {
    const place = await context.runs.get("fleet");
    const cohorts = await withRun(place, (table) => countGateCohorts(table, { by: ["community"] }));
    return gateTable(cohorts);
  },
};

const TOKEN_PAIRS = [
  ["random", "tokens_random"],
  ["balanced", "tokens_balanced"],
  ["fleet", "tokens_fleet"],
] as const;

export const tokens: Step = {
  name: "tokens",
  title: "tokens against columns",
  refuses({ runs }) {
    if (isColumns(runs.request.auditor)) return null;
    return { reason: "compares two ways of the simulated auditor, which is not in use", command: null };
  },
  needs: () => TOKEN_PAIRS.flat(),
  async run(context) {
    const { runs } = context;
    const pairs: TokenPair[] = [];
    let of = 0;
    for (const [columns, tokens] of TOKEN_PAIRS) {
      const whole = await runs.get(columns);
      of += await withRun(whole, decisionCount);
      pairs.push({ columns: whole.source, tokens: (await runs.get(tokens)).source });
    }
    const found = await tokenAgreement(pairs, of);
    if (!found.agrees) context.warnings.push("audits by tokens do not agree with the same audits as columns");
    return found;
  },
};
