import { z } from "zod";
import type { Actions } from "./actions.js";

export const actionsSchema = z
  .strictObject({ positive: z.string().min(1), negative: z.string().min(1) })
  .refine(
    (actions) => actions.positive !== actions.negative,
    "the two actions must differ",
  ) satisfies z.ZodType<Actions>;
