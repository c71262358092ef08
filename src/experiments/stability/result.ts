import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { BOUNDARY_STATES, STABILITY_CLASSES, STABILITY_GROUPS } from "../../core/names.js";
import { experimentSchema } from "../../core/results/experiment.js";

const count = z.number().int();
const number = z.number().nullable();
const text = z.string().nullable();
const interval = z.object({ lower: z.number(), upper: z.number() }).nullable();
const stabilityClass = z.enum(STABILITY_CLASSES);
const boundary = z.enum(BOUNDARY_STATES);

/** One case under one condition. */
const caseShape = {
  decision_id: z.string(),
  community: z.string(),
  /** null: the audits do not name it. */
  temperature: number,
  arm: z.string(),
  run: text,
  template: text,
  group: z.enum(STABILITY_GROUPS).nullable(),
  /** Replicates with a verdict; `attempted`: requested. */
  k: count,
  attempted: count,
  levels: z.object({ "1": count, "2": count, "3": count }),
  p_level_3: number,
  /**
   * At confidence level 1 − α, valid at any stopping time, for the share named in `about`. `mixed`: probabilities where they are known,
   * else levels.
   */
  p_level_3_interval: z
    .object({
      lower: z.number(),
      upper: z.number(),
      level: z.number(),
      about: z.enum(["p_level_3", "p_level_3_mean", "mixed"]),
    })
    .nullable(),
  /** Mean of the probabilities from which the levels were drawn; null if unknown. */
  p_level_3_mean: number,
  /** If several levels are equally common, the most severe. */
  dominant_level: z.union([z.literal(1), z.literal(2), z.literal(3)]).nullable(),
  dominant_share: number,
  class: z.enum([...STABILITY_CLASSES, "undetermined"]),
  boundary: z.enum([...BOUNDARY_STATES, "undetermined"]),
  /** The possible classes, if undetermined. */
  class_between: z.array(stabilityClass).optional(),
  boundary_between: z.array(boundary).optional(),
  /** By the plain shares; null below 30 replicates. */
  plug_in: z.object({ class: stabilityClass.nullable(), boundary: boundary.nullable() }),
  /** Replicates after which it was settled; null: it is not settled. */
  settled_at: z.object({ boundary: count.nullable(), class: count.nullable() }),
  sd_pds: number,
  sd_pds_interval: interval,
  sd_p_defensible: number,
  sd_p_defensible_interval: interval,
  mean_pds: number,
  mean_p_defensible: number,
  mean_inverse_yes_prob: number,
  inverse_yes: count,
  flip_rate: number,
  consecutive_flip_rate: number,
  boundary_flip_rate: number,
};
export const stabilityCaseSchema = z.looseObject(caseShape);

/** A mean over all cases and over each group, and the ratio of the Flippers' to that of the Stable. */
const groupMeans = z.object({
  all: estimateSchema,
  stable: estimateSchema,
  flippers: estimateSchema,
  ratio: estimateSchema,
});

const draws = z.object({
  /** Replicates with a verdict and a known law. */
  n: count,
  /** Level 3 as drawn, and as expected from the probabilities. */
  drawn: number,
  promised: number,
  /** Whether level 3 is drawn more often than expected. */
  share_z: number,
  /** Whether the probabilities are more confident than the draws (above 0) or less; probabilities from another temperature are. */
  sureness_z: number,
  p_value: number,
});

const temperatureShape = {
  temperature: number,
  arm: z.string(),
  run: text,
  auditor: text,
  template: text,
  cases: count,
  replicates: z.object({ least: count, mean: z.number(), most: count }),
  sd_pds: groupMeans,
  sd_p_defensible: groupMeans,
  boundary_flip_rate: z.object({ all: estimateSchema, flippers: estimateSchema, stable: estimateSchema }),
  h_citation_rank_correlation: estimateSchema,
  defensibility_index: estimateSchema,
  /** Against the lowest temperature, case by case. */
  defensibility_index_change: estimateSchema,
  classes: z.record(z.enum([...STABILITY_CLASSES, "undetermined"]), count),
  /** By the plain shares, over the `n` cases with at least 30 verdicts. */
  class_shares: z.record(stabilityClass, estimateSchema).optional(),
  boundaries: z.record(z.enum([...BOUNDARY_STATES, "undetermined"]), count),
  draws,
  rao_blackwell_gain: number,
};
export const stabilityTemperatureSchema = z.looseObject(temperatureShape);

/** Slope per unit of temperature; `p_value` of "no slope", by the bootstrap. */
const slope = z.object({ estimate: estimateSchema, p_value: number });
const ratioSlope = slope.extend({
  /** Slope minus the one that would bring the ratio to 1 at the highest temperature. */
  above_convergence: estimateSchema,
  reading: z.enum(["flat", "falls", "rises", "undecided", "undefined"]),
});

