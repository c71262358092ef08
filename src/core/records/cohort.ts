import { z } from "zod";

/** How a cohort was chosen; enough to choose it again from the same decisions. */
export const cohortSelectionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("random"), size: z.number().int().min(1), seed: z.number().int() }),
  z.object({ kind: z.literal("balanced"), size: z.number().int().min(1), seed: z.number().int() }),
  z.object({ kind: z.literal("filter"), filters: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal("file"), file: z.string() }),
]);

/** A named, recorded selection of decisions, as the paper's Random and Balanced Samples are. */
export const cohortSchema = z.looseObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "use lower-case letters, digits, - and _"),
  selection: cohortSelectionSchema,
  /** Number of decisions it was chosen from. */
  population: z.number().int(),
  created_at: z.string(),
  decision_ids: z.array(z.string()),
});

export type Cohort = z.infer<typeof cohortSchema>;
export type CohortSelection = z.infer<typeof cohortSelectionSchema>;
