import { z } from "zod";
import { estimateSchema } from "../estimate-schema.js";
import { mcnemarSchema } from "./paired-change.js";

const count = z.number().int();
const setting = z.union([z.string(), z.number()]).nullable();

/** A run, or a file of audits; `run_id` is null for a file. */
const sideSchema = z.looseObject({ name: z.string(), run_id: z.string().nullable() });

const bootstrapSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  level: z.number(),
  method: z.enum(["percentile", "bca"]),
  draws: count,
  undefined_draws: count,
  warnings: z.array(z.string()),
});

/** One index in both runs, on the decisions they share. */
const pairedIndexSchema = z.object({
  a: estimateSchema,
  b: estimateSchema,
  /** Decisions that count towards the index in one run only. */
  only_a: count,
  only_b: count,
  /** B − A with Tango's interval; its `cluster` is a t interval over communities, absent with a warning where all changed alike. */
  difference: estimateSchema,
  /** Communities drawn with replacement; null with fewer than two, or where all changed alike. */
  bootstrap: bootstrapSchema.nullable(),
  mcnemar: mcnemarSchema,
});

const communityIndexSchema = z.object({
  a: z.number(),
  b: z.number(),
  only_a: count,
  only_b: count,
  difference: z.number(),
  lower: z.number(),
  upper: z.number(),
  /** McNemar's mid-p; null where nothing changed. */
  mid_p: z.number().nullable(),
  /** The same after Holm's correction for the number of communities. */
  adjusted_p: z.number().nullable(),
});

/** The result of `defensible report compare`. */
export const compareSchema = z.looseObject({
  format: z.literal(1),
  a: sideSchema,
  b: sideSchema,
  /** Settings in which the two differ. */
  differs: z.array(z.object({ setting: z.string(), a: setting, b: setting })),
  counts: z.object({
    attempted_a: count,
    attempted_b: count,
    only_a: count,
    only_b: count,
    shared: count,
    without_verdict: count,
    different_action: count,
    different_community: count,
    compared: count,
  }),
  /** Rows are levels in A, columns levels in B. */
  transitions: z.array(z.array(count)),
  changed: estimateSchema,
  more_severe: count,
  less_severe: count,
  /** Rows are A's inverse check, columns B's; Yes first. */
  inverse_transitions: z.array(z.array(count)),
  defensibility_index: pairedIndexSchema,
  ambiguity_index: pairedIndexSchema,
  ambiguity_pure: pairedIndexSchema,
  communities: z.array(
    z.object({
      community: z.string(),
      n: count,
      changed: count,
      defensibility_index: communityIndexSchema,
      ambiguity_index: communityIndexSchema,
      ambiguity_pure: communityIndexSchema,
    }),
  ),
  bootstrap: z.object({ seed: count, draws: count }),
});

export type Compare = z.infer<typeof compareSchema>;
export type ComparedIndex = z.infer<typeof pairedIndexSchema>;
export type ComparedCommunity = Compare["communities"][number];
export type CompareSide = z.infer<typeof sideSchema>;
