import { z } from "zod";

/** The result of `defensible stability`. */
export const stabilitySchema = z.looseObject({
  cases: z.array(
    z.looseObject({
      decision_id: z.string(),
      temperature: z.number(),
      k: z.number().int(),
      p_level_3: z.number().nullable(),
      dominant_share: z.number().nullable(),
      class: z.enum(["rock_solid", "mostly_stable", "moderate", "highly_unstable", "undetermined"]),
      boundary: z.enum(["stably_defensible", "boundary_unstable", "stably_indefensible", "undetermined"]),
      sd_pds: z.number().nullable(),
      sd_p_defensible: z.number().nullable(),
    }),
  ),
});
