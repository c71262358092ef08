import { z } from "zod";
import { levelSchema } from "./level.js";
import { tierSchema } from "./rule-set.js";

export const PRECEDENT_WEIGHTS = ["High", "Medium", "Low"] as const;
export const LEVEL3_REASONS = ["no_rule", "complies_with_cited_rule", "concept_absent"] as const;
export const TEMPLATES = ["paper", "guided", "extended"] as const;

export const traceSchema = z.object({
  logic_chain: z.string(),
  policy_citation: z.string(),
  precedent_weight: z.enum(PRECEDENT_WEIGHTS),
  inverse_check: z.enum(["Yes", "No"]),
  inverse_citation: z.string().nullish(),
  defensibility_level: levelSchema,
  level3_reason: z.enum(LEVEL3_REASONS).nullish(),
});

/** A trace as far as it could be read: absent or malformed fields are null. */
export const partialTraceSchema = z.object({
  logic_chain: traceSchema.shape.logic_chain.nullish(),
  policy_citation: traceSchema.shape.policy_citation.nullish(),
  precedent_weight: traceSchema.shape.precedent_weight.nullish(),
  inverse_check: traceSchema.shape.inverse_check.nullish(),
  inverse_citation: traceSchema.shape.inverse_citation,
  defensibility_level: traceSchema.shape.defensibility_level.nullish(),
  level3_reason: traceSchema.shape.level3_reason,
});

export type Trace = z.infer<typeof traceSchema>;
export type Template = (typeof TEMPLATES)[number];

/** Template of a new workspace. Existing settings that name no template use `paper`, as before. */
export const NEW_TEMPLATE: Template = "guided";

/** A trace as far as it could be read: absent or malformed fields are null. */
export type PartialTrace = { [K in keyof Trace]: Trace[K] | null };

/** A trace of which nothing could be read. */
export function emptyTrace(): PartialTrace {
  return {
    logic_chain: null,
    policy_citation: null,
    precedent_weight: null,
    inverse_check: null,
    inverse_citation: null,
    defensibility_level: null,
    level3_reason: null,
  };
}

/** All flags of an audit; docs/formats.md explains them. */
export const FLAGS = [
  "no_signal",
  "low_mass",
  "censored",
  "tie",
  "uncalibrated",
  "foreign_calibration",
  "fallback_span",
  "injection_suspected",
  "unknown_space",
  "cached",
  "same_family",
  "no_rules",
  "no_community_rules",
  "precedents_cut",
  "content_cut",
  "language_not_in_precedents",
  "unseen_media",
  "retroactive_rule",
] as const;

export type Flag = (typeof FLAGS)[number];

export const SIGNAL_MODES = ["logprobs", "sampling", "none"] as const;
export type SignalMode = (typeof SIGNAL_MODES)[number];

/** How to treat a label outside the listed candidates: `floor` as one unseen surface form, `paper` as 0. */
export const MISSING_MODES = ["floor", "paper"] as const;
export type MissingMode = (typeof MISSING_MODES)[number];

export const CITATION_SCOPES = ["platform", "community", "precedent", "mixed", "none"] as const;
export type CitationScope = (typeof CITATION_SCOPES)[number];

/** Where a citation was found in (R, P). `overlap` is the share of its tokens that are in the best match. */
export const citationSchema = z.object({
  scope: z.enum(CITATION_SCOPES),
  rule_id: z.string().nullable(),
  overlap: z.number().nullable(),
  grounded: z.boolean(),
});

export const usageSchema = z.object({
  input_tokens: z.number().int().nullable(),
  cached_input_tokens: z.number().int().nullable(),
  output_tokens: z.number().int().nullable(),
  cost_usd: z.number().nullable(),
});

export const promptSchema = z.object({
  precedents_used: z.array(z.string()).nullable(),
  precedents_left_out: z.number().int(),
  content_cut: z.number().int(),
  scrubbed: z.record(z.string(), z.string()).nullable(),
});

