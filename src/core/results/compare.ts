import { z } from "zod";
import { estimateSchema } from "../estimate-schema.js";

const count = z.number().int();

export const mcnemarSchema = z.object({
  exact_p: z.number().nullable(),
  mid_p: z.number().nullable(),
  /** Decisions on which the two sides differ. */
  n: count,
  reason: z.string().optional(),
});

/** An index on the same decisions under two conditions, and its change b − a. */
export const pairedChangeSchema = z.object({
  a: estimateSchema,
  b: estimateSchema,
  /** Decisions that count in only one of the two. */
  only_a: count,
  only_b: count,
  /** b − a with Tango's interval; `cluster` is a t interval over communities or threads. */
  difference: estimateSchema,
  mcnemar: mcnemarSchema,
});

export type PairedChange = z.infer<typeof pairedChangeSchema>;

/** The four measures followed from one arm to the next. */
export const changesSchema = z.object({
  defensibility_index: pairedChangeSchema,
  ambiguity_index: pairedChangeSchema,
  ambiguity_pure: pairedChangeSchema,
  /** Share of decisions at level 1, and at level 3. */
  level_1: pairedChangeSchema,
  level_3: pairedChangeSchema,
});

export type Changes = z.infer<typeof changesSchema>;

/** Transitions between levels: rows are levels before, columns levels after. */
export const transitionsSchema = z.object({
  n: count,
  table: z.array(z.array(count)),
  /** Rows: whether the opposite was defensible before; columns: after. Yes first. */
  inverse: z.array(z.array(count)),
  /** Decisions whose level changed, became more severe, became less severe. */
  changed: estimateSchema,
  more_severe: count,
  less_severe: count,
  /** Level 2 before, level 1 after: a plausible decision became a plain one. `of_level_2` is relative to the decisions at level 2 before. */
  l2_to_l1: z.object({ n: count, of_all: estimateSchema, of_level_2: estimateSchema }),
  l1_to_l2: z.object({ n: count, of_all: estimateSchema, of_level_1: estimateSchema }),
});

export type Transitions = z.infer<typeof transitionsSchema>;

/** The effect of one step from one arm to another. */
export const armStepSchema = z.object({
  from: z.string(),
  to: z.string(),
  changes: changesSchema,
  transitions: transitionsSchema,
});

export type ArmStep = z.infer<typeof armStepSchema>;

/** How many decisions of an arm have a verdict, and why the others do not. */
export const armCoverageSchema = z.object({
  arm: z.string(),
  verdicts: count,
  unscored: count,
  errors: count,
  /** Not audited because no rule was in effect in this arm. */
  no_rules: count.default(0),
  absent: count,
});

/** What was compared, and what was excluded. */
export const armCountsSchema = z.object({
  /** Decisions with an audit in any of the arms. */
  decisions: count,
  /** Decisions with a verdict in every arm: the pairs. */
  paired: count,
  communities: count,
  /** The units that intervals treat as independent, and their number. */
  clusters: z.object({ unit: z.enum(["community", "thread", "decision"]), n: count }),
  arms: z.array(armCoverageSchema),
  /** Decisions on which the arms name different actions; these are excluded. */
  different_action: count,
  /** Decisions for which an arm shows no rule; these are excluded, from bounds too. */
  no_rules: count.default(0),
});

export type ArmCounts = z.infer<typeof armCountsSchema>;

/** The indices of one arm over the compared decisions. */
export const armRatesSchema = z.object({
  arm: z.string(),
  defensibility_index: estimateSchema,
  ambiguity_index: estimateSchema,
  ambiguity_pure: estimateSchema,
  levels: z.object({ "1": estimateSchema, "2": estimateSchema, "3": estimateSchema }),
  /** Decisions at level 3. */
  indefensible: count,
});

export type ArmRates = z.infer<typeof armRatesSchema>;

/** Which audits a result was computed from. */
export const armSourceSchema = z.looseObject({
  name: z.string(),
  run_id: z.string().nullable(),
  auditor: z.string().nullable(),
  /** Above 0 an auditor may answer the same question differently. */
  temperature: z.number().nullable(),
});

export type ArmSource = z.infer<typeof armSourceSchema>;

/** A rule; ids are unique only within a scope and community. */
export const ruleReferenceSchema = z.object({
  scope: z.string(),
  /** null: the platform's. */
  community: z.string().nullable(),
  rule_id: z.string(),
  /** null if the rule is unknown here. */
  title: z.string().nullable(),
});

export type RuleReference = z.infer<typeof ruleReferenceSchema>;

/** A rule cited by too few decisions for any rate. */
export const rareRuleSchema = ruleReferenceSchema.extend({ n: count });

export type RareRule = z.infer<typeof rareRuleSchema>;

const setting = z.union([z.string(), z.number()]).nullable();

/** A run, or a file of audits; `run_id` is null for a file. */
const sideSchema = z.looseObject({ name: z.string(), run_id: z.string().nullable() });

const bootstrapSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  level: z.number(),
  method: z.enum(["percentile", "bca"]),
  draws: count,
  undefined_draws: count,
  warnings: z.array(z.string()),
});

/** One index in both runs, on the decisions they share. */
const pairedIndexSchema = z.object({
  a: estimateSchema,
  b: estimateSchema,
  /** Decisions that count towards the index in only one run. */
  only_a: count,
  only_b: count,
  /** B − A with Tango's interval; its `cluster` is a t interval over communities, absent with a warning if all changed alike. */
  difference: estimateSchema,
  /** Bootstrap over communities; null with fewer than two, or if all changed alike. */
  bootstrap: bootstrapSchema.nullable(),
  mcnemar: mcnemarSchema,
});

const communityIndexSchema = z.object({
  a: z.number(),
  b: z.number(),
  only_a: count,
  only_b: count,
  difference: z.number(),
  lower: z.number(),
  upper: z.number(),
  /** McNemar's mid-p; null if nothing changed. */
  mid_p: z.number().nullable(),
  /** The same after Holm's correction for the number of communities. */
  adjusted_p: z.number().nullable(),
});

/** The result of `defensible report compare`. */
export const compareSchema = z.looseObject({
  format: z.literal(1),
  a: sideSchema,
  b: sideSchema,
  /** Settings in which the two differ. */
  differs: z.array(z.object({ setting: z.string(), a: setting, b: setting })),
  counts: z.object({
    attempted_a: count,
    attempted_b: count,
    only_a: count,
    only_b: count,
    shared: count,
    without_verdict: count,
    different_action: count,
    different_community: count,
    compared: count,
  }),
  /** Rows are levels in A, columns levels in B. */
  transitions: z.array(z.array(count)),
  changed: estimateSchema,
  more_severe: count,
  less_severe: count,
  /** Rows are A's inverse check, columns B's; Yes first. */
  inverse_transitions: z.array(z.array(count)),
  defensibility_index: pairedIndexSchema,
  ambiguity_index: pairedIndexSchema,
  ambiguity_pure: pairedIndexSchema,
  communities: z.array(
    z.object({
      community: z.string(),
      n: count,
      changed: count,
      defensibility_index: communityIndexSchema,
      ambiguity_index: communityIndexSchema,
      ambiguity_pure: communityIndexSchema,
    }),
  ),
  bootstrap: z.object({ seed: count, draws: count }),
});

export type Compare = z.infer<typeof compareSchema>;
export type ComparedIndex = z.infer<typeof pairedIndexSchema>;
export type ComparedCommunity = Compare["communities"][number];
export type CompareSide = z.infer<typeof sideSchema>;
