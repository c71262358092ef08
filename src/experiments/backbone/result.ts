import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { experimentSchema } from "../../core/results/experiment.js";

const count = z.number().int();
const indices = z.object({ defensibility_index: estimateSchema, ambiguity_index: estimateSchema });

/** The result of `defensible experiment backbone`: the decisions of several deciders, each audited by several auditors. */
export const backboneSchema = experimentSchema.extend({
  experiment: z.literal("backbone"),
  deciders: z.array(z.object({ decider: z.string(), decisions: count, communities: count })),
  auditors: z.array(z.object({ auditor: z.string(), run_id: z.string() })),
  counts: z.object({
    /** Decisions with a verdict by every auditor. Everything here is about these. */
    decisions: count,
    communities: count,
    /** Without a verdict by at least one auditor. */
    incomplete: count,
    without_decider: count,
    /** Of deciders with too few decisions. */
    small: count,
  }),
  cells: z.array(
    indices.extend({
      decider: z.string(),
      auditor: z.string(),
      /** Both are models of one family. */
      own: z.boolean(),
      /**
       * The rate of this auditor for this decider minus the mean rate of the other auditors, minus the same difference averaged over the
       * other deciders. 0 if deciders and auditors do not interact. A difference of rates, as a fraction.
       */
      interaction: indices,
    }),
  ),
  /** The mean interaction of the cells whose decider and auditor belong to one family. */
  own: indices,
});

export default backboneSchema;

export type Backbone = z.infer<typeof backboneSchema>;
