import { z } from "zod";
import { LABEL_DRAWS, LABEL_FLAGS } from "../names.js";
import { isTime, TIME_EXAMPLE } from "../text-checks.js";
import { levelSchema } from "./level.js";
import { tierSchema } from "./rule-set.js";

/** A judgement of a decision's defensibility by a person or another auditor. */
export const labelSchema = z.looseObject({
  decision_id: z.string().min(1),
  level: levelSchema,
  inverse: z.boolean().nullish(),
  rater: z.string().nullish(),
  source: z.enum(["human", "gold", "auditor"]),
  rated_at: z.string().nullish(),
  /** Absent: the design is unknown. Such labels are treated as a random sample and certify nothing. */
  drawn: z.enum(LABEL_DRAWS).nullish(),
  /** Probability that the decision was drawn. */
  inclusion: z.number().gt(0).max(1).nullish(),
  /** Part of the population that was sampled with that probability. */
  stratum: z.string().nullish(),
  /** The population drawn from: the run's id for sheets and random draws of `humans sample`. */
  frame: z.string().nullish(),
});

export type Label = z.infer<typeof labelSchema>;

/** Which labels an estimate uses, and how they are weighted. */
export const labelSampleSchema = z.looseObject({
  /**
   * random: every verdict had the same probability; by_verdict: cells of audited level and inverse; by_stratum: cells of the labels' own strata,
   * sized by their inclusion probability; null: nothing can be estimated (`no_design`).
   */
  weighted: z.enum(["random", "by_verdict", "by_stratum"]).nullable(),
  /** The population estimated, if not this run. */
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
  /** design_unknown: treated as random, certifies nothing; other_frame: drawn from another population than this run. */
  flags: z.array(z.enum(LABEL_FLAGS)),
});

export type LabelSample = z.infer<typeof labelSampleSchema>;

/** What follows from the rules for a decision: its level, and whether the opposite is also derivable. */
export const trueVerdictSchema = z.object({ level: levelSchema, inverse: z.boolean() });

/** Why a decision and its human label differ. */
export const TRUE_CAUSES = ["none", "model_error", "implicit_norm", "policy_ambiguity", "human_error"] as const;

/** The truth about a simulated decision, in a file of its own. Only the simulated auditor reads it, and distorts it at stated error rates. */
export const truthSchema = z.looseObject({
  decision_id: z.string().min(1),
  community: z.string().min(1),
  cohort: z.string(),
  /** The action that this truth is about: the one that was taken. For any other action the opposite is true. */
  decision: z.string().min(1),
  /** The decider, as the decision's `decider.id`; null: not from a known family. */
  decider: z.string().nullish(),
  /** Under the whole text: both scopes, all tiers. 1: only this decision is derivable; 2: its opposite may be too; 3: it is not derivable. */
  level: levelSchema,
  /** The opposite is derivable. Level 3 without it: no rule covers the case. */
  inverse: z.boolean(),
  /** The rule that decides it; null: no rule. */
  rule: z.object({ scope: z.enum(["platform", "community"]), rule_id: z.string() }).nullable(),
  /** The first tier whose text settles it; null: no tier. */
  settled_by: tierSchema.nullable(),
  /** The scope whose rules leave it open, if both outcomes are derivable. */
  ambiguity_scope: z.enum(["platform", "community"]).nullable(),
  cause: z.enum(TRUE_CAUSES),
  tiers: z.object({ title: trueVerdictSchema, sidebar: trueVerdictSchema, wiki: trueVerdictSchema }),
  /** Under one scope's rules alone, all tiers. */
  scopes: z.object({ platform: trueVerdictSchema, community: trueVerdictSchema }),
  /** How evenly balanced the rules leave it, from 0 (settled) to 1: how much repeated readings of it vary. */
  contest: z.number().min(0).max(1),
});

export type Truth = z.infer<typeof truthSchema>;
export type TrueVerdict = z.infer<typeof trueVerdictSchema>;

export const OUTCOMES = ["uphold", "overturn"] as const;
export const OUTCOME_SOURCES = ["review", "appeal"] as const;

/** The result of a review or an appeal of a decision that was routed. */
export const outcomeSchema = z.looseObject({
  decision_id: z.string().min(1),
  outcome: z.enum(OUTCOMES),
  /** The reviewer's own level of defensibility. Without it the outcome only counts towards the overturn rate. */
  level: levelSchema.nullish(),
  /** Whether the opposite decision would also be defensible. */
  inverse: z.boolean().nullish(),
  reviewer: z.string().nullish(),
  /** Whether the reviewer saw the audit's verdict. Absent: treated as not seen. */
  saw_audit: z.boolean().nullish(),
  /** Default: review. */
  source: z.enum(OUTCOME_SOURCES).nullish(),
  at: z.string().refine(isTime, { error: ({ input }) => `got ${JSON.stringify(input)}, expected ${TIME_EXAMPLE}` }),
});

export type ReviewOutcome = z.infer<typeof outcomeSchema>;
