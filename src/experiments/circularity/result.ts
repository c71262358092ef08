import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { experimentNameSchema, experimentSchema } from "../../core/results/experiment.js";

/** Whether the evidence supports "the indices measure the rules, not the auditor's taste". */
export const CHANNEL_VERDICTS = ["supports", "does_not_support", "cannot_tell", "not_available"] as const;
export type ChannelVerdict = (typeof CHANNEL_VERDICTS)[number];

export const CHANNELS = ["gap", "human_validation", "rule_change", "convergence", "truth"] as const;

/** One number that a channel is based on. */
const testSchema = z.object({
  name: z.string(),
  /** points: a difference of rates, as a fraction. */
  unit: z.enum(["points", "rate", "correlation", "auroc", "ratio"]),
  value: z.intersection(
    estimateSchema,
    // For correlations.
    z.object({ p_value: z.number().nullable().optional(), p_method: z.string().optional() }),
  ),
  verdict: z.enum(CHANNEL_VERDICTS),
  /** The basis of the verdict. */
  because: z.string(),
});

const channelSchema = z.object({
  channel: z.enum(CHANNELS),
  title: z.string(),
  verdict: z.enum(CHANNEL_VERDICTS),
  because: z.string(),
  tests: z.array(testSchema),
  can_show: z.string(),
  cannot_show: z.string(),
  /** The kept result it was read from, and its runs; null: the run itself. */
  source: z.object({ experiment: experimentNameSchema.nullable(), runs: z.array(z.string()) }),
  /** The command that produces missing evidence; null: nothing is missing, or `advice` explains it. */
  command: z.string().nullable(),
  /** How to produce evidence that no single command produces: sentences with commands in backticks. Null or absent: nothing. */
  advice: z.string().nullish(),
});

/** The result of `defensible experiment circularity`. */
export const circularitySchema = experimentSchema.extend({
  experiment: z.literal("circularity"),
  source: z.object({ name: z.string(), run_id: z.string().nullable(), auditor: z.string().nullable() }),
  /** Differences smaller than this count as zero, as a fraction. */
  margin: z.number(),
  channels: z.array(channelSchema),
});

export default circularitySchema;

export type Circularity = z.infer<typeof circularitySchema>;
export type Channel = z.infer<typeof channelSchema>;
export type ChannelTest = z.infer<typeof testSchema>;
