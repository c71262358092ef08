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
import { REPLICATE_STEPS, replicateSchema } from "./study/result.js";
import type { Step } from "./study/run/step.js";
import { validateSchema } from "./validate/result.js";

/** One experiment. Its command is `experiment NAME` unless `EXPERIMENT_COMMANDS` says otherwise. */
export interface Registered {
  does: string;
  /** The form of its results, from its `result.ts`. */
  schema: z.ZodType;
  /** Members of its results whose texts the program writes, next to those of `present/page/redact-report.ts`. A redacted report hashes the others. */
  shown?: readonly string[];
  /** Its part in `study`, next to those in `src/experiments/study/run/steps.ts`. */
  step?: () => Promise<Step>;
  /** Its command, where `src/cli/experiment/command.ts` makes it. */
  load?: () => Promise<Slice>;
}

/**
 * Every experiment, one line each; the kept result of each is `experiments/NAME.json`. Commands, schemas, checks of kept results and redaction are derived from
 * this list, and a folder is loaded when it is asked for.
 */
export const EXPERIMENTS: Readonly<Record<string, Registered>> = {
  gap: {
    does: "the gap between agreement with people and defensibility, for one or several cohorts",
    schema: gapExperimentSchema,
    load: async () => (await import("./gap/experiment.js")).gap,
  },
  signal: {
    does: "what S, σ(ρ), entropies and plain output confidence say of a decision, and how far to trust each",
    schema: signalExperimentSchema,
    load: async () => (await import("./signal/experiment.js")).signal,
  },
  circularity: {
    does: "do the indices measure the rules or the auditor's taste: four channels of evidence, and the truth",
    schema: circularitySchema,
    load: async () => (await import("./circularity/experiment.js")).circularity,
  },
  dual: {
    does: "audit each decision and its opposite apart: what do the rules settle, and is the inverse check right?",
    schema: dualSchema,
    load: async () => (await import("./dual/experiment.js")).dual,
  },
  backbone: {
    does: "cross deciders with auditors: do auditors favour decisions of their own family?",
    schema: backboneSchema,
    load: async () => (await import("./backbone/experiment.js")).backbone,
    step: async () => (await import("./backbone/experiment.js")).backboneStep,
  },
  tiers: {
    does: "audit the same decisions under titles, titles with descriptions, and the full text: what does detail settle?",
    schema: tiersSchema,
    load: async () => (await import("./rules/experiment.js")).tiers,
  },
  scopes: {
    does: "audit the same decisions under all rules, the platform's alone and the community's alone: whose rules leave them open?",
    schema: scopesSchema,
    load: async () => (await import("./rules/experiment.js")).scopes,
  },
  diff: {
    does: "what a change of the rules does to decisions",
    schema: rulesDiffSchema,
  },
  stability: {
    does: "audit the same decisions repeatedly: which verdicts hold?",
    schema: stabilitySchema,
  },
  attack: {
    does: "make wrong decisions that look right: is it noticed?",
    schema: attackResultSchema,
  },
  humans: {
    does: "compare the auditor with human raters",
    schema: humansSchema,
  },
  validate: {
    does: "check the methods on simulated data, where the truth is known",
    schema: validateSchema,
  },
  replicate: {
    does: "all experiments in one go",
    schema: replicateSchema,
  },
};

/** The names of all steps of `study`, in the order in which they are done. */
export function stepNames(): string[] {
  return [...REPLICATE_STEPS, ...Object.keys(EXPERIMENTS).filter((name) => EXPERIMENTS[name]!.step)];
}