/** Keyed hashes of what an auditor read; `route` compares them with its input. */
export const readHashesSchema = z.object({ content: z.string(), rules: z.string(), precedents: z.string() });

const number = z.number().nullish();
const text = z.string().nullish();

/**
 * One audit of one decision. `verdict` has a valid level and inverse; `unscored` is an answer without both, or a decision to which no rule applied,
 * which is not audited; `error` is no answer. A foreign file only needs the first five fields and whatever its `outcome` implies.
 */
export const auditSchema = z.looseObject({
  run_id: z.string(),
  decision_id: z.string().min(1),
  arm: z.string(),
  replicate: z.number().int().min(0),
  community: z.string().min(1),
  auditor: z.string(),
  auditor_version: text,
  prompt_version: text,
  template: z.enum(TEMPLATES),
  ruleset_version: text,
  tier: tierSchema,
  temperature: z.number().min(0),
  signal: z.enum(SIGNAL_MODES),
  /** Absent: `floor`. */
  missing: z.enum(MISSING_MODES).nullish(),
  outcome: z.enum(["verdict", "unscored", "error"]),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullish(),
  decision: z.string(),
  human_label: text,
  thread_id: text,
  language: text,
  decided_at: text,
  trace: partialTraceSchema.nullish(),
  level: levelSchema.nullish(),
  inverse: z.boolean().nullish(),
  level_probs: z.tuple([z.number(), z.number(), z.number()]).nullish(),
  level_map: levelSchema.nullish(),
  lambda_nats: number,
  h_weight_bits: number,
  h_citation_bits: number,
  /** Replaces h_citation_bits in sampling mode: entropy over the citations of the draws, bits per citation. */
  h_citation_sampled_bits: number,
  citation_tokens: z.number().int().nullish(),
  citation_spans: z.array(z.tuple([z.string(), z.number()])).nullish(),
  entropy_support: z.enum(["top_k", "vocab"]).nullish(),
  inverse_log_odds: number,
  inverse_yes_prob: number,
  pds: number,
  p_defensible: number,
  p_calibrated: number,
  calibration_id: text,
  label_mass: z.object({ level: number, weight: number, inverse: number }).nullish(),
  tail_mass: number,
  logprob_space: z.enum(["raw", "tempered", "unknown"]).nullish(),
  /** Sampling mode: how many draws were verdicts; probabilities are their smoothed frequencies. */
  samples: z.number().int().nullish(),
  /** Sampling mode: standard errors by field name; `p_1`, `p_2`, `p_3` for the members of level_probs. */
  se: z.record(z.string(), z.number()).nullish(),
  /** S under each way of treating a label that was not among the candidates, where it matters. */
  sensitivity: z.record(z.string(), z.number().nullable()).nullish(),
  flags: z.array(z.enum(FLAGS)),
  citation: citationSchema.nullish(),
  /** The basis of the opposite decision; only with template `extended`. */
  inverse_citation: citationSchema.nullish(),
  /** What a language model saw of the case, if not all of it. `scrubbed` maps placeholders to their meaning. */
  prompt: promptSchema.nullish(),
  read: readHashesSchema.nullish(),
  usage: usageSchema.nullish(),
  latency_ms: number,
  attempts: z.number().int(),
  created_at: z.string(),
});

export type Audit = z.infer<typeof auditSchema>;
export type Citation = z.infer<typeof citationSchema>;
export type ReadHashes = z.infer<typeof readHashesSchema>;
export type Usage = z.infer<typeof usageSchema>;

/** The unique key of an audit inside its run, as text that sorts like (decision_id, arm, replicate). */
export function auditKey(decisionId: string, arm: string, replicate: number): string {
  return `${decisionId}\u0000${arm}\u0000${String(replicate).padStart(7, "0")}`;
}

/** The key of one draw of an audit in sampling mode, in which several answers make one record. Draw 0 has the audit's own key. */
export function drawKey(key: string, draw: number): string {
  return draw === 0 ? key : `${key}\u0000draw${draw}`;
}
