import type { GateKey, GateMode } from "../core/gate.js";
import type { Audit, Citation } from "../core/records/audit.js";
import type { Level } from "../core/records/level.js";
import type { Rule } from "../core/records/rule-set.js";
import type { OpenLabels, Report } from "../core/results/report.js";
import type { GateAdjustment, GateLook } from "./gate/adjustment.js";
import type { CohortLabels } from "./gate/certified-gate.js";
import type { GateCohort, GateLimits } from "./gate/gate-input.js";
import type { Weights } from "./signals/weights.js";

/** Bins of the histogram of S over [0, 1]. */
export const SCORE_BINS = 40;

/** What a person wrote, as far as it may be shown: whole, cut short, or redacted. */
export interface PageText {
  /** Null where it was redacted; shorter than `length` where it was cut. */
  text: string | null;
  /** Characters (UTF-16 units) of the whole. */
  length: number;
  /** Where it was redacted: hash of the whole under a key that stays in the workspace. */
  hash?: string;
}

/** Significant digits of an audit's numbers. No log-probability of a model is known to more, and each more would be a tenth of a page's room. */
export const AUDIT_DIGITS = 6;

/** An audit without what is never shown, its texts as page texts. */
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
  /** Tokens of the citation with their entropy in bits; the text is null where it was redacted. */
  spans: [string | null, number][];
  error: { code: string; message: string } | null;
}

/** Reasons to review a decision; the first that holds is its main one. The order is the order of the list. */
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

/** Whose citation a precedent is in: that of the decision's audit, what its inverse check rests on, or the audits of the other decisions. */
export const CITED_BY = ["audit", "inverse", "human_audit", "opposite_audit"] as const;
export type CitedBy = (typeof CITED_BY)[number];

/** The precedents that the auditor of a decision was shown, and those that are cited. */
export interface DecisionPrecedents {
  /** How many it was shown; null: unknown. */
  shown: number | null;
  /** How many more its community had, for which the prompt had no room. */
  left_out: number;
  /** How many of those it was shown are no longer in the workspace. */
  gone: number;
  /** Those it was shown as places in the page's `precedents`, the most like the content first. `shown` may be more. */
  places: number[];
  /** The place is null where the workspace does not have it. */
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
  /** Null where the page was made from audits alone. */
  body: PageText | null;
  context: PageText[];
  /** Parts of the context there are; `context` may hold fewer. */
  context_of: number;
  url: PageText | null;
  kind: string | null;
  language: string | null;
  media: number;
  rationale: PageText | null;
  cited_rule: string | null;
  appeal: { outcome: string | null; text: PageText | null } | null;
  gold: { level: Level; inverse: boolean; rule_ids: string[]; note: PageText | null } | null;
  /** What people, or other auditors, said of its defensibility. */
  labels: { level: Level; inverse: boolean | null; rater: string | null; source: string }[];
  reasons: LookReason[];
  precedents: DecisionPrecedents;
  audit: PageAudit;
  /** The audit of the human's decision, where it was another and was audited. */
  human_audit: PageAudit | null;
  /** The audit of the opposite decision, of the newest experiment that audited both. */
  opposite_audit: PageAudit | null;
}

/** Counts of one community's verdicts in one stretch of time. */
export interface TimelineRow {
  community: string;
  /** Index into `periods`. */
  period: number;
  n: number;
  indefensible: number;
  inverse_yes: number;
  inverse_yes_pure: number;
}

/** What the report does not hold of a community. */
export interface PageCommunity {
  community: string;
  /** Verdicts at level 1, 2 and 3; and those of them whose inverse check says Yes. */
  levels: [number, number, number];
  inverse_yes: [number, number, number];
  /** The rules that most of its verdicts with inverse = Yes cite, three at most, and those that most of its defensible ones among them do. */
  ambiguous_rules: {
    scope: string;
    /** The community whose rule it is; null: the platform's. */
    owner: string | null;
    rule_id: string;
    n: number;
    inverse_yes: number;
    inverse_yes_pure: number;
    /** Human labels among those that are open both ways. */
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

/** An earlier decision that auditors of listed decisions were shown, or cite. */
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

/** What a run was made with. Each counts as changed also when some were only added. */
export const CHANGED_PARTS = ["rules", "precedents", "decisions"] as const;
export type ChangedPart = (typeof CHANGED_PARTS)[number];

/** Everything that the pages of a report show: the report, and what it does not hold. A browser computes the rest. */
export interface ReportPage {
  format: 1;
  made_by: string;
  redacted: boolean;
  /** Name of the platform as the workspace calls it; null: it has none, or it is redacted. */
  platform: string | null;
  /** Exactly what `report --json` writes. */
  report: Report;
  /** What the gate is computed from, and the settings it starts with; the page computes it anew for others. */
  gate_input: {
    /** What the cohorts are: communities, unless the active gate divides otherwise. */
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
    /** When the active gate was made: threads that were open then are left out. Null: the audits are taken as complete. */
    as_of: string | null;
    /** Where the active gate also asks for people's labels: those of each cohort that has any. */
    label_counts?: CohortLabels[];
  };
  communities: PageCommunity[];
  timeline: {
    unit: "day" | "week" | "month" | "quarter" | "year";
    /** Days (UTC) of the first and the last decision with a verdict. */
    first: string;
    last: string;
    /** First days of the periods. */
    periods: string[];
    rows: TimelineRow[];
  } | null;
  rule_sets: PageRuleSet[];
  /** Precedents that listed decisions refer to, each once. */
  precedents: PagePrecedent[];
  /** What of the workspace is no longer as the run saw it, while the page shows it as it is now; null without a workspace. */
  changed_since_run: ChangedPart[] | null;
  decisions: PageDecision[];
  /** Decisions that the run has; null where single decisions were left out on request. */
  decisions_of: number | null;
  calibration_details: ScoreDetails | null;
  /** Weights that S of the run's audits was computed with; null: unknown (audits of a file). */
  signal_weights: SignalWeights | null;
  /** Sentences about what was left out or cut, and why. */
  notes: string[];
}

/** Weights of S as a run's manifest keeps them. */
export type SignalWeights = Pick<Weights, "alpha" | "beta" | "gamma" | "component" | "calibrated">;

/** What pictures of S need next to the calibration: counts, never rows. */
export interface ScoreDetails {
  /** Histogram of S by level, SCORE_BINS equal parts of [0, 1]. */
  pds_by_level: { level: Level; bin: number; n: number }[];
  /** Median of S at each level: the histogram knows only its bin. */
  pds_medians: { level: Level; median: number }[];
  /** The same histogram by the level that people or reference annotations gave, over the verdicts they speak of; null: of too few. */
  pds_by_label: { kind: "human" | "gold"; bins: { level: Level; bin: number; n: number }[] } | null;
  /** Means of the parts of S by level, over verdicts that have all of them: −λ (nats), the calibration's entropy (bits), σ(ρ). */
  parts_by_level: { level: Level; n: number; label_confidence: number; entropy: number; inverse_check: number }[];
}
