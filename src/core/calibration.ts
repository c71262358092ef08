import { z } from "zod";
import { calibrationModelSchema } from "./calibration-model.js";
import { evidenceSchema } from "./gate.js";
import { labelSampleSchema } from "./records/label.js";

const number = z.number().nullable();

/** What a calibration may be measured or fitted against, the most worth first. `self` is the auditor's own level: the paper's circle. */
export const TARGET_KINDS = ["human", "gold", "auditor", "replicates", "self"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const calibrationTargetSchema = z.looseObject({
  kind: z.enum(TARGET_KINDS),
  /** Where it came from: a file, a run. */
  source: z.string().nullable(),
  /** The other auditor, where it is one and known. */
  auditor: z.string().nullish(),
  /** Verdicts that have it, and how many of these are level 3. */
  n: z.number().int(),
  indefensible: z.number().int(),
  /** How labels were drawn; only of labels. */
  sample: labelSampleSchema.optional(),
});

/** The audits behind a calibration. What it was fitted on must be what it is applied to. */
export const calibrationEvidenceSchema = evidenceSchema.extend({ temperature: number });

/** The result of `defensible calibrate`, and the file that keeps it. */
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
  /** SHA-256 of all the rest. Without it (files of earlier versions) nobody can tell whether it was changed, and routing does not use it. */
  content_hash: z.string().optional(),
  name: z.string().nullish(),
  created_at: z.string().optional(),
  software: z.string().optional(),
  evidence: calibrationEvidenceSchema.optional(),
  target: calibrationTargetSchema.optional(),
  /** Which score ece, brier, log_loss and auroc are about: `pds`, or `p_calibrated` of rows the model was not fitted on. */
  score: z.string().optional(),
  seed: z.number().int().optional(),
  /** The method asked for; `method` is the one that was chosen. */
  asked: z.string().optional(),
  /** Paper: what found the weights; `equal-weights` where nothing could be fitted. */
  optimiser: z.string().optional(),
  /** Paper: false for equal weights that stand in, and for rows of one class, which any weights fit. */
  calibrated: z.boolean().optional(),
  /** Run or file it was fitted on. */
  source: z.string().optional(),
  draws: z.number().int().optional(),
  /** Share of the rows held out; null: none. */
  holdout: number.optional(),
  /** `overlap`, with `other`: verdicts measured whose decisions were fitted on too; null: not known. */
  evaluated_on: z
    .looseObject({ kind: z.enum(["fitted", "holdout", "other"]), label: z.string(), overlap: number.optional() })
    .optional(),
  /** Shares of levels 1, 2, 3 among the rows fitted. */
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
  /** null: the method fits the weights of S, which is no probability, so that there is nothing to apply. */
  model: calibrationModelSchema.nullish(),
});

/** A calibration as it is kept: what identifies it is there. */
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
/** A calibration that has no id yet. */
export type NewCalibration = CalibrationResult &
  Pick<StoredCalibration, "created_at" | "evidence" | "target" | "score" | "seed">;
export type CalibrationEvidence = z.infer<typeof calibrationEvidenceSchema>;
export type CalibrationTarget = z.infer<typeof calibrationTargetSchema>;
