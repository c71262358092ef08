import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { experimentSchema } from "../../core/results/experiment.js";
import { agreementSchema, countsSchema, gapSchema, rootCausesSchema, trapSchema } from "../../core/results/report.js";

/** How much of the gap to F1 is due to the rarity of the positive action. */
const imbalanceSchema = z.object({
  /** Shares of labelled verdicts that people, and the decider, restrict. */
  human_positive: estimateSchema,
  decided_positive: estimateSchema,
  /** F1 of a decider that agrees with people, on both actions alike, as often as decisions are defensible; null: undefined. */
  f1_at_di: z.number().nullable(),
  /** F1 of this decider's own error rates if both actions were equally frequent. */
  f1_if_balanced: z.number().nullable(),
  /** DI − f1_at_di: the part that is arithmetic and exists at any agreement. */
  arithmetic: estimateSchema,
  /** f1_at_di − F1: the part that disagreement adds. */
  disagreement: estimateSchema,
  /** The gap exists and the first part is at least half of it. */
  explains: z.boolean(),
});

/** The same measures by the true answers, and the auditor's causes against the true ones. */
const gapTruthSchema = z.object({
  source: z.enum(["simulation", "gold"]),
  /** Texts that the audits were made under and that the truth refers to; absent in older results, empty for gold. */
  under: z.array(z.string()).optional(),
  /** Verdicts with a known truth. Everything here is about these. */
  n: z.number().int(),
  /** Verdicts without a known truth. */
  without_truth: z.number().int().optional(),
  /** The auditor's measures over the same verdicts; those of the column are over all verdicts. */
  measured: z
    .object({
      defensibility_index: estimateSchema,
      ambiguity_index: estimateSchema,
      ambiguity_pure: estimateSchema,
      gap: gapSchema,
      trap: trapSchema,
    })
    .optional(),
  defensibility_index: estimateSchema,
  ambiguity_index: estimateSchema,
  ambiguity_pure: estimateSchema,
  gap: gapSchema,
  trap: trapSchema,
  /** Labelled disagreements: `counts[i][j]` have audited cause i and true cause j. */
  causes: z.object({
    audited: z.array(z.string()),
    true: z.array(z.string()),
    counts: z.array(z.array(z.number().int())),
    /** Share of disagreements whose cause is named correctly. */
    accuracy: estimateSchema,
    kappa: estimateSchema,
  }),
});

export const gapColumnSchema = z.object({
  name: z.string(),
  run_id: z.string().nullable(),
  auditor: z.string().nullable(),
  cohort: z.string().nullable(),
  communities: z.number().int(),
  counts: countsSchema,
  defensibility_index: estimateSchema,
  ambiguity_index: estimateSchema,
  ambiguity_pure: estimateSchema,
  agreement: agreementSchema,
  gap: gapSchema,
  trap: trapSchema,
  /** Defensible share of false negatives minus that of all other decisions; absent in older results. */
  fn_against_others: estimateSchema.optional(),
  root_causes: rootCausesSchema,
  imbalance: imbalanceSchema,
  truth: gapTruthSchema.nullable(),
});

/** The result of `defensible experiment gap`. */
export const gapExperimentSchema = experimentSchema.extend({
  experiment: z.literal("gap"),
  columns: z.array(gapColumnSchema),
});

export default gapExperimentSchema;

export type GapExperiment = z.infer<typeof gapExperimentSchema>;
export type GapColumn = z.infer<typeof gapColumnSchema>;
export type GapImbalance = z.infer<typeof imbalanceSchema>;
export type GapTruth = z.infer<typeof gapTruthSchema>;
