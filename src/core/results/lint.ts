import { z } from "zod";

const referenceSchema = z.object({
  scope: z.enum(["platform", "community"]),
  community: z.string().nullable(),
  rule_id: z.string(),
});

/** The result of `defensible rules lint`. */
export const lintSchema = z.looseObject({
  format: z.literal(1),
  /** The run whose citations were counted; null: none. */
  run_id: z.string().nullable(),
  rule_sets: z.number().int(),
  rules: z.number().int(),
  counts: z.object({ error: z.number().int(), warning: z.number().int(), note: z.number().int() }),
  /** How many findings of each check; every check that was made is listed. */
  checks: z.record(z.string(), z.number().int()),
  findings: z.array(
    referenceSchema.extend({
      check: z.string(),
      severity: z.enum(["error", "warning", "note"]),
      version: z.string(),
      part: z.enum(["title", "description", "detail"]).nullable(),
      quote: z.string().nullable(),
      message: z.string(),
      remedy: z.string(),
      other: referenceSchema.optional(),
    }),
  ),
});

export type Lint = z.infer<typeof lintSchema>;
