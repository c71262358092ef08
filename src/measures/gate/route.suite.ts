import type { Gate, GateCommunity } from "../../core/gate.js";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import type { Decision } from "../../core/records/decision.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { RouteAudit } from "./route/input.js";
import { markedRules, type NeverAutomate } from "./route/never-automate.js";
import { prepareGate, type RouteCalibration, type RouteState } from "./route/state.js";

/** A decision, its audit and a gate between which nothing is wrong: what tests change is what they are about. */
export function goodDecision(changes: Partial<Decision> = {}): Decision {
  return { id: "d1", community: "plants", content: "Is this a fern?", decision: "remove", ...changes };
}

export function goodAudit(changes: Partial<RouteAudit> & Record<string, unknown> = {}): RouteAudit {
  return {
    decision_id: "d1",
    community: "plants",
    decision: "remove",
    arm: "",
    replicate: 0,
    outcome: "verdict",
    level: 1,
    inverse: false,
    auditor: "baseline",
    auditor_version: "3",
    prompt_version: "none",
    template: "paper",
    ruleset_version: "1+2",
    tier: "wiki",
    signal: "logprobs",
    language: "en",
    level_probs: [0.9, 0.07, 0.03],
    level_map: 1,
    lambda_nats: Math.log(0.9),
    h_weight_bits: 0.4,
    h_citation_bits: 0.1,
    inverse_log_odds: -2,
    inverse_yes_prob: 0.12,
    p_defensible: 0.97,
    flags: ["uncalibrated"],
    citation: { scope: "community", rule_id: "R1" },
    read: { ...GOOD_READING },
    ...changes,
  };
}

/** What good audits have read, and what is there to be read. */
const GOOD_READING = { content: "c", rules: "r", precedents: "p" };

export function goodCommunity(changes: Partial<GateCommunity> = {}): GateCommunity {
  return {
    community: "plants",
    n: 100,
    indefensible: 2,
    inverse_yes: 5,
    di: 0.98,
    ai: 0.05,
    state: "earned_autonomy",
    suspended: null,
    passes: { paper: true, shrunk: true, certified: true },
    more_decisions_needed: null,
    ...changes,
  };
}

export function goodGate(changes: Partial<Gate> = {}): Gate {
  const fleet = {
    name: "Standard",
    di: 0.9,
    ai: 0.15,
    passing: 1,
    community_coverage: 1,
    decision_coverage_eligible: 1,
    decision_coverage_all: 1,
    fleet_di: 0.98,
    fleet_ai: 0.05,
    base_indefensible_rate: 0.02,
    automated_indefensible_rate: 0.02,
    exposure_reduction: 0,
    conditional_risk_reduction: 0,
    random_gate_baseline: 0,
  };
  return {
    format: 1,
    gate_id: "g1",
    created_at: "2026-11-01T00:00:00Z",
    mode: "shrunk",
    thresholds: { di: 0.9, ai: 0.15, min_decisions: 25 },
    fleet,
    scenarios: [fleet],
    communities: [goodCommunity()],
    evidence: {
      run_id: "20261101T000000Z-0001",
      auditor: "baseline",
      auditor_version: "3",
      prompt_version: "none",
      template: "paper",
      signal: "logprobs",
      tier: "wiki",
    },
    selective: {
      score: "p_calibrated",
      calibration_id: "c1",
      method: "learn_then_test",
      risk: 0.05,
      delta: 0.05,
      threshold: 0.9,
      reason: null,
      n: 100,
      by_community: {},
    },
    ...changes,
  };
}

export function goodCalibration(changes: Partial<RouteCalibration> = {}): RouteCalibration {
  const score: RouteCalibration["score"] = ({ level_probs }) => (level_probs ? level_probs[0] + level_probs[1] : null);
  return { calibration_id: "c1", score, fits: () => true, ...changes };
}

/** The rules that good audits were made under; none is marked. */
function goodRules(): NeverAutomate {
  const rules = ["R1", "R2", "R3"].map((id) => ({ id, title: `Title of ${id}` }));
  const sets: RuleSet[] = ["plants", "garden", "constructor", "__proto__"].map((community) => {
    return { scope: "community", community, version: "2", rules };
  });
  sets.push({ scope: "platform", version: "1", rules: [{ id: "P1", title: "Title of P1" }] });
  return markedRules(sets, () => ({ named: [], perhaps: [], resolved: false }));
}

export function goodState(changes: Partial<Omit<RouteState, "gate">> & { gate?: Gate | null } = {}): RouteState {
  const { gate = goodGate(), ...others } = changes;
  return {
    gate: gate && prepareGate(gate),
    mode: "shrunk",
    withoutScore: false,
    closed: false,
    actions: MODERATION_ACTIONS,
    calibration: goodCalibration(),
    force: false,
    shadow: false,
    reviewShare: 0.02,
    fraction: () => 0.5,
    neverAutomate: goodRules(),
    software: "0.0.0",
    reading: () => GOOD_READING,
    ...others,
  };
}
