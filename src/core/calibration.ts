import { z } from "zod";
import { evidenceSchema } from "./gate.js";
import { labelSampleSchema } from "./records/label.js";

/** Inputs of the multinomial model. */
export const CALIBRATION_FEATURES = [
  "log_p1_p3",
  "log_p2_p3",
  "inverse_log_odds",
  "h_weight_bits",
  "h_citation_bits",
  "map_level_2",
  "map_level_3",
  "positive",
] as const;

const feature = z.enum(CALIBRATION_FEATURES);
const numbers = z.array(z.number());
const probabilities = z.array(z.number().min(0).max(1)).min(1);
const triple = z.tuple([z.number(), z.number(), z.number()]);
const target = z.enum(["levels", "binary"]);
const shares = z.array(z.number().positive()).min(2).max(3);
/** Shares of the classes where a model was fitted and where it is used: three (levels) or two (defensible, indefensible). */
const prior = z
  .object({ fitted: shares, deployed: shares })
  .refine(({ fitted, deployed }) => fitted.length === deployed.length, { error: "as many shares on both sides" })
  .optional();

const isotonic = z
  .object({ kind: z.literal("isotonic"), x: probabilities, y: probabilities, prior })
  .refine(({ x, y }) => x.length === y.length, { error: "as many y as x" })
  .refine(({ x }) => x.every((value, i) => i === 0 || value > x[i - 1]!), { error: "rising x" })
  .refine(({ y }) => y.every((value, i) => i === 0 || value >= y[i - 1]!), { error: "y that do not fall" });

const multinomial = z
  .object({
    kind: z.literal("multinomial"),
    target,
    features: z.array(feature),
    mean: numbers,
    sd: z.array(z.number().positive()),
    weights: z.array(numbers),
    bias: numbers,
    l2: z.number().min(0),
    dropped: z.array(z.object({ feature, reason: z.string() })),
    prior,
  })
  .refine(
    ({ features, mean, sd, weights }) => [mean, sd, ...weights].every((entries) => entries.length === features.length),
    { error: "a mean, an sd and a weight for each feature" },
  )
  .refine((model) => model.weights.length === (model.target === "levels" ? 3 : 1), { error: "weights for each class" })
  .refine(({ weights, bias }) => bias.length === weights.length, { error: "a bias for each class" });

/** A fitted map from the signals of an audit to P(defensible). Any other file is rejected, because the map decides what is automated. */
export const calibrationModelSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("raw"), prior }),
  z.object({
    kind: z.literal("pds"),
    weights: z.object({
      alpha: z.number().min(0),
      beta: z.number().min(0),
      gamma: z.number().min(0),
      component: z.enum(["h_w", "h_kappa"]),
    }),
  }),
  z.object({ kind: z.literal("temperature"), target, temperature: z.number().positive(), prior }),
  z.object({ kind: z.literal("platt"), slope: z.number(), intercept: z.number(), prior }),
  z.object({ kind: z.literal("beta"), a: z.number().min(0), b: z.number().min(0), c: z.number(), prior }),
  isotonic,
  z.object({ kind: z.literal("vector"), scale: triple, bias: triple, prior }),
  multinomial,
]);

const number = z.number().nullable();

