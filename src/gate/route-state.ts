import type { ScoreRow } from "../calibration/score-columns.js";
import type { Actions } from "../domain/actions.js";
import type { Evidence, Gate, GateKey, GateMode, GateState } from "../domain/gate.js";
import type { RouteEvidence } from "../domain/route.js";
import { InputError } from "../errors.js";
import type { NeverAutomate } from "./never-automate.js";
import type { RouteAudit } from "./route-input.js";

/** Everything that decides where decisions go. It stays the same until somebody changes it: no clock and no files behind it. */
export interface RouteState {
  /** null: there is none in force. */
  gate: RouteGate | null;
  mode: GateMode;
  /** The kill switch. */
  closed: boolean;
  actions: Actions;
  /** null: there is none, or it gives no probability. */
  calibration: RouteCalibration | null;
  /** Let a score count that does not rest on a calibration for such audits. */
  force: boolean;
  /** Route without effect. */
  shadow: boolean;
  /** Share of decisions that could be automated and are reviewed all the same. */
  reviewShare: number;
  /** A number in [0, 1) that belongs to a decision for good and that nobody can foresee; see `reviewFraction`. */
  fraction: (decisionId: string) => number;
  /** null: no rule is marked. */
  neverAutomate: NeverAutomate | null;
  /** Version of this program. */
  software: string;
}

export interface RouteCalibration {
  calibration_id: string;
  /** P(defensible), or null where the signals it needs are missing. */
  score: (row: ScoreRow) => number | null;
  /** Whether it was fitted on such audits. */
  fits: (audit: RouteAudit) => boolean;
}

export interface RouteCohort {
  state: GateState;
  suspended: boolean;
  evidence: RouteEvidence;
}

/** A gate, made ready for looking up. */
export interface RouteGate {
  gate_id: string | null;
  by: readonly GateKey[];
  evidence: Evidence | null;
  cohorts: ReadonlyMap<string, RouteCohort>;
  selective: {
    score: "p_calibrated" | "p_defensible";
    calibration_id: string | null;
    threshold: number | null;
    byCommunity: ReadonlyMap<string, number | null>;
  } | null;
}

export function prepareGate(gate: Gate): RouteGate {
  const cohorts = new Map<string, RouteCohort>();
  for (const { community: cohort, n, indefensible, inverse_yes, passes, state, suspended } of gate.communities) {
    if (cohorts.has(cohort)) {
      throw new InputError(
        "bad_gate_file",
        `gate: it has "${cohort}" twice`,
        "Make the gate anew with `defensible gate`.",
      );
    }
    const evidence = { cohort, n, indefensible, inverse_yes, passes, ...(suspended ? { suspended } : {}) };
    cohorts.set(cohort, { state, suspended: suspended !== null, evidence });
  }
  const { selective } = gate;
  return {
    gate_id: gate.gate_id ?? null,
    by: gate.by ?? ["community"],
    evidence: gate.evidence ?? null,
    cohorts,
    selective: selective
      ? {
          score: selective.score,
          calibration_id: selective.calibration_id,
          threshold: selective.threshold,
          byCommunity: new Map(Object.entries(selective.by_community)),
        }
      : null,
  };
}
