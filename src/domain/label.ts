import { z } from "zod";
import { levelSchema } from "./level.js";

/** A judgement of a decision's defensibility by a person or another auditor. */
export const labelSchema = z.looseObject({
  decision_id: z.string().min(1),
  level: levelSchema,
  inverse: z.boolean().nullish(),
  rater: z.string().nullish(),
  source: z.enum(["human", "gold", "auditor"]),
  rated_at: z.string().nullish(),
});

export type Label = z.infer<typeof labelSchema>;
