import { z } from "zod";
import { estimateSchema } from "../estimate-schema.js";

export const FLIP_WARNINGS = ["not_told_apart", "self_contradiction"] as const;

/** What a random sample of inverted decisions says about the auditor; see `src/measures/metrics/flip-control.ts`. */
export const flipControlSchema = z.object({
  /** Decisions with a verdict for themselves and for their opposite. */
  n: z.number().int(),
  defensibility_index: estimateSchema,
  opposite_defensibility_index: estimateSchema,
  /** The index of the decisions minus the index of their opposites. */
  drop: estimateSchema,
  /** Share of decisions of which exactly one of both actions is defensible. */
  told_apart: estimateSchema,
  /** Share where the auditor says that the opposite does not follow, and then finds it defensible. */
  self_contradiction: estimateSchema,
  warnings: z.array(z.enum(FLIP_WARNINGS)),
});

export type FlipControl = z.infer<typeof flipControlSchema>;
