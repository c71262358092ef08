import { z } from "zod";
import { GATE_MODES } from "../names.js";

const count = z.number().int();
const size = z.object({ n: count, failures: count, power: z.number() });
const jointSize = z.object({ n: count, failures: count, inverse_yes: count, power: z.number() });

/** Sample sizes that certify one community at one δ. */
const certificateSchema = z.object({
  delta: z.number(),
  zero_failures: count,
  /** First n with which this many failures still certify. */
  steps: z.array(z.object({ failures: count, n: count })),
  /** The limit on indefensible decisions alone. */
  indefensible: z.object({ smallest: size.nullable(), from_then_on: size.nullable(), reason: z.string().nullable() }),
  /** Together with the limit on ambiguity. */
  joint: z.object({
    smallest: jointSize.nullable(),
    from_then_on: jointSize.nullable(),
    reason: z.string().nullable(),
  }),
});

const head = { format: z.literal(1) };

export const planCertifySchema = z.looseObject({
  ...head,
  what: z.literal("certify"),
  inputs: z.object({
    limit: z.number(),
    ai_limit: z.number(),
    delta: z.number(),
    power: z.number(),
    truth: z.number(),
    ai_truth: z.number(),
    communities: count,
    /** By e-values like the certified gate, or by exact tests at one declared look. */
    look: z.enum(["once", "anytime"]).optional(),
    /** Sizes of threads, and the most decisions that a thread counts as; absent: decisions are independent. */
    thread_sizes: z.array(count).optional(),
    thread_cap: count.optional(),
  }),
  one_community: certificateSchema,
  /** With thread sizes: simulated decisions and threads after which a community is certified with the requested power. */
  threads: z
    .object({
      cap: count,
      mean_size: z.number(),
      n: count.nullable(),
      threads: count.nullable(),
      draws: count,
      seed: count,
      reason: z.string().nullable(),
    })
    .nullish(),
  /** Each of several communities at δ divided by their number; null for one community. */
  each_of_many: certificateSchema.nullable(),
  /** Holm over identical communities: size at which the mean share of certified ones reaches the power. */
  holm: z
    .object({
      n: count.nullable(),
      expected_share: z.number().nullable(),
      all: z.number().nullable(),
      reason: z.string().nullable(),
    })
    .nullable(),
});

export const planEstimateSchema = z.looseObject({
  ...head,
  what: z.literal("estimate"),
  inputs: z.object({ rate: z.number(), half_width: z.number(), level: z.number() }),
  normal: count,
  wilson: count,
  clopper_pearson: count,
});

const testSize = z.object({ n: count.nullable(), power: z.number().nullable() });

export const planPairedSchema = z.looseObject({
  ...head,
  what: z.literal("paired"),
  inputs: z.object({ only_a: z.number(), only_b: z.number(), alpha: z.number(), power: z.number() }),
  difference: z.number(),
  normal: count.nullable(),
  exact: testSize,
  mid_p: testSize,
  reason: z.string().nullable(),
});

export const planClustersSchema = z.looseObject({
  ...head,
  what: z.literal("clusters"),
  inputs: z.object({ n: count, cluster_size: z.number(), icc: z.number() }),
  design_effect: z.number(),
  n: count,
  clusters: count,
  effective_n: z.number(),
});

export const planCorrelationSchema = z.looseObject({
  ...head,
  what: z.literal("correlation"),
  inputs: z.object({ correlation: z.number(), alpha: z.number(), power: z.number() }),
  n: count,
});

export const planLabelsSchema = z.looseObject({
  ...head,
  what: z.literal("labels"),
  inputs: z.object({
    rate: z.number(),
    half_width: z.number(),
    level: z.number(),
    decisions: count,
    correlation: z.number(),
    sensitivity: z.number().nullable(),
    specificity: z.number().nullable(),
  }),
  /** Labels for a prediction-powered interval; null if more decisions are needed. */
  labels: count.nullable(),
  /** Labels needed without the auditor's verdicts. */
  labels_alone: count,
  reason: z.string().nullable(),
});

const modes = { paper: z.number(), shrunk: z.number(), certified: z.number() };

export const planGateSchema = z.looseObject({
  ...head,
  what: z.literal("gate"),
  inputs: z.looseObject({
    n: count,
    di: z.number(),
    ai: z.number(),
    min_decisions: count,
    delta: z.number(),
    communities: count,
    risk: z.number(),
    open: z.number(),
    yes_if_indefensible: z.number(),
  }),
  /** Largest counts that pass, with no verdict of the other kind; null: nothing passes. */
  passing_counts: z.record(z.enum(GATE_MODES), z.object({ indefensible: count, inverse_yes: count }).nullable()),
  /** Probability of passing, by the true rate of indefensible decisions. */
  curve: z.array(z.object({ indefensible: z.number(), ambiguity: z.number(), ...modes })),
  /** The same at other numbers of decisions. */
  by_n: z.array(z.object({ n: count, indefensible: z.number(), ambiguity: z.number(), ...modes })),
  /** The same for rules that leave more or fewer cases open. */
  by_open: z.array(z.object({ open: z.number(), indefensible: z.number(), ambiguity: z.number(), ...modes })),
});

/** The result of `defensible plan`. */
export const planSchema = z.discriminatedUnion("what", [
  planCertifySchema,
  planEstimateSchema,
  planPairedSchema,
  planClustersSchema,
  planCorrelationSchema,
  planLabelsSchema,
  planGateSchema,
]);

export type Plan = z.infer<typeof planSchema>;
export type PlanCertificate = z.infer<typeof certificateSchema>;
export type PlanCertify = z.infer<typeof planCertifySchema>;
export type PlanEstimate = z.infer<typeof planEstimateSchema>;
export type PlanPaired = z.infer<typeof planPairedSchema>;
export type PlanClusters = z.infer<typeof planClustersSchema>;
export type PlanCorrelation = z.infer<typeof planCorrelationSchema>;
export type PlanLabels = z.infer<typeof planLabelsSchema>;
export type PlanGate = z.infer<typeof planGateSchema>;
