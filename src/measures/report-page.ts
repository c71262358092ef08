import type { GateKey, GateMode } from "../core/gate.js";
import type { Audit, Citation } from "../core/records/audit.js";
import type { Level } from "../core/records/level.js";
import type { Rule } from "../core/records/rule-set.js";
import type { OpenLabels, Report } from "../core/results/report.js";
import type { GateAdjustment, GateLook } from "./gate/adjustment.js";
import type { CohortLabels } from "./gate/certified-gate.js";
import type { GateCohort, GateLimits } from "./gate/gate-input.js";
import type { Weights } from "./signals/weights.js";

/** Number of bins of the histogram of S over [0, 1]. */
export const SCORE_BINS = 40;

/** A text by a person, as far as it may be shown: whole, cut short, or redacted. */
export interface PageText {
  /** Null if redacted; shorter than `length` if cut. */
  text: string | null;
  /** Length of the whole text (UTF-16 units). */
  length: number;
  /** If redacted: keyed hash of the whole text. The key stays in the workspace. */
  hash?: string;
}

/** Significant digits of an audit's numbers. No log-probability is known more precisely, and each further digit adds a tenth to a page's size. */
export const AUDIT_DIGITS = 6;

/** An audit without the parts that are never shown, with its texts as page texts. */
export interface PageAudit
  extends Pick<
    Audit,
    | "outcome"
    | "decision"
    | "tier"
    | "temperature"
    | "signal"
    | "ruleset_version"
    | "level"
    | "inverse"
    | "level_probs"
    | "level_map"
    | "lambda_nats"
    | "h_weight_bits"
    | "h_citation_bits"
    | "h_citation_sampled_bits"
    | "citation_tokens"
    | "inverse_log_odds"
    | "inverse_yes_prob"
    | "pds"
    | "p_defensible"
    | "p_calibrated"
    | "tail_mass"
    | "samples"
    | "flags"
  > {
  logic_chain: PageText | null;
  policy_citation: PageText | null;
  precedent_weight: string | null;
  inverse_citation_text: PageText | null;
  level3_reason: string | null;
  citation: Citation | null;
  inverse_citation: Citation | null;
  /** Tokens of the citation with their entropy in bits; the text is null if redacted. */
  spans: [string | null, number][];
  error: { code: string; message: string } | null;
}

/** Reasons to review a decision, in order of priority; the first that applies is its main one. */
export const LOOK_REASONS = [
  "injection_suspected",
  "disagreement_indefensible",
  "agreed_but_indefensible",
  "indefensible",
  "not_scored",
  "ungrounded_citation",
  "disagreement_defensible",
  "open_both_ways",
  "unsure",
  "settled",
] as const;
export type LookReason = (typeof LOOK_REASONS)[number];

/** Where a precedent is cited: in the decision's audit, in the basis of its inverse check, or in the audits of the other decisions. */
export const CITED_BY = ["audit", "inverse", "human_audit", "opposite_audit"] as const;
export type CitedBy = (typeof CITED_BY)[number];

/** The precedents that the auditor of a decision was shown, and those that are cited. */
export interface DecisionPrecedents {
  /** How many it was shown; null: unknown. */
  shown: number | null;
  /** How many more its community had that did not fit into the prompt. */
  left_out: number;
  /** How many of those shown are no longer in the workspace. */
  gone: number;
  /** Indices in the page's `precedents` of those it was shown, the most similar to the content first. `shown` may be larger. */
  places: number[];
  /** `place` is null if the precedent is not in the workspace. */
  cited: { id: string; place: number | null; by: CitedBy[] }[];
}

export interface PageDecision {
  id: string;
  community: string;
  decision: string;
  human_label: string | null;
  decided_at: string | null;
  decider: { kind: string | null; id: string | null; confidence: number | null } | null;
  title: PageText | null;
  /** Null if the page was made from audits alone. */
  body: PageText | null;
  context: PageText[];
  /** Number of parts of the context; `context` may hold fewer. */
  context_of: number;
  url: PageText | null;
  kind: string | null;
  language: string | null;
  media: number;
  rationale: PageText | null;
  cited_rule: string | null;
  appeal: { outcome: string | null; text: PageText | null } | null;
  gold: { level: Level; inverse: boolean; rule_ids: string[]; note: PageText | null } | null;
  /** Labels of its defensibility by people or other auditors. */
  labels: { level: Level; inverse: boolean | null; rater: string | null; source: string }[];
  reasons: LookReason[];
  precedents: DecisionPrecedents;
  audit: PageAudit;
  /** The audit of the human's decision, if that was different and was audited. */
  human_audit: PageAudit | null;
  /** The audit of the opposite decision, from the newest experiment that audited both. */
  opposite_audit: PageAudit | null;
}

