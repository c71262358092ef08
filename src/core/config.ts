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
  /** Price of a batch call as a share of the ordinary price. */
  batch: z.preprocess(percentAsNumber, z.number().min(0).max(1)).optional(),
});

/** `95%` as 0.95; anything else unchanged. */
function percentAsNumber(value: unknown): unknown {
  const share = typeof value === "string" && value.trim().endsWith("%") ? parseShare(value) : Number.NaN;
  return Number.isNaN(share) ? value : share;
}

const share = z.preprocess(percentAsNumber, z.number().gt(0).lt(1));

/** A minimum share: `0.9%` is treated as a typing error. */
const leastShare = z.preprocess((value, context) => {
  const meant = typeof value === "string" ? meantPercent(value) : null;
  if (meant !== null) {
    const message = `got "${value}"; did you mean ${meant}? To ask for so little, write ${parseShare(String(value))}`;
    context.addIssue({ code: "custom", message, input: value });
  }
  return percentAsNumber(value);
}, z.number().gt(0).lt(1));

/** Settings of `defensible gate`, which flags override; an absent one has its default. */
export const gateConfigSchema = z.strictObject({
  mode: z.enum(GATE_MODES).optional(),
  /** Minimum Defensibility Index, maximum Ambiguity Index, minimum number of verdicts of a community. */
  di: leastShare.optional(),
  ai: share.optional(),
  min_decisions: z.number().int().min(1).optional(),
  variable: z.enum(GATE_VARIABLES).optional(),
  by: z.array(z.enum(GATE_KEYS)).min(1).optional(),
  /** Largest allowed expected harm of a decision, in the units of the weights (`harm`). */
  harm: z.number().gt(0).optional(),
  /** Largest allowed share of indefensible decisions among those automated by score. */
  risk: share.optional(),
  /** Probability that a guarantee fails. */
  delta: share.optional(),
  /** Share of admitted communities that may be wrong, for mode shrunk. */
  q: share.optional(),
  review_share: z.preprocess(percentAsNumber, z.number().min(0).max(1)).optional(),
  /** A thread counts as at most this many decisions in certified mode. Fix it before any verdicts are known. */
  thread_cap: z.number().int().min(1).optional(),
  /** The gate uses the decisions of the last N days, over several runs; modes paper and shrunk only. */
  window_days: z.number().int().min(1).max(3660).optional(),
  /** The gate uses all decisions since this time, over several runs. */
  since: z.string().optional(),
  /** The gate uses all decisions since the start of the calendar month, quarter or year (UTC); each period starts afresh, with its own delta. */
  period: z.enum(GATE_PERIODS).optional(),
  /** For the live service: `scheduled` activates a new evaluation automatically; otherwise a person does. */
  apply: z.enum(["by_hand", "scheduled"]).optional(),
});

const plain = z.union([z.string(), z.number(), z.boolean()]);

/** How files from one source are imported; the keys are flags of `import`. */
export const importProfileSchema = z.strictObject({
  /** Column -> field, or fields. */
  map: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(1)])).optional(),
  /** Field -> its value in every row. */
  set: z.record(z.string(), plain).optional(),
  id_from: z.enum(["hash"]).optional(),
  /** Their name for an action -> ours. */
  value: z.record(z.string(), plain).optional(),
  /** Field -> their value -> ours. */
  map_value: z.record(z.string(), z.record(z.string(), plain)).optional(),
});

/** Weights by action. A zod record silently drops `__proto__`. */
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

/** `defensible.yaml`: the settings of a workspace. Command-line flags override them. */
export const configSchema = z.strictObject({
  version: z.literal(1),
  /** Name of the platform, for report headers. */
  platform: z.string().trim().min(1).max(80).optional(),
  actions: configActionsSchema.default(MODERATION_ACTIONS),
  auditor: z.string().min(1).default("baseline"),
  tier: tierSchema.default("wiki"),
  template: z.enum(TEMPLATES).default("paper"),
  temperature: z.number().min(0).max(2).default(0.2),
  seed: z.number().int().min(0).default(1),
  /** How to treat a label outside the listed candidates. */
  missing: z.enum(MISSING_MODES).optional(),
  /** Number of opposites that each run audits as flip control. */
  flip: z.number().int().min(0).max(1_000_000).optional(),
  /** Number of nearest alternatives of each decision that each run also audits, if there are more than two actions. */
  alternatives: z.number().int().min(0).max(MOST_ALTERNATIVES).optional(),
  /** Address of the server for `openai-compatible:…`. */
  base_url: z.string().min(1).optional(),
  dialect: z.string().min(1).optional(),
  context_tokens: z.number().int().min(512).optional(),
  /** Largest decompressed body of one answer, in MB. */
  max_answer_mb: z.number().min(0.1).max(256).optional(),
  /** A run stops after this many minutes of refused calls without a success. */
  give_up_minutes: z.number().gt(0).max(1440).optional(),
  /** USD per million tokens, by model; these override the built-in table. */
  prices: z.record(z.string(), priceSchema).optional(),
  /** USD per day (UTC) that all workers of the live service together may spend on audits. */
  usd_per_day: z.number().gt(0).optional(),
  /** How much harm an indefensible decision does, by action; 1 if unspecified. It is multiplied by a rule's own weight (`harm` in its set). */
  harm: z.strictObject({ actions: harmWeights }).optional(),
  gate: gateConfigSchema.optional(),
  statements: statementsConfigSchema.optional(),
  /** Import profiles by name, for `import --profile`. */
  import: z.record(z.string(), importProfileSchema).optional(),
});

export type GateConfig = z.infer<typeof gateConfigSchema>;
export type ImportProfile = z.infer<typeof importProfileSchema>;
export type Config = z.infer<typeof configSchema>;
