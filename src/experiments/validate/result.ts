import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { experimentSchema } from "../../core/results/experiment.js";

const number = z.number().nullable();
const count = z.number().int();

/** The quantities whose truth a simulated world knows. */
export const VALIDATED = [
  "defensibility_index",
  "ambiguity_index",
  "ambiguity_pure",
  "ambiguity_platform",
  "ambiguity_community",
] as const;

const gateModeSchema = z.looseObject({
  promise: z.string(),
  /** Worlds in which at least one community passed that should not have. */
  worlds_with_false_opening: estimateSchema,
  /** Among the communities that passed: those that should not have. */
  false_openings: estimateSchema,
  /** Among the communities that should pass: those that did. */
  recall: estimateSchema,
});

const scoreSchema = z.looseObject({
  score: z.string(),
  auroc: estimateSchema,
  ece: number,
  /** The 95% point of the calibration error of a perfectly calibrated score. */
  ece_null_95: number,
  log_loss: number,
  /** Share of indefensible decisions found when 5% of the defensible are flagged. */
  detected_at_5: estimateSchema,
});

/** The results of one condition over many worlds. */
const conditionSchema = z.looseObject({
  name: z.string(),
  bias: z.number(),
  noise: z.number(),
  same_family: z.boolean(),
  estimators: z.array(
    z.looseObject({
      quantity: z.enum(VALIDATED),
      /** Mean truth of the worlds, and mean of the measured values. */
      truth: number,
      measured: number,
      /** Measured − truth of the same world: its mean, with interval, and its root mean square. */
      error: estimateSchema,
      rmse: number,
      /**
       * Share of worlds whose interval covers. `independent` (rows): the long-run rate of the world's own communities; `clustered`
       * (communities): the rate of the process that draws communities.
       */
      coverage: z.object({ independent: estimateSchema, clustered: estimateSchema }),
    }),
  ),
  corrected: z.looseObject({ labels: count, error: estimateSchema, coverage: estimateSchema }).nullable(),
  gate: z.record(z.string(), gateModeSchema),
});

export const validateSchema = experimentSchema.extend({
  experiment: z.literal("validate"),
  worlds: z
    .looseObject({
      count,
      communities: count,
      decisions: count,
      /** Mean share of a world's decisions in its largest community. */
      largest_community: z.number(),
      conditions: z.array(conditionSchema),
      scores: z.array(scoreSchema),
      fitted_on: count,
      evaluated_on: count,
    })
    .nullable(),
  run: z
    .looseObject({
      run_id: z.string(),
      auditor: z.string(),
      matched: count,
      without_truth: count,
      /** Tiers of the rules that the audits were made under: each audit is compared with the truth under its own tier. */
      tiers: z.array(z.string()).optional(),
      quantities: z.array(
        z.looseObject({
          quantity: z.enum(VALIDATED),
          truth: number,
          measured: estimateSchema,
          error: number,
          covered: z.boolean().nullable(),
          covered_clustered: z.boolean().nullable(),
        }),
      ),
      /** Rows: true level; columns: audited level. */
      levels: z.array(z.array(count)),
      same_level: estimateSchema,
      inverse: z.looseObject({ sensitivity: estimateSchema, specificity: estimateSchema }),
      same_family: z.looseObject({ own: estimateSchema, others: estimateSchema }).nullable(),
      gate: z.record(
        z.string(),
        z.looseObject({ passing: count, false_openings: estimateSchema, recall: estimateSchema }),
      ),
      scores: z.array(scoreSchema),
    })
    .nullable(),
});

export default validateSchema;

export type Validate = z.infer<typeof validateSchema>;
export type ValidatedQuantity = (typeof VALIDATED)[number];
