import type { CalibrationTarget } from "../../core/calibration.js";
import type { Evidence, GateCommunity, GateHarm, GateKey, GateMode, GateVariable, Selective } from "../../core/gate.js";
import type { FlipControl, RealisedRisk } from "../../core/results/realised-risk.js";
import type { JudgeErrorReport } from "../metrics/judge/judge-error.js";
import type { GateAdjustment, GateLook } from "./adjustment.js";
import type { ScoreFrontier } from "./frontier.js";
import type { CommunityEvaluation, GateEvaluation } from "./gate-evaluation.js";
import type { HoldoutCertificate } from "./holdout-certificate.js";
import type { AreaUnderRiskCoverage, CoverageAtRisk, RiskCoveragePoint } from "./selective/aurc.js";
import type { ThresholdSet } from "./selective/choose-thresholds.js";
import type { SliceReport } from "./slices.js";

/**
 * What a report says of the gate beyond its counts. It is computed from the report's own run whenever a report is made, so that it can be about
 * no other; only the watch is what the workspace remembers, and names its runs.
 */
export interface GateFindings {
  run_id: string;
  /** The settings are those of the active gate, which was computed from this run; false: the workspace's, and what they would give. */
  in_force: boolean;
  settings: Omit<GateSettings, "risk" | "review_share"> & { look: GateLook };
  holdout: HoldoutReport;
  /** By those of language, kind and tags that have two values; null: none has. */
  slices: SliceReport | null;
  /** Null: no verdict of the run has a person's label. */
  judge_error: JudgeErrorReport | null;
  /** Null: no one has watched this workspace. */
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
  /** When it was reported, and the time of the decision that it was about. */
  at: string;
  decision_time: string | null;
  text: string;
  /** By `gate reinstate`. */
  by_hand: boolean;
}

/** Everything that decides what a gate says of given audits. */
export interface GateSettings {
  mode: GateMode;
  di: number;
  ai: number;
  min_decisions: number;
  variable: GateVariable;
  by: GateKey[];
  adjust: GateAdjustment;
  delta: number;
  q: number;
  /** Greatest expected harm of a decision; absent: harm is not limited. */
  harm?: number;
  /** Greatest share of indefensible decisions among those automated by score. */
  risk: number;
  judge_error: boolean;
  review_share: number;
  /** A thread counts as at most this many decisions in certified mode; fixed before verdicts are seen. */
  thread_cap: number;
  /** A rolling window over several runs, in days; or the fixed time at which an epoch starts. Neither: one run. */
  window_days?: number | null;
  since?: string | null;
}

/** Whom automation by score would let through, and at what risk. */
export interface SelectionReport {
  /** What the losses were counted by; `circular` where the auditor's own level was taken. */
  labels: { kind: CalibrationTarget["kind"]; source: string | null; n: number; circular: boolean };
  /** Verdicts that the thresholds rest on: of the chosen communities, with a label, that had no part in choosing. */
  rows: number;
  /** Verdicts of the communities that pass, and those of them that reach their threshold. */
  rows_in_all: number;
  automated: number;
  /** A thread counts as at most this many decisions in what the thresholds promise; null: no decision has a thread. */
  thread_cap: number | null;
  /** How decisions were parted into those that choose communities and those that certify thresholds; null: they were not. */
  split: {
    /** Share that certifies, and the seed of the hash that says which decisions. */
    share: number;
    seed: number;
    by_thread: boolean;
    /** Decisions a community needed on the part that chooses. */
    min_decisions: number;
    /** Communities that pass there; and those that pass on all decisions only, which have no threshold. */
    chosen: number;
    withheld: number;
  } | null;
  thresholds: ThresholdSet;
  aurc: AreaUnderRiskCoverage;
  coverage_at_risk: CoverageAtRisk[];
  curve: RiskCoveragePoint[];
  /** What is to be kept in mind, a sentence each. */
  notes: string[];
}

export interface HoldoutReport extends HoldoutCertificate {
  /** Share of the decisions that was held out, and the seed that chose them. */
  share: number;
  seed: number;
  /** Whole threads were held out. */
  by_thread: boolean;
}

type Evaluated =
  | "inverse_yes_pure"
  | "ai_pure"
  | "unscored"
  | "design_effect"
  | "di_interval"
  | "ambiguity_interval"
  | "binding"
  | "paper"
  | "shrunk"
  | "certified"
  | "advice";

/** A community as evaluated, and whether it is suspended, which the evaluation does not know. */
export type GateReportCommunity = GateCommunity & Pick<CommunityEvaluation, Evaluated>;

/** What the watch saw. `above`: an alarm about a community that was above a limit from the start, so that there is nothing to suspend. */
export interface WatchedEvent {
  type: "suspended" | "reinstated" | "above" | "reset";
  community: string;
  at: string | null;
  text: string;
  remedy: string | null;
  /** Reviewers raised the alarm. */
  by?: "reviews";
}

/** The watch of random reviews. */
export interface ReviewWatch {
  threads: number;
  /** Greatest share of indefensible decisions among the automated. */
  limit: number;
  promise: string;
}

export interface WatchReport {
  /** Verdicts watched now, and since the watch began. */
  rows: number;
  rows_in_all: number;
  /** Verdicts of threads that are still open, and of threads that were closed before they came; absent in records of earlier versions. */
  waiting?: number;
  late?: number;
  runs: string[];
  /** Runs that are not finished and wait for the next time. */
  open_runs: string[];
  communities: number;
  promise: string;
  events: WatchedEvent[];
  /** Communities that have been above a limit, with e-BH over the fleet, at q ≤ 0.1. */
  named: { community: string; q: number; n: number; indefensible: number; ambiguous: number }[];
  /** Versions that alternate; decisions that do not count towards a return. */
  notes: string[];
  /** null: no decision was drawn for review. */
  reviews?: ReviewWatch | null;
  /** What it found was written down: false where nothing is kept, so that all of it is only what would be. */
  kept: boolean;
}

/** Whether the gate came into force, and if not, why. */
interface InForceNote {
  status: "in_force" | "what_if" | "watched" | "not_recorded";
  /** A sentence. */
  text: string;
  /** Mode of the gate that was in force before; null: none. */
  before: { gate_id: string | null; mode: GateMode; passing: number } | null;
}

/** The result of `defensible gate`: Gate JSON with everything the command found. */
export interface GateReport extends Omit<GateEvaluation, "communities"> {
  format: 1;
  gate_id: string;
  created_at: string;
  by: GateKey[];
  risk: number;
  judge_error_required: boolean;
  review_share: number;
  thread_cap: number;
  /** Where expected harm is limited: the limit, and the weights that harm is counted by. */
  harm?: GateHarm;
  evidence: Evidence;
  run: { run_id: string | null; source: string | null; status: string | null };
  /** Where the gate rests on more than one run: from when to when, and on which. */
  span?: { window_days: number | null; since: string | null; from: string; to: string; runs: string[] };
  /** Hash of the counts, to tell looks at the same data from others. */
  data: string;
  look: GateLook;
  look_reason: string;
  communities: GateReportCommunity[];
  selective: Selective | null;
  selection: SelectionReport | null;
  score_frontier: ScoreFrontier | null;
  slices: SliceReport | null;
  judge_error: JudgeErrorReport | null;
  /** Whether the auditor notices inverted decisions; null: the run audited no opposite. */
  flip_control: FlipControl | null;
  holdout: HoldoutReport | null;
  watch: WatchReport | null;
  realised_risk: RealisedRisk | null;
  in_force: InForceNote | null;
  closed: { since: string; reason: string } | null;
  notes: string[];
}