const rankCorrelation = z.union([
  z.object({
    estimate: z.number(),
    lower: z.number(),
    upper: z.number(),
    level: z.number(),
    method: z.string(),
    n: count,
    warnings: z.array(z.string()).optional(),
    p_value: z.number(),
    p_method: z.string(),
  }),
  z.object({ estimate: z.null(), reason: z.string(), n: count, p_value: z.null() }),
]);
const correlation = z.object({
  x: z.string(),
  y: z.string(),
  temperature: number,
  /** x from the even replicates, y from the odd ones: no draw is in both. */
  disjoint: rankCorrelation,
  /** After Holm's correction for the rows of the same table, temperature and y. */
  adjusted_p: number,
  /** Both from all replicates, as in the paper: partly a correlation of noise with itself. */
  coupled: rankCorrelation,
});

const savings = z.object({
  /** Cases times conditions. */
  cells: count,
  /** Replicates requested. */
  replicates: count,
  /** Cells that settled the question, with all their replicates. */
  settled: count,
  settled_share: number,
  /** Share of 1,000 replicates per cell that was not requested. */
  saved_against_paper: number,
  /** Share of the cap that was not requested; null if the number was fixed. */
  saved_against_cap: number,
  /** If every cell had stopped at the replicate that settled it, or at the cap. */
  at_best: z.object({ replicates: count, settled: count, saved_against_paper: number }),
});

const decomposition = z.object({
  of: z.enum(["p_defensible", "pds", "verdict", "sd_p_defensible"]),
  cases: count,
  total: number,
  /** `truncated`: the estimate was below 0 and counts as 0. */
  components: z.array(
    z.object({ source: z.string(), variance: z.number(), share: estimateSchema, truncated: z.boolean() }),
  ),
  /** Sources that were not varied, and so cannot be estimated. */
  not_estimated: z.array(z.string()),
  reason: z.string().optional(),
});

const threshold = z.object({
  score: z.enum(["pds", "p_defensible"]),
  temperature: number,
  threshold: z.number(),
  /** Cases whose first audit scores at least the threshold, and their share. */
  cases: count,
  coverage: z.number(),
  /** Shares of the classes among these; null if there are no such cases. */
  mix: z.record(stabilityClass, z.number()).nullable(),
});

export const stabilitySchema = experimentSchema.extend({
  experiment: z.literal("stability"),
  sources: z.array(z.looseObject({ name: z.string(), run_id: text, auditor: text })),
  settings: z.looseObject({
    mode: z.enum(["fixed", "sequential"]),
    stop: z.enum(["boundary", "class"]),
    evidence: z.enum(["labels", "probabilities"]),
    alpha: z.number(),
    cap: count,
    budget: count.nullable(),
  }),
  counts: z.object({ cases: count, conditions: count, audits: count, verdicts: count, without_verdict: count }),
  groups: z.looseObject({
    by: z.enum(["pilot", "first_replicates"]).nullable(),
    rule: z.enum(["level", "boundary"]),
    flippers: count,
    stable: count,
    /** Number of cases requested; null: all. */
    asked: count.nullable(),
    pilot: z.object({ candidates: count, flippers: count, stable: count, replicates: count }).nullable(),
  }),
  cases: z.array(stabilityCaseSchema),
  temperatures: z.array(stabilityTemperatureSchema),
  ratio_slope: z.object({ pds: ratioSlope, p_defensible: ratioSlope }),
  defensibility_slope: slope,
  h_citation_split_half: number,
  group_tests: z.array(
    z.looseObject({
      metric: z.string(),
      temperature: number,
      n: z.object({ flippers: count, stable: count }),
      median: z.object({ flippers: number, stable: number }),
      u: number,
      p_value: number,
      p_method: text,
      /** After Holm's correction for all tests of the table. */
      adjusted_p: number,
      /** Cliff's δ: above 0 if Flippers have the larger values. */
      effect: estimateSchema,
    }),
  ),
  correlations: z.object({ spread: z.array(correlation), signals: z.array(correlation) }),
  thresholds: z.array(threshold),
  decomposition: z.array(decomposition),
  sequential: z.object({ labels: savings.nullable(), probabilities: savings.nullable() }),
});

export default stabilitySchema;

export type Stability = z.infer<typeof stabilitySchema>;
export type StabilityCase = z.infer<typeof stabilityCaseSchema>;
export type StabilityTemperature = z.infer<typeof stabilityTemperatureSchema>;

export type CaseRow = z.infer<z.ZodObject<typeof caseShape>>;
export type GroupMeans = z.infer<typeof groupMeans>;
export type DrawsCheck = z.infer<typeof draws>;
export type Slope = z.infer<typeof slope>;
export type RatioSlope = z.infer<typeof ratioSlope>;
export type GroupTest = Stability["group_tests"][number];
export type StabilityCorrelation = z.infer<typeof correlation>;
export type Decomposition = z.infer<typeof decomposition>;
export type Savings = z.infer<typeof savings>;
export type ThresholdRow = z.infer<typeof threshold>;
export type TemperatureRow = Required<z.infer<z.ZodObject<typeof temperatureShape>>>;
