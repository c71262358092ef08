import type { z } from "zod";
import type { clusterIntervalSchema, definedEstimateSchema, undefinedEstimateSchema } from "./estimate-schema.js";

/** The same quantity with rows of one community (or thread) treated as dependent. */
export type ClusterInterval = z.infer<typeof clusterIntervalSchema>;
export type DefinedEstimate = z.infer<typeof definedEstimateSchema>;
export type UndefinedEstimate = z.infer<typeof undefinedEstimateSchema>;
/** A number with its denominator and interval, or *undefined* with the reason. Never NaN, and never 0 in place of an unknown value. */
export type Estimate = DefinedEstimate | UndefinedEstimate;

/** Default confidence level of every interval. */
export const CONFIDENCE_LEVEL = 0.95;

/** Successes of a rate; 0 if it is undefined. */
export function countOf(estimate: Estimate): number {
  return estimate.estimate === null ? 0 : (estimate.k ?? 0);
}

export function undefinedEstimate(reason: string, n = 0): UndefinedEstimate {
  return { estimate: null, reason, n };
}
