import { z } from "zod";
import { figureSchema } from "./figure.js";

/** Every experiment whose result a workspace keeps, by its file `experiments/<kind>.json`. */
export const EXPERIMENT_KINDS = [
  "gap",
  "signal",
  "circularity",
  "tiers",
  "scopes",
  "diff",
  "stability",
  "attack",
  "dual",
  "humans",
  "validate",
  "replicate",
] as const;

export type ExperimentKind = (typeof EXPERIMENT_KINDS)[number];

/** The command that makes each result, and shows it again. */
export const EXPERIMENT_COMMANDS: Readonly<Record<ExperimentKind, string>> = {
  gap: "experiment gap",
  signal: "experiment signal",
  circularity: "experiment circularity",
  dual: "experiment dual",
  tiers: "rules tiers",
  scopes: "rules scopes",
  diff: "rules diff",
  stability: "stability",
  attack: "attack run",
  humans: "humans report",
  validate: "validate",
  replicate: "replicate",
};

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
