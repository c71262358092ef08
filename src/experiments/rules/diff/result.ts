import { z } from "zod";
import { estimateSchema } from "../../../core/estimate-schema.js";
import { GATE_MODES, GATE_VARIABLES } from "../../../core/names.js";
import {
  armCountsSchema,
  armRatesSchema,
  armSourceSchema,
  armStepSchema,
  pairedChangeSchema,
  rareRuleSchema,
  ruleReferenceSchema,
} from "../../../core/results/compare.js";
import { experimentSchema } from "../../../core/results/experiment.js";

const count = z.number().int();

/** A run of words that is in both texts, only in the old one, or only in the new one. */
const wordsSchema = z.object({ op: z.enum(["same", "removed", "added"]), text: z.string() });

export type DiffWords = z.infer<typeof wordsSchema>;

export const RULE_FIELDS = ["title", "description", "detail", "kind", "never_automate"] as const;

const fieldChangeSchema = z.object({
  field: z.enum(RULE_FIELDS),
  before: z.string().nullable(),
  after: z.string().nullable(),
  words: z.array(wordsSchema),
});

const ruleChangeSchema = ruleReferenceSchema.extend({
  /** `renumbered`: the same text under another id. */
  change: z.enum(["added", "removed", "reworded", "renumbered"]),
  /** For a renumbered rule. */
  old_rule_id: z.string().optional(),
  /** Whether the auditor reads any of it at the run's tier. */
  shown: z.boolean(),
  fields: z.array(fieldChangeSchema),
});

const precedentChangesSchema = z.object({
  added: count,
  removed: count,
  changed: count,
  /** The first few. */
  ids: z.array(z.object({ id: z.string(), community: z.string(), change: z.enum(["added", "removed", "changed"]) })),
});

const movedSchema = z.object({
  decision_id: z.string(),
  community: z.string(),
  decision: z.string(),
  level_before: count,
  level_after: count,
  inverse_before: z.boolean(),
  inverse_after: z.boolean(),
  /** Rules cited before and after; null: none. */
  cited_before: z.string().nullable(),
  cited_after: z.string().nullable(),
});

/** All are counted, some are listed. */
const movedListSchema = z.object({
  n: count,
  /** Of these, those with a human label, and those on which the person decided the same. Absent in older results. */
  labelled: count.optional(),
  people_same: count.optional(),
  listed: z.array(movedSchema),
});

export type MovedDecisions = z.infer<typeof movedListSchema>;

const ruleEffectSchema = ruleReferenceSchema.extend({
  /** What was done to the rule; null: nothing, or unknown. */
  change: ruleChangeSchema.shape.change.nullable(),
  n: count,
  too_few: z.boolean(),
  new_indefensible: count,
  defensibility: z.object({ before: estimateSchema, after: estimateSchema, difference: estimateSchema }),
  ambiguity: z.object({ before: estimateSchema, after: estimateSchema, difference: estimateSchema }),
});

/** Rules that were changed or that enough decisions cite, and the others. */
const ruleEffectsSchema = z.object({ rules: z.array(ruleEffectSchema), too_few: z.array(rareRuleSchema) });

const communityEffectSchema = z.object({
  community: z.string(),
  n: count,
  new_indefensible: count,
  defensibility: pairedChangeSchema,
  ambiguity: pairedChangeSchema,
});

const effectSchema = z.object({
  source: armSourceSchema,
  counts: armCountsSchema,
  arms: z.array(armRatesSchema),
  step: armStepSchema,
  by_decision: z.record(z.string(), armStepSchema),
  /** In order: defensible before, indefensible after; the reverse; open before, settled after; the reverse. */
  new_indefensible: movedListSchema,
  /** The same if every decision without a verdict that could have become indefensible had. */
  new_indefensible_at_most: count.optional(),
  no_longer_indefensible: movedListSchema,
  settled: movedListSchema,
  opened: movedListSchema,
  /** Could not go either way before, and can after: the gain of AI_pure. */
  opened_pure: movedListSchema,
  /** Settled the other way after (level 3, and the opposite is defensible), and not before. AI counts them, AI_pure does not. */
  overturned: movedListSchema,
  /** Parts of `opened`: can go either way, and settled the other way. Part of `overturned`: open before, so nothing new opened. */
  opened_parts: z.object({ either_way: count, other_way: count, open_before: count }).optional(),
  /** Rules that were added, reworded or renumbered, with the number of decisions that cite them; null: the audits name no rules. */
  changed_rules: z
    .array(
      ruleReferenceSchema.extend({
        change: ruleChangeSchema.shape.change,
        /** null for an added rule. */
        cited_before: count.nullable(),
        cited_after: count,
      }),
    )
    .nullable(),
  communities: z.array(communityEffectSchema),
  rules: z.object({
    min_decisions: count,
    /** By the rule cited before, and by the rule cited after. */
    by_old: ruleEffectsSchema,
    by_new: ruleEffectsSchema,
  }),
});

