import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { experimentSchema } from "../../core/results/experiment.js";

const count = z.number().int();

export const correlationSchema = z.intersection(
  estimateSchema,
  z.object({ p_value: z.number().nullable(), p_method: z.string().optional() }),
);

/** A signal against a binary partner. */
const binaryAssociationSchema = z.object({
  spearman: correlationSchema,
  /** √(3p(1−p)), the largest possible ρ, where p is the share of yes; null without rows. */
  bound: z.number().nullable(),
  /** AUROC of the signal for yes, oriented so that higher means worse. */
  auroc: estimateSchema,
});

/** Names of the signals, in the order of the tables. */
export const SIGNAL_NAMES = [
  "pds",
  "p_defensible",
  "inverse_yes_prob",
  "h_weight_bits",
  "h_citation_bits",
  "output_confidence",
  "p_calibrated",
  "decider_confidence",
] as const;

export type SignalName = (typeof SIGNAL_NAMES)[number];

const signalSchema = z.object({
  signal: z.enum(SIGNAL_NAMES),
  label: z.string(),
  /** Number of verdicts that have it. */
  n: count,
  mean: estimateSchema,
  /** What higher values indicate. */
  higher_means: z.enum(["defensible", "indefensible"]),
  /** For level 3: of the auditor's own level (circular), and of each reference. */
  auroc: z.object({ own_level: estimateSchema, references: z.record(z.string(), estimateSchema) }),
  /** With the auditor's own level, 1 to 3. */
  level: correlationSchema,
  /** With disagreement of decider and person. */
  disagreement: binaryAssociationSchema,
  /** With inverse = Yes. */
  inverse: binaryAssociationSchema,
  /** By name: why a figure above is not evidence. */
  circular: z.record(z.string(), z.string()),
});

const levelRowSchema = z.object({
  level: z.number().int().min(1).max(3),
  n: count,
  ambiguity_index: estimateSchema,
  means: z.record(z.string(), estimateSchema),
});

/** A row of the paper's table of σ(ρ): one temperature, run or file. */
const sigmaRowSchema = z.object({
  name: z.string(),
  temperature: z.number().nullable(),
  /** Verdicts with σ(ρ). */
  n: count,
  ambiguity_index: estimateSchema,
  spearman: correlationSchema,
  bound: z.number().nullable(),
  auroc: estimateSchema,
  yes: estimateSchema,
  no: estimateSchema,
  /** Mean σ(ρ) where inverse = Yes, divided by the mean where it is No. */
  ratio: estimateSchema,
});

/** A signal, or its sd over replicates, where decider and person agree and where they do not. */
const regimeRowSchema = z.object({
  signal: z.enum(SIGNAL_NAMES),
  statistic: z.enum(["value", "sd"]),
  agree: estimateSchema,
  disagree: estimateSchema,
  /** disagree / agree. */
  ratio: estimateSchema,
});

const spanSchema = z.object({
  n: count,
  least: z.number(),
  p05: z.number(),
  median: z.number(),
  p95: z.number(),
  most: z.number(),
});

/** How well K samples, and one pass with probabilities, estimate how often level 3 is drawn. */
const samplingSchema = z.object({
  name: z.string(),
  temperature: z.number().nullable(),
  decisions: count,
  /** Replicates (or draws) that give the frequency to be estimated, disjoint from those that estimate it. */
  reference_replicates: z.object({ least: count, most: count }),
  method: z.enum(["disjoint replicates", "binomial variance of draws"]),
  /** One pass: mean squared error of p(L3), as read and at the temperature of the draws. */
  logprob: z.object({ raw_mse: estimateSchema, tempered_mse: estimateSchema, auroc: estimateSchema }),
  frequency: z.array(z.object({ samples: count, decisions: count, mse: estimateSchema, auroc: estimateSchema })),
  /** Smallest number of samples in `frequency` whose error is at most that of one pass; null: no number is enough, or there is nothing to compare. */
  samples_that_match: count.nullable(),
  /** Number of samples with the same error as one pass, by the binomial variance. */
  equivalent_samples: z.number().nullable(),
  reason: z.string().nullable(),
});

export const signalExperimentSchema = experimentSchema.extend({
  experiment: z.literal("signal"),
  source: z.object({
    name: z.string(),
    run_id: z.string().nullable(),
    auditor: z.string().nullable(),
    signal: z.string().nullable(),
    /** The arm of the tables. */
    arm: z.string(),
  }),
  counts: z.object({
    verdicts: count,
    communities: count,
    labelled: count,
    disagreements: count,
    indefensible: count,
    /** Decisions with two or more audits in the arm. */
    replicated: count,
  }),
  /** Other evidence on whether a decision is defensible: truth, gold, people's labels. */
  references: z.array(
    z.object({
      name: z.string(),
      n: count,
      indefensible: count,
      /** For a planted truth: the texts (tiers, or a scope) that the audits were made under and that it refers to. */
      under: z.array(z.string()).optional(),
    }),
  ),
  signals: z.array(signalSchema),
  levels: z.array(levelRowSchema),
  temperatures: z.array(sigmaRowSchema),
  agreement: z.array(regimeRowSchema),
  output_confidence: z.object({ agree: spanSchema.nullable(), disagree: spanSchema.nullable() }),
  sampling: z.union([
    z.object({ available: z.literal(true), comparisons: z.array(samplingSchema) }),
    z.object({ available: z.literal(false), reason: z.string() }),
  ]),
});

export default signalExperimentSchema;

export type SignalExperiment = z.infer<typeof signalExperimentSchema>;
export type MeasuredSignal = z.infer<typeof signalSchema>;
export type BinaryAssociation = z.infer<typeof binaryAssociationSchema>;
export type LevelRow = z.infer<typeof levelRowSchema>;
export type SigmaRow = z.infer<typeof sigmaRowSchema>;
export type RegimeRow = z.infer<typeof regimeRowSchema>;
export type ValueSpan = z.infer<typeof spanSchema>;
export type SamplingComparison = z.infer<typeof samplingSchema>;
