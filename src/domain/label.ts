import { z } from "zod";
import { levelSchema } from "./level.js";

/**
 * How a decision came to be labelled: a simple random draw; a sheet with equal numbers of each verdict; the random review of what was automated;
 * a review queue; an appeal; or no chance mechanism at all.
 */
export const LABEL_DRAWS = ["random", "sheet", "review", "queue", "appeal", "convenience"] as const;
export type LabelDraw = (typeof LABEL_DRAWS)[number];

/** A judgement of a decision's defensibility by a person or another auditor. */
export const labelSchema = z.looseObject({
  decision_id: z.string().min(1),
  level: levelSchema,
  inverse: z.boolean().nullish(),
  rater: z.string().nullish(),
  source: z.enum(["human", "gold", "auditor"]),
  rated_at: z.string().nullish(),
  /** Absent: the design is not known. Such labels are estimated as a random sample and certify nothing. */
  drawn: z.enum(LABEL_DRAWS).nullish(),
  /** Chance that the decision had of being drawn. */
  inclusion: z.number().gt(0).max(1).nullish(),
  /** Part of the population that was drawn from with that chance. */
  stratum: z.string().nullish(),
  /** The population drawn from: the run's id for sheets and random draws of `humans sample`. */
  frame: z.string().nullish(),
});

export type Label = z.infer<typeof labelSchema>;
