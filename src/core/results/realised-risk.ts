import { z } from "zod";
import { estimateSchema } from "../estimate-schema.js";

const count = z.number().int().min(0);
const rate = z.number().min(0).max(1);

/** Upper bounds at confidence 1 − δ: for one look, and for any number of looks. null: they contain no review. */
const upperSchema = z.object({ once: rate.nullable(), anytime: rate.nullable() });

/** Why a rate of random reviews is undefined. */
const REALISED_REASONS = ["no_reviews", "no_levels", "no_answers", "reviews_open"] as const;

/** A rate from random reviews. */
const realisedRateSchema = z.object({
  /** Σ bad/π ÷ Σ 1/π over the reviews with a known answer; null: see `reason`. */
  estimate: rate.nullable(),
  /** Bad answers, and all answers. */
  k: count,
  n: count,
  /** Counted as bad in the bounds: reviews without a level, and reviews pending for more than 14 days. */
  missing: count,
  /** Pending for at most 14 days. The bounds use reviews in the order of routing, up to the first of these. */
  open: count,
  /** Threads in the bound for one look. */
  threads: count,
  /** Reviews in the largest of these; 0 without threads. */
  largest_thread: count,
  /** Method of the bound for one look; null if absent. The other bound always uses the e-value. */
  method: z.enum(["clopper_pearson", "e_value"]).nullable(),
  upper: upperSchema,
  reason: z.enum(REALISED_REASONS).optional(),
});

export const REALISED_KEYS = ["community", "action", "language", "week"] as const;

const cellRateSchema = realisedRateSchema.extend({
  /** At δ divided by the number of cells, so all of these hold simultaneously. */
  upper_all: upperSchema,
});

/** The risk of the automated decisions, as measured by random reviews (docs/outcomes.md). */
export const realisedRiskSchema = z.looseObject({
  as_of: z.string(),
  delta: rate,
  /** A thread counts as at most this many reviews. */
  thread_cap: z.number().min(1),
  /** Largest rate that the active gate allows among automated decisions. */
  limit: rate.nullable(),
  /** Decisions that would have been automated and could be drawn for review, and how many were drawn. The rates are about these. */
  frame: count,
  drawn: count,
  /** Review shares that were used, ascending. */
  shares: z.array(rate),
  /** Level 3 by the reviewer. */
  risk: realisedRateSchema,
  overturned: realisedRateSchema,
  /** Reviews by reviewers who saw the audit; not included in the rates above. */
  saw_audit: z.object({ drawn: count, risk: realisedRateSchema, overturned: realisedRateSchema }).nullable(),
  /** Counts only, because appeals are not a random sample. */
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
  /** Log lines excluded from the rates: without a share, with a share of 0 (no chance of review), routed in shadow, routed before. */
  left_out: z.object({ share_unknown: count, share_zero: count, shadow: count, repeated: count }),
  /** Outcomes of decisions that are not in the log, and of decisions that were not drawn. */
  outcomes: z.object({ in_all: count, unknown: count, not_drawn: count }),
});

export type RealisedRate = z.infer<typeof realisedRateSchema>;
export type RealisedRisk = z.infer<typeof realisedRiskSchema>;
export type RealisedCell = RealisedRisk["cells"][number];
export type RealisedKey = (typeof REALISED_KEYS)[number];

export const FLIP_WARNINGS = ["not_told_apart", "self_contradiction"] as const;

/** Results of auditing a random sample of inverted decisions; see `src/measures/metrics/paired/dual-audit.ts`. */
export const flipControlSchema = z.object({
  /** Decisions with a verdict both for themselves and for their opposite. */
  n: z.number().int(),
  defensibility_index: estimateSchema,
  opposite_defensibility_index: estimateSchema,
  /** The index of the decisions minus the index of their opposites. */
  drop: estimateSchema,
  /** Share of decisions for which exactly one of the two actions is defensible. */
  told_apart: estimateSchema,
  /** Share for which the auditor says that the opposite does not follow, and then finds it defensible. */
  self_contradiction: estimateSchema,
  warnings: z.array(z.enum(FLIP_WARNINGS)),
});

export type FlipControl = z.infer<typeof flipControlSchema>;
