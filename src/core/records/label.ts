import { z } from "zod";
import { LABEL_DRAWS, LABEL_FLAGS } from "../names.js";
import { levelSchema } from "./level.js";

export * from "../names.js";

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

/** Which labels an estimate rests on, and how they are weighed. */
export const labelSampleSchema = z.looseObject({
  /**
   * random: every verdict had the same chance; by_verdict: cells of audited level and inverse; by_stratum: cells of the labels' own strata, sized by
   * their inclusion; null: nothing can be estimated (`no_design`).
   */
  weighted: z.enum(["random", "by_verdict", "by_stratum"]).nullable(),
  /** The population estimated, where it is not this run. */
  frame: z.string().nullable(),
  /** Labelled verdicts by how they were drawn. */
  designs: z.array(
    z.object({
      drawn: z.enum([...LABEL_DRAWS, "unknown"]),
      frame: z.string().nullable(),
      labels: z.number().int(),
      used: z.boolean(),
    }),
  ),
  /** design_unknown: estimated as random, certifies nothing; other_frame: drawn from another population than this run. */
  flags: z.array(z.enum(LABEL_FLAGS)),
});

export type LabelSample = z.infer<typeof labelSampleSchema>;
