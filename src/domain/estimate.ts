import { z } from "zod";

/** The same quantity with rows of one community (or thread) treated as dependent. */
export const clusterIntervalSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  method: z.string(),
  clusters: z.number().int(),
  /** Variance relative to independent rows; null where it cannot be estimated. */
  design_effect: z.number().nullable(),
});

export const definedEstimateSchema = z.object({
  estimate: z.number(),
  lower: z.number(),
  upper: z.number(),
  /** Confidence level of the two-sided interval. */
  level: z.number(),
  method: z.string(),
  /** Successes, where the estimate is k of n. */
  k: z.number().optional(),
  n: z.number().int(),
  cluster: clusterIntervalSchema.optional(),
  /** What the rate would be if every row without a verdict had counted against it, or for it. */
  worst_case: z.object({ lower: z.number(), upper: z.number() }).optional(),
  warnings: z.array(z.string()).optional(),
});

export const undefinedEstimateSchema = z.object({
  estimate: z.null(),
  reason: z.string(),
  n: z.number().int(),
});

/** A number with its denominator and interval, or *undefined* with the reason. Never NaN, never a polite zero. */
export const estimateSchema = z.union([definedEstimateSchema, undefinedEstimateSchema]);

export type ClusterInterval = z.infer<typeof clusterIntervalSchema>;
export type DefinedEstimate = z.infer<typeof definedEstimateSchema>;
export type UndefinedEstimate = z.infer<typeof undefinedEstimateSchema>;
export type Estimate = z.infer<typeof estimateSchema>;

/** Confidence level of every interval unless a caller says otherwise. */
export const CONFIDENCE_LEVEL = 0.95;

export function undefinedEstimate(reason: string, n = 0): UndefinedEstimate {
  return { estimate: null, reason, n };
}
