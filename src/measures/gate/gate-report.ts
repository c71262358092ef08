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
 * The parts of a report about the gate beyond its counts. They are computed from the report's own run each time, so they always describe that run.
 * Only the watch comes from the workspace, and it names its runs.
 */
export interface GateFindings {
  run_id: string;
  /** True: settings of the active gate, which was computed from this run. False: the workspace's settings, and what they would give. */
  in_force: boolean;
  settings: Omit<GateSettings, "risk" | "review_share"> & { look: GateLook };
  holdout: HoldoutReport;
  /** By each of language, kind and tags that has at least two values; null: no such field. */
  slices: SliceReport | null;
  /** Null: no verdict of the run has a human label. */
  judge_error: JudgeErrorReport | null;
  /** Null: the workspace has no watch. */
  watch: StandingWatch | null;
}

/** The progress of a workspace's watch, and its effects on the gate. */
export interface StandingWatch {
  /** Verdicts watched since it began, the runs they come from, and the keys of their cohorts. */
  rows: number;
  by: GateKey[];
  runs: string[];
  promise: string;
  /** Suspensions and reinstatements, the newest first; `events_in_all` may be larger. */
  events: StandingEvent[];
  events_in_all: number;
  /** Cohorts with an alarm that were above a limit from the start, so there was nothing to suspend. */
  above: string[];
  named: WatchReport["named"];
  notes: string[];
}

export interface StandingEvent {
  type: "suspended" | "reinstated";
  community: string;
  /** When it was reported, and the time of the decision that caused it. */
  at: string;
  decision_time: string | null;
  text: string;
  /** Reinstated by `gate reinstate`. */
  by_hand: boolean;
}

/** All settings that determine the gate's result for given audits. */
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
  /** Largest allowed expected harm of a decision; absent: harm is not limited. */
  harm?: number;
  /** Largest allowed share of indefensible decisions among those automated by score. */
  risk: number;
  judge_error: boolean;
  review_share: number;
  /** A thread counts as at most this many decisions in certified mode; fixed before verdicts are known. */
  thread_cap: number;
  /** A rolling window over several runs, in days, or the fixed start of an epoch. Neither: one run. */
  window_days?: number | null;
  since?: string | null;
}

/** The decisions that automation by score would let through, and at what risk. */
export interface SelectionReport {
  /** The labels that losses were counted by; `circular` where the auditor's own level was used. */
  labels: { kind: CalibrationTarget["kind"]; source: string | null; n: number; circular: boolean };
  /** Verdicts that the thresholds rest on: in the chosen communities, labelled, and not used for choosing. */
  rows: number;
  /** Verdicts of the communities that pass, and how many of them reach their threshold. */
  rows_in_all: number;
  automated: number;
  /** A thread counts as at most this many decisions in what the thresholds promise; null: no decision has a thread. */
  thread_cap: number | null;
  /** The split of decisions into those that choose communities and those that certify thresholds; null: no split. */
  split: {
    /** Share used for certifying, and the seed of the hash that assigns decisions. */
    share: number;
    seed: number;
    by_thread: boolean;
    /** Decisions that a community needed in the part used for choosing. */
    min_decisions: number;
    /** Communities that pass there, and those that pass only on all decisions and therefore have no threshold. */
    chosen: number;
    withheld: number;
  } | null;
  /** Where decisions are parted, the thresholds in use are those of `by_decision`. */
  thresholds: ThresholdSet & { by_decision: { restricting: ThresholdSet; other: ThresholdSet } | null };
  aurc: AreaUnderRiskCoverage;
  coverage_at_risk: CoverageAtRisk[];
  curve: RiskCoveragePoint[];
  /** Caveats, one sentence each. */
  notes: string[];
}

export interface HoldoutReport extends HoldoutCertificate {
  /** Share of the decisions that was held out, and the seed that selected them. */
  share: number;
  seed: number;
  /** Whether whole threads were held out. */
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

/** A community as evaluated, plus whether it is suspended, which the evaluation does not know. */
export type GateReportCommunity = GateCommunity & Pick<CommunityEvaluation, Evaluated>;

/** An event of the watch. `above`: an alarm about a community that was above a limit from the start, so there is nothing to suspend. */
export interface WatchedEvent {
  type: "suspended" | "reinstated" | "above" | "reset";
  community: string;
  at: string | null;
  text: string;
  remedy: string | null;
  /** The alarm was raised by reviews. */
  by?: "reviews";
}

export interface ReviewWatch {
  threads: number;
  /** Largest allowed share of indefensible decisions among the automated ones. */
  limit: number;
  promise: string;
}

export interface WatchReport {
  /** Verdicts watched by this call, and since the watch began. */
  rows: number;
  rows_in_all: number;
  /** Verdicts of threads that are still open, and verdicts that arrived after their thread closed; absent in records of earlier versions. */
  waiting?: number;
  late?: number;
  runs: string[];
  /** Unfinished runs, left for the next call. */
  open_runs: string[];
  communities: number;
  promise: string;
  events: WatchedEvent[];
  /** Communities that have been above a limit, by e-BH over the fleet at q ≤ 0.1. */
  named: { community: string; q: number; n: number; indefensible: number; ambiguous: number }[];
  /** Notes about versions that alternate and decisions that do not count towards a return. */
  notes: string[];
  /** null: no decision was drawn for review. */
  reviews?: ReviewWatch | null;
  /** Whether the findings were recorded. False: nothing is stored, and the findings only show what would be. */
  kept: boolean;
}

/** Whether the gate became active, and if not, why. */
interface InForceNote {
  status: "in_force" | "what_if" | "watched" | "not_recorded";
  text: string;
  /** The gate that was active before; null: no gate was active. */
  before: { gate_id: string | null; mode: GateMode; passing: number } | null;
}

/** The result of `defensible gate`: the Gate JSON with all findings of the command. */
export interface GateReport extends Omit<GateEvaluation, "communities"> {
  format: 1;
  gate_id: string;
  created_at: string;
  by: GateKey[];
  risk: number;
  judge_error_required: boolean;
  review_share: number;
  thread_cap: number;
  /** If expected harm is limited: the limit and the harm weights. */
  harm?: GateHarm;
  evidence: Evidence;
  run: { run_id: string | null; source: string | null; status: string | null };
  /** If the gate rests on more than one run: the time span and the runs. */
  span?: { window_days: number | null; since: string | null; from: string; to: string; runs: string[] };
  /** Hash of the counts, to tell repeated looks at the same data from others. */
  data: string;
  look: GateLook;
  look_reason: string;
  communities: GateReportCommunity[];
  selective: Selective | null;
  selection: SelectionReport | null;
  score_frontier: ScoreFrontier | null;
  slices: SliceReport | null;
  judge_error: JudgeErrorReport | null;
  /** Whether the auditor notices inverted decisions; null: the run audited no opposites. */
  flip_control: FlipControl | null;
  holdout: HoldoutReport | null;
  watch: WatchReport | null;
  realised_risk: RealisedRisk | null;
  in_force: InForceNote | null;
  closed: { since: string; reason: string } | null;
  notes: string[];
}
