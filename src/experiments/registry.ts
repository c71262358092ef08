import type { z } from "zod";
import type { Slice, SliceGroup } from "./slice.js";
import type { Step } from "./study/run/step.js";

/** One experiment. */
export interface Registered<Result extends { default: z.ZodType } = { default: z.ZodType }> {
  does: string;
  /** The command that makes or shows a result, if it is not `experiment NAME`. */
  command?: string;
  /** The help heading of its command, unless it is a subcommand. */
  group?: "Trust" | "Research";
  /** A deprecated name of its command, hidden from the help, with the defaults of its options. */
  older?: { name: string; does: string; defaults: Readonly<Record<string, unknown>> };
  /** Its `result.ts`, whose default export is the format of its results. */
  result: () => Promise<Result>;
  /** The name of that format, if it differs, and further formats. */
  format?: string;
  formats?: Readonly<Record<string, () => Promise<z.ZodType>>>;
  /**
   * Fields of its results whose texts the program writes, in addition to those in `present/page/redact-report.ts`. A redacted report hashes
   * all other texts.
   */
  shown?: readonly string[];
  load: () => Promise<Slice | SliceGroup>;
  /** Its steps in `study`, with the tables of `study` before or after them. */
  steps?: Readonly<Record<string, () => Promise<Step>>>;
}

/** A table that `study` itself makes. */
const table = (name: "calibration" | "gate" | "tokens") => async () => (await import("./study/gate-table.js"))[name];

/** Types an entry of the list by its results only. */
const line = <Result extends { default: z.ZodType }>(one: Registered<Result>): Registered<Result> => one;

const LIST = {
  gap: line({
    does: "the gap between agreement with people and defensibility, for one or several cohorts",
    result: () => import("./gap/result.js"),
    load: async () => (await import("./gap/experiment.js")).gap,
    steps: { calibration: table("calibration"), gap: async () => (await import("./gap/experiment.js")).gapStep },
  }),
  signal: line({
    does: "what S, σ(ρ), entropies and plain output confidence say of a decision, and how far to trust each",
    result: () => import("./signal/result.js"),
    load: async () => (await import("./signal/experiment.js")).signal,
    steps: { signal: async () => (await import("./signal/experiment.js")).signalStep, gate: table("gate") },
  }),
  tiers: line({
    command: "rules tiers",
    does: "audit the same decisions under titles, titles with descriptions, and the full text: what does more detail settle?",
    result: () => import("./rules/tiers/result.js"),
    load: async () => (await import("./rules/experiment.js")).tiers,
    steps: { tiers: async () => (await import("./rules/experiment.js")).tiersStep },
  }),
  scopes: line({
    command: "rules scopes",
    does: "audit the same decisions under all rules, the platform's alone and the community's alone: whose rules leave them open?",
    result: () => import("./rules/scopes/result.js"),
    load: async () => (await import("./rules/experiment.js")).scopes,
    steps: { scopes: async () => (await import("./rules/experiment.js")).scopesStep },
  }),
  stability: line({
    command: "stability",
    does: "audit the same decisions repeatedly, to see which verdicts hold",
    group: "Trust",
    result: () => import("./stability/result.js"),
    load: async () => (await import("./stability/experiment.js")).stability,
    steps: { stability: async () => (await import("./stability/experiment.js")).stabilityStep },
  }),
  attack: line({
    command: "attack run",
    does: "make wrong decisions that look right: does the auditor notice?",
    group: "Trust",
    result: () => import("./attack/result.js"),
    formats: { attack_case: async () => (await import("./attack/result.js")).attackCaseSchema },
    load: async () => (await import("./attack/experiment.js")).attack,
    steps: { attack: async () => (await import("./attack/experiment.js")).attackStep },
  }),
  dual: line({
    does: "audit each decision and its opposite apart: what do the rules settle, and is the inverse check right?",
    result: () => import("./dual/result.js"),
    load: async () => (await import("./dual/experiment.js")).dual,
    steps: { dual: async () => (await import("./dual/experiment.js")).dualStep },
  }),
  humans: line({
    command: "humans report",
    does: "compare the auditor with human raters",
    group: "Trust",
    result: () => import("./humans/result.js"),
    formats: { rating_key: async () => (await import("./humans/result.js")).ratingKeySchema },
    load: async () => (await import("./humans/experiment.js")).humans,
    steps: { humans: async () => (await import("./humans/experiment.js")).humansStep },
  }),
  validate: line({
    command: "validate",
    does: "check the methods on simulated data, where the truth is known",
    group: "Trust",
    result: () => import("./validate/result.js"),
    load: async () => (await import("./validate/experiment.js")).validate,
    steps: { validate: async () => (await import("./validate/experiment.js")).validateStep },
  }),
  circularity: line({
    does: "do the indices measure the rules or the auditor's taste: four channels of evidence, and the truth",
    result: () => import("./circularity/result.js"),
    load: async () => (await import("./circularity/experiment.js")).circularity,
    steps: {
      circularity: async () => (await import("./circularity/experiment.js")).circularityStep,
      tokens: table("tokens"),
    },
  }),
  backbone: line({
    does: "cross deciders with auditors: do auditors favour decisions of their own family?",
    result: () => import("./backbone/result.js"),
    load: async () => (await import("./backbone/experiment.js")).backbone,
    steps: { backbone: async () => (await import("./backbone/experiment.js")).backboneStep },
  }),
  diff: line({
    command: "rules diff",
    does: "audit past decisions under old and new rules or precedents: what would a rewrite do to them?",
    result: () => import("./rules/diff/result.js"),
    format: "rules_diff",
    load: async () => (await import("./rules/experiment.js")).diff,
  }),
  replicate: line({
    command: "study",
    does: "run all experiments; compare with another study or the paper",
    group: "Research",
    older: { name: "replicate", does: "the same as study --reference paper", defaults: { reference: "paper" } },
    result: () => import("./study/result.js"),
    load: async () => (await import("./study/experiment.js")).study,
  }),
};

/**
 * Every experiment, one line each, in the order of `study`; the kept result of each is `experiments/NAME.json`. Commands, schemas, checks
 * of kept results, redaction and the steps of `study` are derived from this list. An experiment's folder is loaded on demand.
 */
export const EXPERIMENTS: Readonly<Record<string, Registered>> = LIST;

export const commandOf = (name: string): string => EXPERIMENTS[name]?.command ?? `experiment ${name}`;

/** The `result.ts` of each experiment. */
export type ResultFiles = { -readonly [Kind in keyof typeof LIST]: Awaited<ReturnType<(typeof LIST)[Kind]["result"]>> };

/** Formats of experiments by their names in `defensible schema`. */
export function experimentFormats(): Record<string, () => Promise<z.ZodType>> {
  const lists = Object.entries(EXPERIMENTS).map(([name, { format = name, result, formats }]) => ({
    [format]: async () => (await result()).default,
    ...formats,
  }));
  return Object.assign({}, ...lists);
}

const stepLoaders = () => Object.values(EXPERIMENTS).flatMap(({ steps = {} }) => Object.entries(steps));

/** The names of all steps of `study`, in the order in which they run. */
export const stepNames = (): string[] => stepLoaders().map(([name]) => name);

/** The steps of `study`, in the same order. */
export const loadSteps = (): Promise<Step[]> => Promise.all(stepLoaders().map(([, load]) => load()));
