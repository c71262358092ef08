import { z } from "zod";
import { estimateSchema } from "../estimate-schema.js";

const count = z.number().int().min(0);
const rate = z.number().min(0).max(1);

/** Upper bounds at confidence 1 − δ: at one look, and at any number of looks. null: no review has entered. */
const upperSchema = z.object({ once: rate.nullable(), anytime: rate.nullable() });

/** Why a rate of random reviews is undefined. */
const REALISED_REASONS = ["no_reviews", "no_levels", "no_answers", "reviews_open"] as const;

/** A rate of random reviews. */
const realisedRateSchema = z.object({
  /** Σ bad/π ÷ Σ 1/π over the reviews whose answer is known; null: see `reason`. */
  estimate: rate.nullable(),
  /** Bad ones, of reviews with an answer. */
  k: count,
  n: count,
  /** Counted as bad in the bounds: reviews without a level, and reviews pending for more than 14 days. */
  missing: count,
  /** Pending for at most 14 days. The bounds take reviews in the order of routing, up to the first of these. */
  open: count,
  /** Threads that entered the bound at one look. */
  threads: count,
  /** Reviews of the largest of these; 0 where nothing is there. */
  largest_thread: count,
  /** How the bound at one look is made; null where nothing is there. The other is always the e-value's. */
  method: z.enum(["clopper_pearson", "e_value"]).nullable(),
  upper: upperSchema,
  reason: z.enum(REALISED_REASONS).optional(),
});

export const REALISED_KEYS = ["community", "action", "language", "week"] as const;

const cellRateSchema = realisedRateSchema.extend({
  /** At δ divided by the number of cells: all of these hold at once. */
  upper_all: upperSchema,
});

/** What random reviews say of the decisions that were automated (docs/outcomes.md). */
export const realisedRiskSchema = z.looseObject({
  as_of: z.string(),
  delta: rate,
  /** A thread counts as at most so many reviews. */
  thread_cap: z.number().min(1),
  /** Greatest rate that the active gate allows among automated decisions. */
  limit: rate.nullable(),
  /** Decisions that would have been automated and could be drawn for review, and those of them that were drawn. The rates speak of these. */
  frame: count,
  drawn: count,
  /** Review shares that were in force, ascending. */
  shares: z.array(rate),
  /** Level 3 by the reviewer. */
  risk: realisedRateSchema,
  overturned: realisedRateSchema,
  /** Reviews by reviewers who saw the audit: not in the rates above. */
  saw_audit: z.object({ drawn: count, risk: realisedRateSchema, overturned: realisedRateSchema }).nullable(),
  /** Counts only: who appeals is not a random sample of anything. */
  appeals: z.object({ decisions: count, overturned: count, indefensible: count }),
  cells: z.array(
    z.object({
      by: z.enum(REALISED_KEYS),
      value: z.string(),
      drawn: count,
      risk: cellRateSchema,
      overturned: cellRateSchema,
    }),
  ),
  /** Lines of the log that say nothing of the rates: without a share, with a share of 0 (no chance of review), routed in shadow, routed before. */
  left_out: z.object({ share_unknown: count, share_zero: count, shadow: count, repeated: count }),
  /** Outcomes of decisions that are not in the log, and of decisions that the draw did not choose. */
  outcomes: z.object({ in_all: count, unknown: count, not_drawn: count }),
});

export type RealisedRate = z.infer<typeof realisedRateSchema>;
export type RealisedRisk = z.infer<typeof realisedRiskSchema>;
export type RealisedCell = RealisedRisk["cells"][number];
export type RealisedKey = (typeof REALISED_KEYS)[number];

export const FLIP_WARNINGS = ["not_told_apart", "self_contradiction"] as const;

/** What a random sample of inverted decisions says about the auditor; see `src/measures/metrics/paired/dual-audit.ts`. */
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
