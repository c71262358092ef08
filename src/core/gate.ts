import { z } from "zod";
import { GATE_KEYS, GATE_MODES, GATE_STATES, GATE_VARIABLES } from "./names.js";
import { flipControlSchema, realisedRiskSchema } from "./results/realised-risk.js";

export {
  ACTION_ARM,
  auditSettings,
  BOOLEANS,
  BOUNDARY_STATES,
  type BoundaryState,
  ERASED,
  type ExperimentKind,
  FLIP_ARM,
  GATE_KEYS,
  GATE_MODES,
  GATE_PERIODS,
  GATE_STATES,
  GATE_VARIABLES,
  type GateKey,
  type GateMode,
  type GateState,
  type GateVariable,
  isArmsOnly,
  LABEL_DRAWS,
  LABEL_FLAGS,
  type LabelDraw,
  type LabelFlag,
  NO_RULES,
  SIMULATION_FILE,
  STABILITY_CLASSES,
  STABILITY_GROUPS,
  STATED_ARM,
  type StabilityClass,
  type StabilityGroup,
  TARGET_NAMES,
  TRUTH_FILE,
  targetName,
} from "./names.js";

const rate = z.number().nullable();
/** A part of the result that docs/formats.md describes. */
const block = z.looseObject({});

export const scenarioSchema = z.looseObject({
  name: z.string(),
  di: z.number(),
  ai: z.number(),
  passing: z.number().int(),
  community_coverage: rate,
  decision_coverage_eligible: rate,
  decision_coverage_all: rate,
  fleet_di: rate,
  fleet_ai: rate,
  base_indefensible_rate: rate,
  automated_indefensible_rate: rate,
  exposure_reduction: rate,
  conditional_risk_reduction: rate,
  random_gate_baseline: rate,
});

/** `after`: time of the decision that raised the alarm; only later ones can certify the community again. */
export const suspensionSchema = z.object({
  since: z.string(),
  reason: z.string(),
  after: z.string().nullish(),
  /** The alarm was raised by reviewers, or the community was suspended by hand. The auditor's verdicts cannot lift it, only `gate reinstate`. */
  by: z.enum(["reviews", "hand"]).optional(),
});

/** Expected harm of the decisions of one community, in the units of the weights. */
export const communityHarmSchema = z.looseObject({
  /** Mean over all verdicts of h for level 3 and 0 otherwise; null without verdicts. */
  mean: rate,
  /** 95%, for any distribution of harm and at every look; null without closed threads. */
  lower: rate,
  upper: rate,
  limit: z.number(),
  /** Whether this limit alone is met: as observed, by the probability of breaking it, and as proven before adjustment. */
  passes: z.object({ paper: z.boolean(), shrunk: z.boolean(), certified: z.boolean() }),
});

export const gateCommunitySchema = z.looseObject({
  community: z.string(),
  n: z.number().int(),
  indefensible: z.number().int(),
  inverse_yes: z.number().int(),
  di: rate,
  ai: rate,
  state: z.enum(GATE_STATES),
  suspended: suspensionSchema.nullable(),
  passes: z.object({ paper: z.boolean(), shrunk: z.boolean(), certified: z.boolean() }),
  more_decisions_needed: z.number().int().nullable(),
  /** Present if expected harm is limited. */
  harm: communityHarmSchema.optional(),
  /** Versions of the rules (`ruleset_version`) under which it was audited. */
  ruleset_versions: z.array(z.string()).optional(),
});

/** The audits behind a gate or a calibration: the properties that must match wherever it is applied. */
export const evidenceSchema = z.looseObject({
  run_id: z.string().nullable(),
  auditor: z.string().nullable(),
  auditor_version: z.string().nullable(),
  prompt_version: z.string().nullable(),
  template: z.string().nullable(),
  signal: z.string().nullable(),
  tier: z.string().nullable(),
  /** Extraction with missing labels as in the paper; absent or null: `floor`. */
  missing: z.string().nullish(),
});

/** A record of rates, parsed without `z.record`, which would drop a community called `__proto__` and with it the fact that it has no threshold. */
const thresholdsByName = z
  .unknown()
  .refine(isRecordOfRates, "expected a number or null for each community")
  .meta({
    type: "object",
    additionalProperties: { anyOf: [{ type: "number" }, { type: "null" }] },
  }) as unknown as z.ZodType<Record<string, number | null>>;

function isRecordOfRates(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => one === null || Number.isFinite(one));
}

const thresholdsSchema = z.looseObject({
  threshold: rate,
  reason: z.string().nullable(),
  /** Thresholds of communities with enough verdicts for their own. */
  by_community: thresholdsByName,
  /** Communities without a threshold because thresholds were certified on decisions of others: also null in `by_community`. */
  withheld: z.array(z.string()).optional(),
});

/** Automation inside communities: decisions whose score is at least the threshold. `threshold: null`: there is no threshold, with the reason. */
export const selectiveSchema = thresholdsSchema.extend({
  score: z.enum(["p_calibrated", "p_defensible"]),
  calibration_id: z.string().nullable(),
  /** `content_hash` of that calibration. */
  calibration_hash: z.string().nullish(),
  method: z.string(),
  /** Largest allowed share of indefensible decisions among the automated ones. */
  risk: z.number(),
  delta: z.number(),
  n: z.number().int(),
  /** Verdicts of the run behind the gate that reach their threshold, those of them at level 3, and all verdicts. Absent in older gates. */
  counts: z
    .object({ automated: z.number().int(), automated_indefensible: z.number().int(), verdicts: z.number().int() })
    .optional(),
  /** Thresholds of the restricting and of the other action. If present, they replace the common ones. */
  by_decision: z.object({ restricting: thresholdsSchema, other: thresholdsSchema }).nullish(),
});

