import { z } from "zod";
import { levelSchema } from "./level.js";

export const PRECEDENT_WEIGHTS = ["High", "Medium", "Low"] as const;
export const LEVEL3_REASONS = ["no_rule", "complies_with_cited_rule", "concept_absent"] as const;
export const TEMPLATES = ["paper", "guided", "extended"] as const;

export const traceSchema = z.object({
  logic_chain: z.string(),
  policy_citation: z.string(),
  precedent_weight: z.enum(PRECEDENT_WEIGHTS),
  inverse_check: z.enum(["Yes", "No"]),
  inverse_citation: z.string().nullish(),
  defensibility_level: levelSchema,
  level3_reason: z.enum(LEVEL3_REASONS).nullish(),
});

/** A trace as far as it could be read: what was absent or malformed is null. */
export const partialTraceSchema = z.object({
  logic_chain: traceSchema.shape.logic_chain.nullish(),
  policy_citation: traceSchema.shape.policy_citation.nullish(),
  precedent_weight: traceSchema.shape.precedent_weight.nullish(),
  inverse_check: traceSchema.shape.inverse_check.nullish(),
  inverse_citation: traceSchema.shape.inverse_citation,
  defensibility_level: traceSchema.shape.defensibility_level.nullish(),
  level3_reason: traceSchema.shape.level3_reason,
});

export type Trace = z.infer<typeof traceSchema>;
export type Template = (typeof TEMPLATES)[number];

/** Template of a new workspace. One whose settings name no template has `paper`, as it always had. */
export const NEW_TEMPLATE: Template = "guided";

/** A trace as far as it could be read: what was absent or malformed is null. */
export type PartialTrace = { [K in keyof Trace]: Trace[K] | null };

/** A trace of which nothing could be read. */
export function emptyTrace(): PartialTrace {
  return {
    logic_chain: null,
    policy_citation: null,
    precedent_weight: null,
    inverse_check: null,
    inverse_citation: null,
    defensibility_level: null,
    level3_reason: null,
  };
}