/** What a gate lets run without review: communities that pass, their decisions, and those among them that no rule supports. */
const gateSideSchema = z.object({ passing: count, decisions: count, indefensible: count });

/** One community as the gate evaluates it on one side. */
const gateCommunitySchema = z.object({
  n: count,
  indefensible: count,
  inverse_yes: count,
  passes: z.record(z.enum(GATE_MODES), z.boolean()),
  /** Further verdicts at these rates until it passes; 0: it passes; null: more data will not help. */
  more_decisions_needed: z.record(z.enum(GATE_MODES), count.nullable()),
});

const gateChangeSchema = z.object({
  mode: z.enum(GATE_MODES),
  thresholds: z.object({ di: z.number(), ai: z.number(), min_decisions: count }),
  variable: z.enum(GATE_VARIABLES),
  /** The run of the communities that are not compared; null: the compared ones are evaluated alone. */
  fleet: z.object({ run_id: z.string() }).nullable(),
  /** Communities evaluated. */
  communities: count,
  decisions: count,
  /** Time between the first and the last of these decisions; null: unknown, or shorter than a week. */
  weeks: z.number().nullable(),
  by_mode: z.record(z.enum(GATE_MODES), z.object({ before: gateSideSchema, after: gateSideSchema })),
  compared: z.array(z.object({ community: z.string(), before: gateCommunitySchema, after: gateCommunitySchema })),
});

export const CHECK_MODES = ["point", "sure", "safe"] as const;
export type CheckMode = (typeof CHECK_MODES)[number];

const checkSchema = z.object({
  name: z.enum(["new_indefensible", "ai_increase", "ai_pure_increase", "di_drop", "left_out"]),
  limit: z.number(),
  /** The value compared with the limit. */
  value: z.number(),
  /**
   * `count` for decisions, `share` for what had to be left out; else the estimate, or the bound of its interval that `mode` asks for.
   * `worst_case`: as if every audit without a verdict had gone the worst way, where that is more.
   */
  by: z.enum(["count", "share", "estimate", "lower", "upper", "worst_case"]),
  holds: z.boolean(),
  text: z.string(),
});

/** The result of `defensible rules diff`. */
export const rulesDiffSchema = experimentSchema.extend({
  experiment: z.literal("diff"),
  what: z.enum(["rules", "precedents", "rules_and_precedents", "precedents_off"]),
  old: z.string(),
  new: z.string(),
  tier: z.string().nullable(),
  /** null: the texts are unknown. */
  changes: z
    .object({
      rules: z.array(ruleChangeSchema),
      /** Owners (null: the platform) of whole rule sets that only one side has. */
      sets: z.object({ added: z.array(z.string().nullable()), removed: z.array(z.string().nullable()) }).optional(),
      precedents: precedentChangesSchema.nullable(),
      /** Communities whose rules or precedents differ; null: all, since the platform's rules differ. */
      communities: z.array(z.string()).nullable(),
    })
    .nullable(),
  /** null: nothing was audited, since the auditor reads nothing that differs, or no past decision is affected. */
  effect: effectSchema.nullable(),
  /** null: there is nothing to compare, or the workspace's gate does not divide by community. Absent in older results. */
  gate: gateChangeSchema.nullable().optional(),
  checks: z.object({ mode: z.enum(CHECK_MODES), results: z.array(checkSchema) }),
});

export default rulesDiffSchema;

export type RulesDiff = z.infer<typeof rulesDiffSchema>;
export type DiffChanges = NonNullable<RulesDiff["changes"]>;
export type DiffEffect = z.infer<typeof effectSchema>;
export type GateChange = z.infer<typeof gateChangeSchema>;
export type GateSide = z.infer<typeof gateSideSchema>;
export type DiffCheck = z.infer<typeof checkSchema>;
export type RuleChange = z.infer<typeof ruleChangeSchema>;
export type RuleEffects = z.infer<typeof ruleEffectsSchema>;
export type RuleEffect = z.infer<typeof ruleEffectSchema>;
export type MovedDecision = z.infer<typeof movedSchema>;
