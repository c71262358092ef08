import type { GateKey } from "../../core/gate.js";
import type { JudgeErrorReport } from "../metrics/judge-error.js";
import type { GateLook } from "./adjustment.js";
import type { GateSettings, HoldoutReport, WatchReport } from "./gate-report.js";
import type { SliceReport } from "./slices.js";

/**
 * What a report says of the gate beyond its counts. It is computed from the report's own run whenever a report is made, so that it can be about
 * no other; only the watch is what the workspace remembers, and names its runs.
 */
export interface GateFindings {
  run_id: string;
  /** The settings are those of the gate in force, which was computed from this run; false: the workspace's, and what they would give. */
  in_force: boolean;
  settings: Omit<GateSettings, "risk" | "review_share"> & { look: GateLook };
  holdout: HoldoutReport;
  /** By those of language, kind and tags that have two values; null: none has. */
  slices: SliceReport | null;
  /** Null: no verdict of the run has a person's label. */
  judge_error: JudgeErrorReport | null;
  /** Null: nobody has watched this workspace. */
  watch: StandingWatch | null;
}

/** How far the watch of a workspace has come, and what it has done to the gate. */
export interface StandingWatch {
  /** Verdicts watched since it began, in these runs, and what their cohorts are. */
  rows: number;
  by: GateKey[];
  runs: string[];
  promise: string;
  /** What suspended and reinstated, the newest first; `events_in_all` may be more. */
  events: StandingEvent[];
  events_in_all: number;
  /** Cohorts with an alarm that were above a limit from the start: there was nothing to suspend. */
  above: string[];
  named: WatchReport["named"];
  notes: string[];
}

export interface StandingEvent {
  type: "suspended" | "reinstated";
  community: string;
  /** When it was told, and the time of the decision that it was about. */
  at: string;
  decision_time: string | null;
  text: string;
  /** By `gate --reinstate`. */
  by_hand: boolean;
}
