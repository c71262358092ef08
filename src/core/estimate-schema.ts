import { z } from "zod";
import type { Estimate } from "./estimate.js";

export const clusterIntervalSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  method: z.string(),
  clusters: z.number().int(),
  effective_clusters: z.number().optional(),
  design_effect: z.number().nullable(),
});

const definedEstimateSchema = z.object({
  estimate: z.number(),
  lower: z.number(),
  upper: z.number(),
  level: z.number(),
  method: z.string(),
  k: z.number().optional(),
  n: z.number().int(),
  cluster: clusterIntervalSchema.optional(),
  worst_case: z.object({ lower: z.number(), upper: z.number() }).optional(),
  warnings: z.array(z.string()).optional(),
});

const undefinedEstimateSchema = z.object({
  estimate: z.null(),
  reason: z.string(),
  n: z.number().int(),
  worst_case: z.object({ lower: z.number(), upper: z.number() }).optional(),
});

/**
 * Schema of an Estimate. Apart from its type, as that of the actions is: every formula uses the type, and the validator would cost
 * each command that only computes 60 ms.
 */
export const estimateSchema = z.union([definedEstimateSchema, undefinedEstimateSchema]) satisfies z.ZodType<Estimate>;
