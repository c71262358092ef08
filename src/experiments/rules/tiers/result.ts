import { z } from "zod";
import { estimateSchema } from "../../../core/estimate-schema.js";
import { tierSchema } from "../../../core/records/rule-set.js";
import {
  armCountsSchema,
  armRatesSchema,
  armSourceSchema,
  armStepSchema,
  changesSchema,
  rareRuleSchema,
  ruleReferenceSchema,
} from "../../../core/results/compare.js";
import { experimentSchema } from "../../../core/results/experiment.js";

const count = z.number().int();

/** The part of ambiguity due to missing text, from audits of the same decisions under the coarsest and the finest text. */
export const underspecificationSchema = z.object({
  /** P(open under the coarsest text, not under the finest). */
  gross: estimateSchema,
  /** P(not open under the coarsest, open under the finest). */
  reversals: estimateSchema,
  /** gross − reversals = AI(coarsest) − AI(finest): what the paper prints as AI_C. */
  net: estimateSchema,
  /** AI under the finest text. */
  residual: estimateSchema,
});

/** Decisions by whether the text that the auditor read differs between two tiers. */
const textStepSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Communities whose own rules are word for word the same in both tiers. */
  communities_same: count,
  communities_without_rules: count,
  /** Some rule of the platform or the community differs: these are what the experiment is about. */
  differs: z.object({ n: count, changes: changesSchema }),
  /** A rule of the community's own differs. */
  own_differs: z.object({ n: count, changes: changesSchema }),
  /** Nothing differs: changes are the auditor's own variation. */
  same: z.object({ n: count, changes: changesSchema }),
});

const ruleGainSchema = ruleReferenceSchema.extend({
  /** Decisions that cite it, with a verdict in every arm. */
  n: count,
  /** Share of them whose opposite is also defensible, in the order of the tiers. */
  ambiguity: z.array(estimateSchema),
  /** AI(from) − AI(to) of each step: what the added text settles. */
  gains: z.array(
    z.object({ from: z.string(), to: z.string(), gain: estimateSchema, text_differs: z.boolean().nullable() }),
  ),
  /** AI(coarsest) − AI(finest). */
  gain: estimateSchema,
  /** McNemar's mid-p of the whole gain, also after Holm's correction for the number of rules. */
  mid_p: z.number().nullable(),
  adjusted_p: z.number().nullable(),
});

/** Rules cited by enough decisions, and by too few. */
const ruleGainsSchema = z.object({ rules: z.array(ruleGainSchema), too_few: z.array(rareRuleSchema) });

const tierRatesSchema = armRatesSchema.extend({ tier: tierSchema });

const groupSchema = z.object({
  n: count,
  tiers: z.array(tierRatesSchema),
  /** Each tier to the next, and the coarsest to the finest. */
  steps: z.array(armStepSchema),
  underspecification: underspecificationSchema,
  underspecification_pure: underspecificationSchema,
});

export const tiersSchema = experimentSchema.extend({
  experiment: z.literal("tiers"),
  source: armSourceSchema,
  counts: armCountsSchema,
  ...groupSchema.shape,
  by_decision: z.record(z.string(), groupSchema),
  text: z.union([
    z.object({ known: z.literal(true), steps: z.array(textStepSchema) }),
    z.object({ known: z.literal(false), reason: z.string() }),
  ]),
  rules: z.object({
    /** Fewest decisions for a rule's figures. */
    min_decisions: count,
    /** By the rule cited under the finest text, and under the coarsest; largest gain first. */
    by_finest: ruleGainsSchema,
    by_coarsest: ruleGainsSchema,
  }),
});

export default tiersSchema;

export type Tiers = z.infer<typeof tiersSchema>;
export type TierGroup = z.infer<typeof groupSchema>;
export type RuleGains = z.infer<typeof ruleGainsSchema>;
export type RuleGain = z.infer<typeof ruleGainSchema>;
export type Underspecification = z.infer<typeof underspecificationSchema>;
export type TextStep = z.infer<typeof textStepSchema>;
