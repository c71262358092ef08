import { z } from "zod";

const text = z.string().nullish();

/** `pds_weights.json` as the paper prints it (Appendix B); more keys are allowed. */
export const weightsSchema = z.looseObject({
  alpha: z.number().min(0),
  beta: z.number().min(0),
  gamma: z.number().min(0),
  component: z.enum(["h_w", "h_kappa"]),
  loss: z.number().nullish(),
  n_samples: z.number().int().nullish(),
  /** Whose audits they were fitted on. Without it nobody knows whom they suit. */
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
  /** What found them: `closed-simplex`, `lbfgs-softmax`. */
  optimiser: text,
});
