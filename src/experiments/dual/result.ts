import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { levelSchema } from "../../core/records/level.js";
import { experimentSchema } from "../../core/results/experiment.js";

const count = z.number().int();

/** An answer of the trace, compared with a separate audit. */
const checkSchema = z.object({
  /** Yes and defensible, Yes and not, No and defensible, No and not. */
  counts: z.object({ hits: count, false_alarms: count, missed: count, rejections: count }),
  /** The check's share of Yes among the defensible, and its share of No among the rest. */
  sensitivity: estimateSchema,
  specificity: estimateSchema,
  /** Share of decisions on which the check and the audit agree. */
  agreement: estimateSchema,
});

/** One group of decisions, each audited with its opposite. */
export const dualGroupSchema = z.object({
  /** Decisions with a verdict in both audits. */
  n: count,
  ambiguous: estimateSchema,
  determinate: estimateSchema,
  model_error: estimateSchema,
  void: estimateSchema,
  defensibility_index: estimateSchema,
  opposite_defensibility_index: estimateSchema,
  /** By the inverse check of the decision's own audit; `pure`: among defensible decisions. */
  ambiguity_index: estimateSchema,
  ambiguity_pure: estimateSchema,
  /** The inverse check of the decision's audit against the audit of its opposite; `defensible`: among defensible decisions, where Yes is ambiguous. */
  inverse_check: checkSchema,
  inverse_check_defensible: checkSchema,
  /** The inverse check of the opposite's audit against the audit of the decision. */
  opposite_inverse_check: checkSchema,
});

const dualAuditSchema = z.object({
  action: z.string(),
  level: levelSchema,
  inverse: z.boolean(),
  inverse_yes_prob: z.number().nullable(),
  rule_id: z.string().nullable(),
});

/** A decision on which the inverse check and the audit of the opposite contradict each other. */
export const dualCaseSchema = z.object({
  decision_id: z.string(),
  community: z.string(),
  /** `missed`: the check says No and the opposite is defensible. `false_alarm`: the check says Yes and it is not. */
  kind: z.enum(["missed", "false_alarm"]),
  own: dualAuditSchema,
  opposite: dualAuditSchema,
});

/** `experiments/dual.json`: decisions and their opposites, audited separately. */
export const dualSchema = experimentSchema.extend({
  experiment: z.literal("dual"),
  source: z.looseObject({ name: z.string(), run_id: z.string().nullable(), auditor: z.string().nullable() }),
  actions: z.object({ positive: z.string(), negative: z.string() }),
  counts: z.object({
    /** Decisions with an audit of either kind. */
    decisions: count,
    /** With a verdict in both audits. Everything here is about these. */
    paired: count,
    without_verdict: count,
    /** With only one of the two audits. */
    single: count,
    /** Both audits name the same action, so there is no dual audit. */
    same_action: count,
  }),
  all: dualGroupSchema,
  by_action: z.object({ positive: dualGroupSchema, negative: dualGroupSchema }),
  /** By the human label; null: no decision has one. */
  by_human: z.object({ agreed: dualGroupSchema, overruled: dualGroupSchema }).nullable(),
  /** How well the probability of Yes in the inverse check separates defensible opposites from others. */
  inverse_auroc: estimateSchema,
  /** Auditor that seems to justify whatever it is shown. */
  justification_prone: z.boolean(),
  /** AI_pure of another run, corrected by this dual audit of a random part of its decisions; only if asked for. */
  corrected: z
    .object({
      run_id: z.string(),
      /** Decisions of that run with a dual audit. */
      labels: count,
      audited: estimateSchema,
      prediction_powered: estimateSchema,
      rogan_gladen: estimateSchema,
      sensitivity: estimateSchema,
      specificity: estimateSchema,
      warnings: z.array(z.string()),
    })
    .optional(),
  contradictions: z.object({ missed: count, false_alarms: count, cases: z.array(dualCaseSchema) }),
});

export default dualSchema;

export type Dual = z.infer<typeof dualSchema>;
export type DualGroup = z.infer<typeof dualGroupSchema>;
export type DualCase = z.infer<typeof dualCaseSchema>;
export type CheckAccuracy = z.infer<typeof checkSchema>;
