import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import type { GateOptions } from "../../measures/gate/gate-evaluation.js";
import type { GateCohort } from "../../measures/gate/gate-input.js";
import type { GateReport } from "../../measures/gate/gate-report.js";

export function cohort(key: string, n: number, indefensible: number, pure = 0): GateCohort {
  return { key, n, indefensible, inverse_yes: indefensible + pure, inverse_yes_pure: pure, unscored: 0 };
}

/** The gate of a fleet, without the parts that need individual decisions. */
export function gateReport(cohorts: readonly GateCohort[], options: GateOptions = {}): GateReport {
  const { communities, frontier, ...evaluation } = evaluateGate(cohorts, options);
  return {
    ...evaluation,
    frontier: frontier && { ...frontier, points: frontier.points.filter((point) => point.pareto) },
    communities,
    format: 1,
    gate_id: "g1",
    created_at: "2026-01-01T00:00:00.000Z",
    by: ["community"],
    risk: 0.1,
    judge_error_required: false,
    review_share: 0.02,
    thread_cap: 5,
    evidence: {
      run_id: null,
      auditor: null,
      auditor_version: null,
      prompt_version: null,
      template: null,
      signal: null,
      tier: null,
    },
    run: { run_id: null, source: "audits.csv", status: null },
    data: "",
    look_reason: "nobody looked before",
    selective: null,
    selection: null,
    score_frontier: null,
    slices: null,
    flip_control: null,
    judge_error: null,
    holdout: null,
    watch: null,
    realised_risk: null,
    in_force: null,
    closed: null,
    notes: [],
  };
}
