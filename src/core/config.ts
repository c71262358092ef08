import { z } from "zod";
import { GATE_KEYS, GATE_MODES, GATE_PERIODS, GATE_VARIABLES } from "./gate.js";
import { MODERATION_ACTIONS, MOST_ALTERNATIVES } from "./records/actions.js";
import { MISSING_MODES, TEMPLATES } from "./records/audit.js";
import { configActionsSchema } from "./records/manifest.js";
import { tierSchema } from "./records/rule-set.js";
import { statementsConfigSchema } from "./records/statement.js";
import { meantPercent, parseShare } from "./text-checks.js";

export const priceSchema = z.strictObject({
  input: z.number().min(0),
  cached_input: z.number().min(0).optional(),
  output: z.number().min(0),
  /** Price of a batch as a share of the ordinary one. */
  batch: z.preprocess(percentAsNumber, z.number().min(0).max(1)).optional(),
});

/** `95%` as 0.95; everything else as it is. */
function percentAsNumber(value: unknown): unknown {
  const share = typeof value === "string" && value.trim().endsWith("%") ? parseShare(value) : Number.NaN;
  return Number.isNaN(share) ? value : share;
}

const share = z.preprocess(percentAsNumber, z.number().gt(0).lt(1));

/** A least share: `0.9%` is taken for a slip. */
const leastShare = z.preprocess((value, context) => {
  const meant = typeof value === "string" ? meantPercent(value) : null;
  if (meant !== null) {
    const message = `got "${value}"; did you mean ${meant}? To ask for so little, write ${parseShare(String(value))}`;
    context.addIssue({ code: "custom", message, input: value });
  }
  return percentAsNumber(value);
}, z.number().gt(0).lt(1));

/** How `defensible gate` decides unless a flag says otherwise; what is not given has its default. */
export const gateConfigSchema = z.strictObject({
  mode: z.enum(GATE_MODES).optional(),
  /** Least Defensibility Index, greatest Ambiguity Index, fewest verdicts of a community. */
  di: leastShare.optional(),
  ai: share.optional(),
  min_decisions: z.number().int().min(1).optional(),
  variable: z.enum(GATE_VARIABLES).optional(),
  by: z.array(z.enum(GATE_KEYS)).min(1).optional(),
  /** Greatest expected harm of a decision, in the units of the weights (`harm`). */
  harm: z.number().gt(0).optional(),
  /** Greatest share of indefensible decisions among those automated by their score. */
  risk: share.optional(),
  /** Probability that a promise does not hold. */
  delta: share.optional(),
  /** Share of admitted communities that may be wrong, for mode shrunk. */
  q: share.optional(),
  review_share: z.preprocess(percentAsNumber, z.number().min(0).max(1)).optional(),
  /** A thread counts as at most this many decisions in certified mode. To be fixed before verdicts are seen. */
  thread_cap: z.number().int().min(1).optional(),
  /** The gate rests on the decisions of the last so many days, over several runs; modes paper and shrunk only. */
  window_days: z.number().int().min(1).max(3660).optional(),
  /** The gate rests on all decisions since this time, over several runs. */
  since: z.string().optional(),
  /** The gate rests on all decisions since the calendar's month, quarter or year began (UTC); each begins anew, with its own delta. */
  period: z.enum(GATE_PERIODS).optional(),
  /** Of the live service: `scheduled` activates a new evaluation by itself; otherwise a person does. */
  apply: z.enum(["by_hand", "scheduled"]).optional(),
});

const plain = z.union([z.string(), z.number(), z.boolean()]);

/** How files of one origin are imported; its keys are flags of `import`. */
export const importProfileSchema = z.strictObject({
  /** Column -> field, or fields. */
  map: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)])).optional(),
  /** Field -> what it is in every row. */
  set: z.record(z.string(), plain).optional(),
  id_from: z.enum(["hash"]).optional(),
  /** Their word for an action -> ours. */
  value: z.record(z.string(), plain).optional(),
  /** Field -> their value -> ours. */
  map_value: z.record(z.string(), z.record(z.string(), plain)).optional(),
});

/** Weights by action. A record leaves `__proto__` out without a word. */
const harmWeights = z.preprocess(
  (value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")) {
      const message = 'got "__proto__", expected the name of an action';
      context.addIssue({ code: "custom", message, input: value });
    }
    return value;
  },
  z.record(z.string(), z.number().min(0)),
);

/** `defensible.yaml`: the settings of a workspace. Flags of a command override them. */
export const configSchema = z.strictObject({
  version: z.literal(1),
  /** Name of the platform, for the head of reports. */
  platform: z.string().trim().min(1).max(80).optional(),
  actions: configActionsSchema.default(MODERATION_ACTIONS),
  auditor: z.string().min(1).default("baseline"),
  tier: tierSchema.default("wiki"),
  template: z.enum(TEMPLATES).default("paper"),
  temperature: z.number().min(0).max(2).default(0.2),
  seed: z.number().int().min(0).default(1),
  /** What a label outside the listed candidates counts as. */
  missing: z.enum(MISSING_MODES).optional(),
  /** Opposites that each run audits as flip control. */
  flip: z.number().int().min(0).max(1_000_000).optional(),
  /** Nearest alternatives of each decision that each run audits too, where there are more than two actions. */
  alternatives: z.number().int().min(0).max(MOST_ALTERNATIVES).optional(),
  /** Address of the server of `openai-compatible:…`. */
  base_url: z.string().min(1).optional(),
  dialect: z.string().min(1).optional(),
  context_tokens: z.number().int().min(512).optional(),
  /** Largest body of one answer, inflated, in MB. */
  max_answer_mb: z.number().min(0.1).max(256).optional(),
  /** Minutes of refusals without any success after which a run stops. */
  give_up_minutes: z.number().gt(0).max(1440).optional(),
  /** USD per million tokens, by model; they go before the built-in table. */
  prices: z.record(z.string(), priceSchema).optional(),
  /** USD that all workers of the live service together may spend on audits in a day (UTC). */
  usd_per_day: z.number().gt(0).optional(),
  /** How much harm an indefensible decision does, by action; 1 where none is named. A rule's own weight (`harm` in its set) multiplies it. */
  harm: z.strictObject({ actions: harmWeights }).optional(),
  gate: gateConfigSchema.optional(),
  statements: statementsConfigSchema.optional(),
  /** By their names, for `import --profile`. */
  import: z.record(z.string(), importProfileSchema).optional(),
});

export type GateConfig = z.infer<typeof gateConfigSchema>;
export type ImportProfile = z.infer<typeof importProfileSchema>;
export type Config = z.infer<typeof configSchema>;
