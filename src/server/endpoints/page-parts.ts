import { z } from "zod";
import { auditSchema, citationSchema } from "../../core/records/audit.js";
import { levelSchema } from "../../core/records/level.js";
import { ruleSchema } from "../../core/records/rule-set.js";
import {
  CHANGED_PARTS,
  CITED_BY,
  LOOK_REASONS,
  type PageDecision,
  type ReportPage,
} from "../../measures/report-page.js";

/** Parts of a report as its views draw them: `PageDecision` and what it contains. A test checks the service's answers against them. */

const text = z.string().nullable();
const count = z.number().int();

export const pageTextSchema = z.object({
  text: text.describe("null where it is not shown; shorter than `length` where it was cut."),
  length: count,
  hash: z.string().optional(),
});

const { shape } = auditSchema;

export const pageAuditSchema = z.object({
  outcome: shape.outcome,
  decision: shape.decision,
  tier: shape.tier,
  temperature: shape.temperature.optional(),
  signal: shape.signal.optional(),
  ruleset_version: shape.ruleset_version,
  level: shape.level,
  inverse: shape.inverse,
  level_probs: shape.level_probs,
  level_map: shape.level_map,
  lambda_nats: shape.lambda_nats,
  h_weight_bits: shape.h_weight_bits,
  h_citation_bits: shape.h_citation_bits,
  h_citation_sampled_bits: shape.h_citation_sampled_bits,
  citation_tokens: shape.citation_tokens,
  inverse_log_odds: shape.inverse_log_odds,
  inverse_yes_prob: shape.inverse_yes_prob,
  pds: shape.pds,
  p_defensible: shape.p_defensible,
  p_calibrated: shape.p_calibrated,
  tail_mass: shape.tail_mass,
  samples: shape.samples,
  flags: shape.flags,
  logic_chain: pageTextSchema.nullable(),
  policy_citation: pageTextSchema.nullable(),
  precedent_weight: text,
  inverse_citation_text: pageTextSchema.nullable(),
  level3_reason: text,
  citation: citationSchema.nullable(),
  inverse_citation: citationSchema.nullable(),
  spans: z.array(z.tuple([text, z.number()])).describe("Tokens of the citation with their entropy in bits."),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

export const pageDecisionSchema = z.object({
  id: z.string(),
  community: z.string(),
  decision: z.string(),
  human_label: text,
  decided_at: text,
  decider: z.object({ kind: text, id: text, confidence: z.number().nullable() }).nullable(),
  title: pageTextSchema.nullable(),
  body: pageTextSchema.nullable(),
  context: z.array(pageTextSchema),
  context_of: count.describe("Parts of the context there are; `context` may hold fewer."),
  url: pageTextSchema.nullable(),
  kind: text,
  language: text,
  media: count,
  rationale: pageTextSchema.nullable(),
  cited_rule: text,
  appeal: z.object({ outcome: text, text: pageTextSchema.nullable() }).nullable(),
  gold: z
    .object({
      level: levelSchema,
      inverse: z.boolean(),
      rule_ids: z.array(z.string()),
      note: pageTextSchema.nullable(),
    })
    .nullable()
    .describe("For admins alone."),
  labels: z.array(z.object({ level: levelSchema, inverse: z.boolean().nullable(), rater: text, source: z.string() })),
  reasons: z.array(z.enum(LOOK_REASONS)).describe("To review it; the first is the main one."),
  precedents: z.object({
    shown: count.nullable(),
    left_out: count,
    gone: count,
    places: z.array(count).describe("In `precedents` of the answer."),
    cited: z.array(z.object({ id: z.string(), place: count.nullable(), by: z.array(z.enum(CITED_BY)) })),
  }),
  audit: pageAuditSchema,
  human_audit: pageAuditSchema.nullable().describe("Of the moderator's decision, where it was another."),
  opposite_audit: pageAuditSchema.nullable(),
}) as unknown as z.ZodType<PageDecision>;

export const pageRuleSetSchema = z.object({
  scope: z.enum(["platform", "community"]),
  community: text,
  version: z.string(),
  effective_from: text,
  rules: z.array(
    z.object({
      id: ruleSchema.shape.id,
      title: ruleSchema.shape.title,
      description: ruleSchema.shape.description,
      detail: ruleSchema.shape.detail,
      kind: ruleSchema.shape.kind,
      never_automate: ruleSchema.shape.never_automate,
    }),
  ),
});

export const pagePrecedentSchema = z.object({
  id: z.string(),
  community: z.string(),
  decision: z.string(),
  rule_id: text,
  decided_at: text,
  text: pageTextSchema,
  rationale: pageTextSchema.nullable(),
});

/** The inputs of the gate and of pictures have the form that `web/` needs. */
export const reportPageSchema = z
  .looseObject({
    format: z.literal(1),
    made_by: z.string(),
    redacted: z.boolean(),
    platform: text,
    report: z.looseObject({}).describe("What `report --json` writes: `defensible schema report` has its fields."),
    rule_sets: z.array(pageRuleSetSchema),
    precedents: z.array(pagePrecedentSchema),
    changed_since_run: z.array(z.enum(CHANGED_PARTS)).nullable(),
    decisions: z.array(pageDecisionSchema),
    decisions_of: count.nullable(),
    notes: z.array(z.string()),
  })
  .describe(
    "As the report's views draw it; fields that are not listed may change with any version.",
  ) as unknown as z.ZodType<ReportPage>;
