import type { z } from "zod";
import { attackResultSchema } from "./attack/result.js";
import { backboneSchema } from "./backbone/result.js";
import { circularitySchema } from "./circularity/result.js";
import { dualSchema } from "./dual/result.js";
import { gapExperimentSchema } from "./gap/result.js";
import { humansSchema } from "./humans/result.js";
import { rulesDiffSchema } from "./rules/diff/result.js";
import { scopesSchema } from "./rules/scopes/result.js";
import { tiersSchema } from "./rules/tiers/result.js";
import { signalExperimentSchema } from "./signal/result.js";
import type { Slice } from "./slice.js";
import { stabilitySchema } from "./stability/result.js";
import { replicateSchema } from "./study/result.js";
import type { Step } from "./study/run/step.js";
import { validateSchema } from "./validate/result.js";

/** One experiment. Its command is `experiment NAME` unless `EXPERIMENT_COMMANDS` says otherwise. */
export interface Registered {
  does: string;
  /** The form of its results, from its `result.ts`. */
  schema: z.ZodType;
  /** Members of its results whose texts the program writes, next to those of `present/page/redact-report.ts`. A redacted report hashes the others. */
  shown?: readonly string[];
  /** Its command, where `src/cli/experiment/command.ts` makes it. */
  load?: () => Promise<Slice>;
  /** Its part in `study`, and tables of `study` that come before or after it. */
  steps?: Readonly<Record<string, () => Promise<Step>>>;
}

/** A table that `study` makes itself. */
const table = (name: "calibration" | "gate" | "tokens") => async () => (await import("./study/run/tables.js"))[name];

/**
 * Every experiment, one line each, in the order of `study`; the kept result of each is `experiments/NAME.json`. Commands, schemas, checks of kept results,
 * redaction and the steps of `study` are derived from this list, and a folder is loaded when it is asked for.
 */
export const EXPERIMENTS: Readonly<Record<string, Registered>> = {
  gap: {
    does: "the gap between agreement with people and defensibility, for one or several cohorts",
    schema: gapExperimentSchema,
    load: async () => (await import("./gap/experiment.js")).gap,
    steps: { calibration: table("calibration"), gap: async () => (await import("./gap/experiment.js")).gapStep },
  },
  signal: {
    does: "what S, σ(ρ), entropies and plain output confidence say of a decision, and how far to trust each",
    schema: signalExperimentSchema,
    load: async () => (await import("./signal/experiment.js")).signal,
    steps: { signal: async () => (await import("./signal/experiment.js")).signalStep, gate: table("gate") },
  },
  tiers: {
    does: "audit the same decisions under titles, titles with descriptions, and the full text: what does detail settle?",
    schema: tiersSchema,
    load: async () => (await import("./rules/experiment.js")).tiers,
    steps: { tiers: async () => (await import("./rules/experiment.js")).tiersStep },
  },
  scopes: {
    does: "audit the same decisions under all rules, the platform's alone and the community's alone: whose rules leave them open?",
    schema: scopesSchema,
    load: async () => (await import("./rules/experiment.js")).scopes,
    steps: { scopes: async () => (await import("./rules/experiment.js")).scopesStep },
  },
  stability: {
    does: "audit the same decisions repeatedly: which verdicts hold?",
    schema: stabilitySchema,
    steps: { stability: async () => (await import("./stability/experiment.js")).stabilityStep },
  },
  attack: {
    does: "make wrong decisions that look right: is it noticed?",
    schema: attackResultSchema,
    steps: { attack: async () => (await import("./attack/experiment.js")).attackStep },
  },
  dual: {
    does: "audit each decision and its opposite apart: what do the rules settle, and is the inverse check right?",
    schema: dualSchema,
    load: async () => (await import("./dual/experiment.js")).dual,
    steps: { dual: async () => (await import("./dual/experiment.js")).dualStep },
  },
  humans: {
    does: "compare the auditor with human raters",
    schema: humansSchema,
    steps: { humans: async () => (await import("./humans/experiment.js")).humansStep },
  },
  validate: {
    does: "check the methods on simulated data, where the truth is known",
    schema: validateSchema,
    steps: { validate: async () => (await import("./validate/experiment.js")).validateStep },
  },
  circularity: {
    does: "do the indices measure the rules or the auditor's taste: four channels of evidence, and the truth",
    schema: circularitySchema,
    load: async () => (await import("./circularity/experiment.js")).circularity,
    steps: {
      circularity: async () => (await import("./circularity/experiment.js")).circularityStep,
      tokens: table("tokens"),
    },
  },
  backbone: {
    does: "cross deciders with auditors: do auditors favour decisions of their own family?",
    schema: backboneSchema,
    load: async () => (await import("./backbone/experiment.js")).backbone,
    steps: { backbone: async () => (await import("./backbone/experiment.js")).backboneStep },
  },
  diff: {
    does: "what a change of the rules does to decisions",
    schema: rulesDiffSchema,
  },
  replicate: {
    does: "all experiments in one go",
    schema: replicateSchema,
  },
};

const stepLoaders = () => Object.values(EXPERIMENTS).flatMap(({ steps = {} }) => Object.entries(steps));

/** The names of all steps of `study`, in the order in which they are done. */
export const stepNames = (): string[] => stepLoaders().map(([name]) => name);

/** The steps of `study`, in that order. */
export const loadSteps = (): Promise<Step[]> => Promise.all(stepLoaders().map(([, load]) => load()));
