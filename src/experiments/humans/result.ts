import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { labelSampleSchema } from "../../core/records/label.js";
import { levelSchema } from "../../core/records/level.js";
import { manifestSchema } from "../../core/records/manifest.js";
import { experimentSchema } from "../../core/results/experiment.js";

/** `key.json` of a rating sheet: which decision each case is. Whoever runs the study keeps it; raters must not see it. */
export const ratingKeySchema = z.looseObject({
  format: z.literal(1),
  sheet_id: z.string(),
  run_id: z.string(),
  seed: z.number().int(),
  created_at: z.string(),
  /** How cases were drawn: in equal numbers from each stratum, or from all verdicts at once. Absent in older keys: a sheet. */
  drawn: z.enum(["sheet", "random"]).optional(),
  /** Verdicts of the run that cases were drawn from. */
  population: z.number().int(),
  strata: z.array(
    z.object({ level: levelSchema, inverse: z.boolean(), population: z.number().int(), cases: z.number().int() }),
  ),
  cases: z.array(
    z.object({
      case: z.string(),
      decision_id: z.string(),
      stratum: z.string(),
      /** How many decisions of the run each case represents. */
      weight: z.number(),
      /** What raters were shown of it, to detect rows of another sheet: the action, and a hash of the content's letters. */
      decision: z.string().optional(),
      content_mark: z.string().optional(),
    }),
  ),
});

const correlationSchema = z.looseObject({
  signal: z.string(),
  /** Over the run that the cases were drawn from, each weighted by how many decisions it represents; null or absent: they were not drawn from it. */
  of_run: estimateSchema.nullish(),
  /** Over cases, with Bonett and Wright's interval. */
  spearman: z.intersection(estimateSchema, z.looseObject({ p_value: z.number().nullable() })),
  /** Cases and raters drawn with replacement; null with fewer than two of either. */
  two_way: z.looseObject({ lower: z.number(), upper: z.number() }).nullable(),
  /** Divided by the square root of the reliability of the mean rating; null if that is unknown. */
  disattenuated: z.number().nullable(),
});

/** The result of `defensible humans report`. */
export const humansSchema = experimentSchema.extend({
  experiment: z.literal("humans"),
  /** The auditor of the run; null or absent: unknown. */
  auditor: z.string().nullable().optional(),
  /** Weights of S in the run. Absent: unknown. */
  weights: manifestSchema.shape.weights.optional(),
  counts: z.looseObject({
    cases: z.number().int(),
    raters: z.number().int(),
    ratings: z.number().int(),
    ratings_per_case: z.object({ least: z.number(), median: z.number(), most: z.number() }).nullable(),
    without_verdict: z.number().int(),
    anonymous: z.number().int(),
  }),
  reliability: z.looseObject({
    krippendorff_level: estimateSchema,
    krippendorff_inverse: estimateSchema,
    icc_single: estimateSchema,
    icc_average: estimateSchema,
    raters_per_case: z.number().nullable(),
  }),
  /** How the cases were drawn from the run; null: they are not a drawn sample of it. Absent in older results. */
  drawn: z.enum(["sheet", "random"]).nullish(),
  /** The raters' labels behind the numbers of the run, and their weighting. Absent in older results. */
  sample: labelSampleSchema.nullish(),
  correlations: z.array(correlationSchema),
  agreement: z.looseObject({
    level: estimateSchema,
    defensible: estimateSchema,
    inverse: estimateSchema,
    kappa_level: estimateSchema,
    /** Shares of the run that the sheet was drawn from, each case weighted by how many decisions it represents. */
    weighted: z
      .looseObject({ defensible: estimateSchema, level: estimateSchema.optional(), inverse: estimateSchema.optional() })
      .nullable(),
  }),
  indices: z.looseObject({
    defensible_by_raters: estimateSchema,
    defensible_by_auditor: estimateSchema,
    inverse_by_raters: estimateSchema,
    inverse_by_auditor: estimateSchema,
  }),
  /** The raters' rates over the whole run; null or absent: the cases were not drawn from it. */
  indices_of_run: z.looseObject({ defensible_by_raters: estimateSchema, inverse_by_raters: estimateSchema }).nullish(),
  power: z.looseObject({
    cases: z.number().int(),
    /** Smallest correlation that this many cases detect with a power of 0.8 at 5%. */
    detectable: z.number().nullable(),
    needed_for_0_3: z.number().nullable(),
  }),
});

export default humansSchema;

export type RatingKey = z.infer<typeof ratingKeySchema>;
export type Humans = z.infer<typeof humansSchema>;