/** Counts of one community's verdicts in one period. */
export interface TimelineRow {
  community: string;
  /** Index into `periods`. */
  period: number;
  n: number;
  indefensible: number;
  inverse_yes: number;
  inverse_yes_pure: number;
}

/** What the report does not contain about a community. */
export interface PageCommunity {
  community: string;
  /** Verdicts at levels 1, 2 and 3, and how many of each have an inverse check of Yes. */
  levels: [number, number, number];
  inverse_yes: [number, number, number];
  /** The rules cited most by its verdicts with inverse = Yes, three at most, and those cited most by the defensible ones among them. */
  ambiguous_rules: {
    scope: string;
    /** The community that owns the rule; null: the platform. */
    owner: string | null;
    rule_id: string;
    n: number;
    inverse_yes: number;
    inverse_yes_pure: number;
    /** Human labels among the verdicts that are open both ways. */
    open_labels: OpenLabels;
  }[];
}

export interface PageRuleSet {
  scope: "platform" | "community";
  community: string | null;
  version: string;
  effective_from: string | null;
  rules: Pick<Rule, "id" | "title" | "description" | "detail" | "kind" | "never_automate">[];
}

/** An earlier decision that auditors of listed decisions were shown, or that they cite. */
export interface PagePrecedent {
  id: string;
  community: string;
  decision: string;
  rule_id: string | null;
  decided_at: string | null;
  /** Title and body, as auditors see them. */
  text: PageText;
  rationale: PageText | null;
}

/** The inputs of a run. Each counts as changed even if items were only added. */
export const CHANGED_PARTS = ["rules", "precedents", "decisions"] as const;
export type ChangedPart = (typeof CHANGED_PARTS)[number];

/** Everything that the pages of a report show: the report, and data that it does not contain. A browser computes the rest. */
export interface ReportPage {
  format: 1;
  made_by: string;
  redacted: boolean;
  /** Name of the platform in the workspace; null: it has none, or it is redacted. */
  platform: string | null;
  /** Exactly what `report --json` writes. */
  report: Report;
  /** The input of the gate and its initial settings; the page recomputes it for others. */
  gate_input: {
    /** The keys of the cohorts: communities, unless the active gate uses others. */
    by: GateKey[];
    cohorts: GateCohort[];
    mode: GateMode;
    limits: GateLimits;
    q: number;
    delta: number;
    adjust: GateAdjustment;
    look: GateLook;
    /** A thread counts as at most this many decisions in certified mode. */
    thread_cap: number;
    /** When the active gate was made: threads that were open then are left out. Null: the audits are treated as complete. */
    as_of: string | null;
    /** If the active gate also requires human labels: those of each cohort that has any. */
    label_counts?: CohortLabels[];
  };
  communities: PageCommunity[];
  timeline: {
    unit: "day" | "week" | "month" | "quarter" | "year";
    /** Dates (UTC) of the first and the last decision with a verdict. */
    first: string;
    last: string;
    /** First day of each period. */
    periods: string[];
    rows: TimelineRow[];
  } | null;
  rule_sets: PageRuleSet[];
  /** Precedents that listed decisions refer to, without duplicates. */
  precedents: PagePrecedent[];
  /** What has changed in the workspace since the run, while the page shows its current state; null without a workspace. */
  changed_since_run: ChangedPart[] | null;
  decisions: PageDecision[];
  /** Number of decisions in the run; null if single decisions were left out on request. */
  decisions_of: number | null;
  calibration_details: ScoreDetails | null;
  /** Weights used for S of the run's audits; null: unknown (audits from a file). */
  signal_weights: SignalWeights | null;
  /** Sentences about what was left out or cut, with reasons. */
  notes: string[];
}

/** Weights of S as stored in a run's manifest. */
export type SignalWeights = Pick<Weights, "alpha" | "beta" | "gamma" | "component" | "calibrated">;

/** What charts of S need in addition to the calibration: counts, never rows. */
export interface ScoreDetails {
  /** Histogram of S by level, with SCORE_BINS equal bins over [0, 1]. */
  pds_by_level: { level: Level; bin: number; n: number }[];
  /** Median of S at each level, which the histogram only shows by bin. */
  pds_medians: { level: Level; median: number }[];
  /** The same histogram by the level of human labels or reference annotations, over the verdicts that have one; null: too few. */
  pds_by_label: { kind: "human" | "gold"; bins: { level: Level; bin: number; n: number }[] } | null;
  /** Means of the parts of S by level, over verdicts that have all of them: −λ (nats), the calibration's entropy (bits), σ(ρ). */
  parts_by_level: { level: Level; n: number; label_confidence: number; entropy: number; inverse_check: number }[];
}
