import { z } from "zod";

/** `pds_weights.json` as the paper prints it (Appendix B); more keys are allowed. */
export const weightsSchema = z.looseObject({
  alpha: z.number().min(0),
  beta: z.number().min(0),
  gamma: z.number().min(0),
  component: z.enum(["h_w", "h_kappa"]),
  loss: z.number().nullish(),
  n_samples: z.number().int().nullish(),
});