/** How much harm an indefensible decision that cites a rule does; `community` is null for a rule of the platform. */
const harmRuleSchema = z.object({
  scope: z.enum(["platform", "community"]),
  community: z.string().nullable(),
  rule_id: z.string(),
  harm: z.number().min(0),
});

/** The limit on expected harm, and the harm weights: h = weight of the action · weight of the cited rule, each 1 if unspecified. */
export const gateHarmSchema = z.looseObject({
  limit: z.number().gt(0),
  /** The greatest harm that one decision can do under these weights. */
  max: z.number().gt(0),
  actions: z.record(z.string(), z.number().min(0)),
  rules: z.array(harmRuleSchema),
});

/** The result of `defensible gate`, and, in `gate/current.json`, the gate that `defensible route` follows. */
export const gateSchema = z.looseObject({
  mode: z.enum(GATE_MODES),
  thresholds: z.object({
    di: z.number(),
    ai: z.number(),
    min_decisions: z.number().int(),
    /** Largest allowed expected harm of a decision; absent: harm is not limited. */
    harm: z.number().optional(),
  }),
  fleet: scenarioSchema,
  scenarios: z.array(scenarioSchema),
  communities: z.array(gateCommunitySchema),
  format: z.literal(1).optional(),
  gate_id: z.string().optional(),
  created_at: z.string().optional(),
  by: z.array(z.enum(GATE_KEYS)).optional(),
  evidence: evidenceSchema.optional(),
  selective: selectiveSchema.nullish(),
  /** Share of the automatable decisions that go to review anyway, so that the gate remains measured. */
  review_share: z.number().min(0).max(1).optional(),
  variable: z.enum(GATE_VARIABLES).optional(),
  /** Error rates of certified and of shrunk mode, and the risk of automation by score. */
  delta: z.number().optional(),
  q: z.number().optional(),
  risk: z.number().optional(),
  adjust: z.string().optional(),
  look: z.enum(["once", "anytime"]).optional(),
  look_reason: z.string().optional(),
  /** Present if expected harm is limited. */
  harm: gateHarmSchema.optional(),
  /** A thread counts as at most this many decisions in certified mode. */
  thread_cap: z.number().int().min(1).optional(),
  /** The evidence of certified mode: threads, decisions in them, share beyond the cap, and the claim of a pass in words. */
  threads: block.optional(),
  /** Whether certified mode also required a proof by human labels (`--judge-error`). */
  judge_error_required: z.boolean().optional(),
  /** If so, the labels by cohort, which the gate uses in addition to the verdicts. */
  label_counts: z
    .array(
      z.object({
        key: z.string(),
        labels: z.number().int(),
        indefensible: z.number().int(),
        /** Labels drawn by verdict, by weight. */
        cells: z
          .array(z.object({ weight: z.number(), labels: z.number().int(), indefensible: z.number().int() }))
          .optional(),
      }),
    )
    .optional(),
  /** The method and guarantee of each mode, in words. */
  methods: z.record(z.string(), z.string()).optional(),
  run: z.looseObject({ run_id: z.string().nullable(), source: z.string().nullable() }).optional(),
  /** The window or epoch over several runs that the gate uses. */
  span: z
    .looseObject({
      window_days: z.number().nullable(),
      since: z.string().nullable(),
      from: z.string(),
      to: z.string(),
      runs: z.array(z.string()),
    })
    .optional(),
  /** Hash of the counts by community, to tell repeated looks at the same data from others. */
  data: z.string().optional(),
  /** The limits in every mode. */
  by_mode: z.record(z.enum(GATE_MODES), scenarioSchema).optional(),
  states: z.array(z.looseObject({ state: z.enum(GATE_STATES), communities: z.number().int() })).optional(),
  binding: block.optional(),
  frontier: block.nullish(),
  score_frontier: block.nullish(),
  selection: block.nullish(),
  slices: block.nullish(),
  judge_error: block.nullish(),
  flip_control: flipControlSchema.nullish(),
  holdout: block.nullish(),
  watch: block.nullish(),
  /** The risk of the automated decisions as measured by random reviews; null: none was drawn. */
  realised_risk: realisedRiskSchema.nullish(),
  in_force: z.looseObject({ status: z.string(), text: z.string() }).nullish(),
  closed: suspensionSchema.nullish(),
  notes: z.array(z.string()).optional(),
  /** Lets `route --gate` check that the file is unchanged; the signature is an HMAC under `DEFENSIBLE_GATE_KEY` if that is set. */
  content_hash: z.string().optional(),
  signature: z.string().optional(),
  checks: z.array(z.object({ requirement: z.string(), failures: z.array(z.string()) })).optional(),
});

/** The parts of a report about the gate beyond its counts; docs/formats.md describes them. */
export const gateFindingsSchema = z.looseObject({
  run_id: z.string(),
  in_force: z.boolean(),
  settings: block,
  holdout: block,
  slices: block.nullable(),
  judge_error: block.nullable(),
  watch: block.nullable(),
});

export type Gate = z.infer<typeof gateSchema>;
export type GateHarm = z.infer<typeof gateHarmSchema>;
export type HarmRule = z.infer<typeof harmRuleSchema>;
export type CommunityHarm = z.infer<typeof communityHarmSchema>;
export type GateCommunity = z.infer<typeof gateCommunitySchema>;
export type GateScenario = z.infer<typeof scenarioSchema>;
export type Evidence = z.infer<typeof evidenceSchema>;
export type Selective = z.infer<typeof selectiveSchema>;
export type Thresholds = z.infer<typeof thresholdsSchema>;
