import { z } from "zod";
import type { ResultFiles } from "../../experiments/registry.js";
import { figureSchema } from "../figure.js";

/** The stored result of each experiment, by kind. It was validated against its own schema when it was read. */
export type ExperimentResults = { -readonly [Kind in keyof ResultFiles]: z.infer<ResultFiles[Kind]["default"]> };

export type { ExperimentKind } from "../names.js";

/** The name of an experiment; `src/experiments/registry.ts` lists those of this version. */
export const experimentNameSchema = z.string().regex(/^[a-z][a-z_]*$/);

/** The fields common to all experiment results; each adds its own. */
export const experimentSchema = z.looseObject({
  format: z.literal(1),
  experiment: experimentNameSchema,
  /** Runs it was computed from, oldest first; empty for files. */
  runs: z.array(z.string()),
  /** Seed and draws of everything random in it. */
  random: z.looseObject({ seed: z.number().int() }).optional(),
  figures: z.array(figureSchema),
  warnings: z.array(z.string()),
});

export type Experiment = z.infer<typeof experimentSchema>;