/** Labels for measuring or fitting a calibration, the most valuable first. `self` is the auditor's own level: a circular fit, as in the paper. */
export const TARGET_KINDS = ["human", "gold", "auditor", "replicates", "self"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const calibrationTargetSchema = z.looseObject({
  kind: z.enum(TARGET_KINDS),
  /** Its origin: a file, a run. */
  source: z.string().nullable(),
  /** The other auditor, if the target is one and it is known. */
  auditor: z.string().nullish(),
  /** Verdicts with a target, and how many of these targets are level 3. */
  n: z.number().int(),
  indefensible: z.number().int(),
  /** How the labels were drawn; only for labels. */
  sample: labelSampleSchema.optional(),
});

/** The audits behind a calibration. A calibration may only be applied to audits like those it was fitted on. */
export const calibrationEvidenceSchema = evidenceSchema.extend({ temperature: number });

/** The result of `defensible calibrate`, and the stored file. */
export const calibrationSchema = z.looseObject({
  component: z.enum(["h_w", "h_kappa"]),
  method: z.string(),
  weights: z.object({ alpha: z.number(), beta: z.number(), gamma: z.number() }),
  loss: number,
  n: z.number().int(),
  active_constraints: z.array(z.string()),
  ece: z.looseObject({
    equal_frequency: number,
    tie_averaged: number,
    equal_width: number,
    debiased_rms: number,
    smooth: number,
    null_95: number,
  }),
  brier: number,
  log_loss: number,
  auroc: number,
  mean_pds: z.object({ all: number, defensible: number, indefensible: number }),
  format: z.literal(1).optional(),
  calibration_id: z.string().optional(),
  /** SHA-256 of all other members. Without it (files of earlier versions) a change cannot be detected, and routing does not use the calibration. */
  content_hash: z.string().optional(),
  name: z.string().nullish(),
  created_at: z.string().optional(),
  software: z.string().optional(),
  evidence: calibrationEvidenceSchema.optional(),
  target: calibrationTargetSchema.optional(),
  /** The score behind ece, brier, log_loss and auroc: `pds`, or `p_calibrated` of rows the model was not fitted on. */
  score: z.string().optional(),
  seed: z.number().int().optional(),
  /** The requested method; `method` is the chosen one. */
  asked: z.string().optional(),
  /** Paper: the method that found the weights; `equal-weights` if nothing could be fitted. */
  optimiser: z.string().optional(),
  /** Paper: false for the equal weights used as a fallback, and for rows of one class, which any weights fit. */
  calibrated: z.boolean().optional(),
  /** Run or file it was fitted on. */
  source: z.string().optional(),
  draws: z.number().int().optional(),
  /** Share of the rows held out; null: no holdout. */
  holdout: number.optional(),
  /** `overlap`, with `other`: evaluated verdicts whose decisions were also fitted on; null: unknown. */
  evaluated_on: z
    .looseObject({ kind: z.enum(["fitted", "holdout", "other"]), label: z.string(), overlap: number.optional() })
    .optional(),
  /** Shares of levels 1, 2, 3 among the fitted rows. */
  fitted_prior: z.array(z.number()).optional(),
  notes: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
  /** Details, as docs/formats.md describes them. */
  evaluation: z.unknown().optional(),
  baselines: z.unknown().optional(),
  classwise: z.unknown().optional(),
  paper: z.unknown().optional(),
  choice: z.unknown().optional(),
  skipped: z.unknown().optional(),
  prior_shift: z.unknown().optional(),
  temperatures: z.unknown().optional(),
  extraction: z.unknown().optional(),
  /** null: the method fits the weights of S, which is not a probability, so there is nothing to apply. */
  model: calibrationModelSchema.nullish(),
});

/** A calibration as stored, with the members that identify it. */
export const storedCalibrationSchema = calibrationSchema.required({
  format: true,
  calibration_id: true,
  created_at: true,
  evidence: true,
  target: true,
  score: true,
  seed: true,
});

export type CalibrationResult = z.infer<typeof calibrationSchema>;
export type StoredCalibration = z.infer<typeof storedCalibrationSchema>;
/** A calibration without an id. */
export type NewCalibration = CalibrationResult &
  Pick<StoredCalibration, "created_at" | "evidence" | "target" | "score" | "seed">;
export type CalibrationEvidence = z.infer<typeof calibrationEvidenceSchema>;
export type CalibrationTarget = z.infer<typeof calibrationTargetSchema>;

const text = z.string().nullish();

/** `pds_weights.json` as the paper prints it (Appendix B); more keys are allowed. */
export const weightsSchema = z.looseObject({
  alpha: z.number().min(0),
  beta: z.number().min(0),
  gamma: z.number().min(0),
  component: z.enum(["h_w", "h_kappa"]),
  loss: z.number().nullish(),
  n_samples: z.number().int().nullish(),
  /** The audits they were fitted on. Without it, it is unknown which auditor they are valid for. */
  fitted_on: z
    .looseObject({
      auditor: z.string(),
      auditor_version: text,
      prompt_version: text,
      template: text,
      signal: text,
      missing: text,
      run_id: text,
    })
    .nullish(),
  /** The method that found them: `closed-simplex`, `lbfgs-softmax`. */
  optimiser: text,
});
