import { z } from "zod";
import { InputError } from "../errors.js";
import { experimentNameSchema } from "../results/experiment.js";
import { type Actions, actionsProblem, actionsText, severalActions } from "./actions.js";
import { MISSING_MODES, SIGNAL_MODES, TEMPLATES, usageSchema } from "./audit.js";
import { tierSchema } from "./rule-set.js";

const actionName = z.string().min(1);

export const actionsSchema = z
  .strictObject({
    positive: actionName,
    negative: actionName,
    /** Only if there are more than two: all of them, mildest first. */
    all: z
      .array(z.strictObject({ name: actionName, severity: z.number() }))
      .min(3)
      .optional(),
  })
  .superRefine((actions, context) => {
    const message = actionsProblem(actions);
    if (message !== null) context.addIssue({ code: "custom", message });
  }) satisfies z.ZodType<Actions>;

/** Actions as `defensible.yaml` may give them: two by name, a list of three or more (mildest first), or the list as `all` with the split named. */
export const configActionsSchema = z.preprocess((value) => {
  if (Array.isArray(value)) return value.length < 3 ? value : severalActions(value);
  const { all, positive } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (!Array.isArray(all)) return value;
  const several = severalActions(all, positive as string | undefined);
  return { ...several, ...(value as object), all: several.all };
}, actionsSchema);

/** Rejects actions that cannot be told apart. */
export function checkActions(actions: Actions, given = actionsText(actions)): Actions {
  const same = actions.positive.toLowerCase() === actions.negative.toLowerCase();
  const problem = actionsSchema.safeParse(actions).error?.issues[0]?.message;
  if (problem === undefined && !same) return actions;
  const isExplained = actions.all || (!same && actionsProblem(actions) !== null);
  throw new InputError(
    "bad_actions",
    `actions: got "${given}"${isExplained ? `: ${problem}` : ", expected two different names"}`,
    actions.all
      ? "Name three or more different actions, mildest first, such as allow,label,remove,ban."
      : "Name the restricting action first, such as remove,approve.",
  );
}

export const runCountsSchema = z.object({
  planned: z.number().int(),
  verdicts: z.number().int(),
  unscored: z.number().int(),
  errors: z.number().int(),
});

/** What an arm of an experiment changes; `book` is the id of other rules or precedents. */
export const armSchema = z.looseObject({
  name: z.string(),
  tier: tierSchema.optional(),
  template: z.enum(TEMPLATES).optional(),
  temperature: z.number().optional(),
  scope: z.enum(["platform", "community"]).optional(),
  precedents: z.boolean().optional(),
  opposite: z.boolean().optional(),
  /** The action that is audited instead of the one taken, if it is one of the `nearest` alternatives to that. */
  alternative: z.object({ action: z.string(), nearest: z.number().int() }).optional(),
  /** Arms with the same value used the same random numbers; default: its name. */
  draws: z.string().optional(),
  book: z.string().optional(),
  /** For an arm with its own template. */
  prompt_version: z.string().optional(),
});

/** `runs/<run_id>/manifest.json`: the definition of a run, so that it can be resumed, compared and repeated. */
export const manifestSchema = z.looseObject({
  format: z.literal(1),
  run_id: z.string(),
  parent_run_id: z.string().nullable(),
  status: z.enum(["open", "sealed"]),
  created_at: z.string(),
  sealed_at: z.string().nullable(),
  software: z.string(),
  /** Hash of everything that determines the run's content; repeating a command resumes the open run with the same hash. */
  fingerprint: z.string(),
  auditor: z.string(),
  auditor_version: z.string(),
  prompt_version: z.string(),
  template: z.enum(TEMPLATES),
  tier: tierSchema,
  temperature: z.number(),
  signal: z.enum(SIGNAL_MODES),
  /** How to treat a label outside the candidates; absent: `floor`. */
  missing: z.enum(MISSING_MODES).optional(),
  replicates: z.number().int().min(1),
  humans: z.boolean(),
  seed: z.number().int(),
  actions: actionsSchema,
  /** How decisions were selected, in a form that a person can repeat: cohort, filters, communities, sample, limit. */
  selection: z.record(z.string(), z.unknown()),
  hashes: z.object({ decisions: z.string(), rules: z.string(), precedents: z.string() }),
  weights: z.object({
    alpha: z.number(),
    beta: z.number(),
    gamma: z.number(),
    component: z.enum(["h_w", "h_kappa"]),
    calibrated: z.boolean(),
    /** `unknown`: the weights file does not say which auditor it was fitted for. */
    provenance: z.enum(["fitted", "unknown"]).optional(),
  }),
  counts: runCountsSchema,
  /** Number of decisions that the run audits; `counts.planned` counts each once per replicate and arm. */
  decisions: z.number().int().optional(),
  /** If the run was made for an experiment: its arms, and whatever else determined its audits. Reports on the newest run skip it. */
  experiment: z
    .looseObject({
      kind: experimentNameSchema,
      arms: z.array(armSchema),
      design: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  /** Maximum number of opposites to audit as flip control; "all": for every decision. */
  flip: z.union([z.number().int().min(1), z.literal("all")]).optional(),
  /** Counts of their audits, which are not in `counts`. */
  flip_counts: runCountsSchema.optional(),
  /** How many nearest alternatives of each decision were also audited, as arms `action=…`; `counts` includes their audits. */
  alternatives: z.number().int().min(1).optional(),
  /** Whether restrictions were audited again under only the rules that their stated reasons name, as arm `stated`; `counts` includes these audits. */
  stated_reasons: z.boolean().optional(),
  /** Draws of one audit, with signal `sampling`. */
  samples: z.number().int().optional(),
  /** Server of a model that could run anywhere. */
  endpoint: z.string().optional(),
  /** The name of the scrubbing rules applied before the model saw the case; never the hidden text. */
  scrub: z.string().optional(),
  context_tokens: z.number().int().optional(),
  /** Decisions whose decider is a model of the auditor's family. */
  same_family: z.object({ decisions: z.number().int(), of: z.number().int() }).optional(),
  /** Capabilities of the model, probed before the run. */
  capabilities: z.record(z.string(), z.unknown()).optional(),
  /** Total usage and cost of the audits. */
  usage: usageSchema.optional(),
  /** One entry for each process that worked on the run: calls, faults, calls in flight. */
  scheduler: z.array(z.record(z.string(), z.unknown())).optional(),
});

export type ArmRecord = z.infer<typeof armSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type RunCounts = z.infer<typeof runCountsSchema>;

/** How a cohort was chosen, in enough detail to choose it again from the same decisions. */
export const cohortSelectionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("random"), size: z.number().int().min(1), seed: z.number().int() }),
  z.object({ kind: z.literal("balanced"), size: z.number().int().min(1), seed: z.number().int() }),
  z.object({ kind: z.literal("filter"), filters: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal("file"), file: z.string() }),
]);

/** A named, recorded selection of decisions, such as the paper's Random and Balanced Samples. */
export const cohortSchema = z.looseObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "use lower-case letters, digits, - and _"),
  selection: cohortSelectionSchema,
  /** Number of decisions it was chosen from. */
  population: z.number().int(),
  created_at: z.string(),
  decision_ids: z.array(z.string()),
});

export type Cohort = z.infer<typeof cohortSchema>;
export type CohortSelection = z.infer<typeof cohortSelectionSchema>;
