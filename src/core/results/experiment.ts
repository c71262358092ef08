import { z } from "zod";
import { figureSchema } from "../figure.js";
import { EXPERIMENT_KINDS } from "../names.js";

export { EXPERIMENT_COMMANDS, EXPERIMENT_KINDS, type ExperimentKind } from "../names.js";

/** What the results of all experiments have in common; each adds its own fields. */
export const experimentSchema = z.looseObject({
  format: z.literal(1),
  experiment: z.enum(EXPERIMENT_KINDS),
  /** Runs it was computed from, oldest first; empty for files. */
  runs: z.array(z.string()),
  /** Seed and draws of everything random in it. */
  random: z.looseObject({ seed: z.number().int() }).optional(),
  figures: z.array(figureSchema),
  warnings: z.array(z.string()),
});

export type Experiment = z.infer<typeof experimentSchema>;
