import { z } from "zod";

/** The same quantity with rows of one community (or thread) treated as dependent. */
export const clusterIntervalSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  method: z.string(),
  clusters: z.number().int(),
  /** Number of clusters of equal size with the same information: 1/Σ(share of rows)². Absent if the interval does not use it. */
  effective_clusters: z.number().optional(),
  /** Variance relative to independent rows; null if it cannot be estimated. */
  design_effect: z.number().nullable(),
});

export const definedEstimateSchema = z.object({
  estimate: z.number(),
  lower: z.number(),
  upper: z.number(),
  /** Confidence level of the two-sided interval. */
  level: z.number(),
  method: z.string(),
  /** Successes, if the estimate is k of n. */
  k: z.number().optional(),
  n: z.number().int(),
  cluster: clusterIntervalSchema.optional(),
  /** The rate if every row without a verdict had counted against it, or for it. */
  worst_case: z.object({ lower: z.number(), upper: z.number() }).optional(),
  warnings: z.array(z.string()).optional(),
});

export const undefinedEstimateSchema = z.object({
  estimate: z.null(),
  reason: z.string(),
  n: z.number().int(),
  /** Bounds that still hold if a part of the population was not examined. */
  worst_case: z.object({ lower: z.number(), upper: z.number() }).optional(),
});

/** Schema of an Estimate, apart from its type: every formula uses the type, and the validator would cost commands that only compute 60 ms. */
export const estimateSchema = z.union([definedEstimateSchema, undefinedEstimateSchema]);
