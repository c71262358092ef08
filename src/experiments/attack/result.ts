import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { contentSchema } from "../../core/records/decision.js";
import { experimentSchema } from "../../core/results/experiment.js";

/** What an attack does. `clean` is not an attack: a case that no layer should flag. */
export const ATTACK_KINDS = [
  "clean",
  "action_flip",
  "hallucinated_grounding",
  "penumbra",
  "rule_paraphrase",
  "precedence_inversion",
  "citation_splice",
  "foreign_language",
  "prompt_injection",
] as const;

export type AttackKind = (typeof ATTACK_KINDS)[number];

/** What is changed: the case shown to the auditor, or the citation of a finished audit. */
export const ATTACK_TARGETS = ["input", "trace"] as const;
export type AttackTarget = (typeof ATTACK_TARGETS)[number];

const ruleReference = z.object({ scope: z.enum(["platform", "community"]), rule_id: z.string() });

/**
 * One line of an attack file. A file from another source needs `id`, `kind`, `community`, `content` and `decision`; a trace attack also
 * needs `attack.text`, the citation that replaces the auditor's.
 */
export const attackCaseSchema = z.looseObject({
  id: z.string().min(1),
  kind: z.enum(ATTACK_KINDS),
  target: z.enum(ATTACK_TARGETS).default("input"),
  decision_id: z.string().nullish(),
  community: z.string().min(1),
  content: contentSchema,
  /** The audited action. */
  decision: z.string().min(1),
  /** The action that the rules determine, if known. No layer receives it. */
  ground_truth: z.string().nullish(),
  /** The rule the decision depends on. */
  rule: ruleReference.nullish(),
  rule_kind: z.string().nullish(),
  language: z.string().nullish(),
  /** What was changed, in words, and the inserted text. */
  attack: z.looseObject({ what: z.string(), text: z.string() }).nullish(),
  /** The variant within the kind; for a clean case, how it was chosen: `known` by truth or gold, `judged` by an auditor. */
  archetype: z.string().default("other"),
  /** The run it was made from, which gives the ambiguity of rules. */
  base_run: z.string().nullish(),
  /** For a trace attack: the clean case whose audit it changes. Without it, the case itself is audited first. */
  base_case: z.string().nullish(),
  decided_at: z.string().nullish(),
  ruleset_version: z.string().nullish(),
  /** Why it only looks like an attack (a flip of a decision that the rules leave open), so that no rate counts it. */
  unjudgeable: z.string().nullish(),
});

export type AttackCase = z.infer<typeof attackCaseSchema>;

const pValue = z.number().min(0).max(1).nullable();

const layerSchema = z.looseObject({
  name: z.string(),
  /** When it flags a case, in words. */
  rule: z.string(),
  /** It flags above this score; null: it has no threshold, or no threshold could be chosen. */
  threshold: z.number().nullable(),
  /** It belongs to the union of all layers. */
  member: z.boolean(),
});

const subsetSchema = z.looseObject({
  subset: z.string(),
  n: z.number().int(),
  h_citation_bits: estimateSchema,
  confidence: estimateSchema,
  pds: estimateSchema,
  p_defensible: estimateSchema,
  overlap: estimateSchema,
});

const groupSchema = z.looseObject({ group: z.string(), escaped: estimateSchema });

const escapesBySchema = z.looseObject({
  groups: z.array(groupSchema),
  p: pValue,
  adjusted_p: pValue.optional(),
  method: z.string().nullable(),
  reason: z.string().optional(),
});

/** `experiments/attack.json`: how many attacks each layer detected. */
export const attackResultSchema = experimentSchema.extend({
  experiment: z.literal("attack"),
  counts: z.looseObject({
    cases: z.number().int(),
    clean: z.number().int(),
    input: z.number().int(),
    trace: z.number().int(),
    /** Audits without a verdict: no rate counts them, except for its worst case. */
    without_verdict: z.number().int(),
    unjudgeable: z.number().int(),
    /** Left out by the command's selection. */
    unaudited: z.number().int(),
  }),
  layers: z.array(layerSchema),
  /** On the clean cases that were not used to choose thresholds. */
  false_positives: z.array(z.looseObject({ layer: z.string(), decision: z.string(), flagged: estimateSchema })),
  detection: z.array(
    z.looseObject({
      target: z.enum(ATTACK_TARGETS),
      kind: z.string(),
      layer: z.string(),
      detected: estimateSchema,
      /** For attacks on the trace: flagged before the citation was replaced. */
      before: estimateSchema.optional(),
    }),
  ),
  auroc: z.array(
    z.looseObject({
      target: z.enum(ATTACK_TARGETS),
      kind: z.string(),
      score: z.string(),
      auroc: estimateSchema,
    }),
  ),
  mcnemar: z.array(
    z.looseObject({
      target: z.enum(ATTACK_TARGETS),
      first: z.string(),
      second: z.string(),
      both: z.number().int(),
      only_first: z.number().int(),
      only_second: z.number().int(),
      neither: z.number().int(),
      exact_p: pValue,
      mid_p: pValue,
    }),
  ),
  subsets: z.array(subsetSchema),
  /** Attacks on the input that no member of the union flagged. */
  escapes: z.looseObject({ all: estimateSchema, by: z.record(z.string(), escapesBySchema) }),
  ambiguous_rules: z.looseObject({ reason: z.string().optional() }),
});

export default attackResultSchema;

export type AttackResult = z.infer<typeof attackResultSchema>;
