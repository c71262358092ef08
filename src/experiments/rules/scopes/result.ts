import { z } from "zod";
import { estimateSchema } from "../../../core/estimate-schema.js";
import {
  armCountsSchema,
  armRatesSchema,
  armSourceSchema,
  armStepSchema,
  rareRuleSchema,
  ruleReferenceSchema,
} from "../../../core/results/compare.js";
import { experimentSchema } from "../../../core/results/experiment.js";

const count = z.number().int();

/** What a decision's property under both scopes depends on, by what happens under each scope alone. */
export const ABLATION_CLASSES = ["platform", "community", "either", "together"] as const;
export type AblationClass = (typeof ABLATION_CLASSES)[number];

/** A property of decisions under all rules, split by whether it also holds under the platform's rules alone and the community's alone. */
export const ablationSchema = z.object({
  /** The share under both scopes: the sum of the four classes. */
  both: estimateSchema,
  classes: z.object({
    /** Also under the platform's rules alone, but not under the community's alone. */
    platform: estimateSchema,
    community: estimateSchema,
    /** Also under each alone. */
    either: estimateSchema,
    /** Under neither alone: only where the two meet. */
    together: estimateSchema,
  }),
  /** Under the platform's rules alone but not together with the community's, and vice versa. */
  ended_by_community: estimateSchema,
  ended_by_platform: estimateSchema,
  /** All eight combinations. */
  patterns: z.array(z.object({ both: z.boolean(), platform: z.boolean(), community: z.boolean(), n: count })),
});

export type Ablation = z.infer<typeof ablationSchema>;

const groupSchema = z.object({
  n: count,
  defensibility: ablationSchema,
  ambiguity: ablationSchema,
  ambiguity_pure: ablationSchema,
});

/** Attribution by citation, and its agreement with what the ablation measures. */
const agreementSchema = z.object({
  /** Ambiguous decisions: rows are the measured classes, columns the scopes to which citations attribute the ambiguity. */
  table: z.array(
    z.object({
      class: z.enum(ABLATION_CLASSES),
      platform: count,
      community: count,
      mixed: count,
      none: count,
      unknown: count,
    }),
  ),
  /** Share of decisions that are ambiguous and cite rules of the scope. */
  attributed: z.object({
    platform: estimateSchema,
    community: estimateSchema,
    mixed: estimateSchema,
    none: estimateSchema,
  }),
  /** Among decisions that both methods attribute to the platform or the community: the share with the same attribution. */
  agree: estimateSchema,
  /** Cohen's κ of the same decisions. */
  kappa: estimateSchema,
});

const scopeRuleSchema = ruleReferenceSchema.extend({
  /** Decisions that cite it under both scopes, with a verdict in every arm. */
  n: count,
  ambiguity: estimateSchema,
  /** Ambiguous decisions by class. */
  classes: z.object({ platform: count, community: count, either: count, together: count }),
});

export const scopesSchema = experimentSchema.extend({
  experiment: z.literal("scopes"),
  source: armSourceSchema,
  counts: armCountsSchema,
  /** Under all rules, under the platform's alone, under the community's alone. */
  arms: z.array(armRatesSchema),
  /** From one scope alone to both: what the other scope's rules add. */
  steps: z.array(armStepSchema),
  ...groupSchema.shape,
  /** The same for decisions where both scopes have rules; null: the audits do not say which rules applied. */
  with_both: groupSchema.extend({ without_community_rules: count, without_platform_rules: count }).nullable(),
  by_decision: z.record(z.string(), groupSchema),
  agreement: agreementSchema,
  rules: z.object({ min_decisions: count, cited: z.array(scopeRuleSchema), too_few: z.array(rareRuleSchema) }),
});

export default scopesSchema;

export type Scopes = z.infer<typeof scopesSchema>;
export type ScopeGroup = z.infer<typeof groupSchema>;
export type ScopeAgreement = z.infer<typeof agreementSchema>;
export type ScopeRule = z.infer<typeof scopeRuleSchema>;
