import { z } from "zod";

const number = z.number().nullable();

/** The result of `defensible calibrate`. */
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
});
