import { z } from "zod";
import { contentSchema } from "./content.js";

/** An earlier decision of a community that later ones may rest on. */
export const precedentSchema = z.looseObject({
  id: z.string().min(1),
  community: z.string().min(1),
  content: contentSchema,
  decision: z.string().min(1),
  rule_id: z.string().nullish(),
  rationale: z.string().nullish(),
  decided_at: z.string().nullish(),
  language: z.string().nullish(),
});

export type Precedent = z.infer<typeof precedentSchema>;
