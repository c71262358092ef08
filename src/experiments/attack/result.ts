import { z } from "zod";
import { estimateSchema } from "../../core/estimate-schema.js";
import { contentSchema } from "../../core/records/decision.js";
import { experimentSchema } from "../../core/results/experiment.js";

/** What an attack does. `clean` is no attack: a case that no layer should flag. */
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

/** What is changed: the case that the auditor is shown, or the citation of a finished audit. */
export const ATTACK_TARGETS = ["input", "trace"] as const;
export type AttackTarget = (typeof ATTACK_TARGETS)[number];

const ruleReference = z.object({ scope: z.enum(["platform", "community"]), rule_id: z.string() });

/**
 * One line of an attack file. `id`, `kind`, `community`, `content` and `decision` are what a file from another source needs; a trace attack also
 * needs `attack.text`, the citation that takes the place of the auditor's.
 */
export const attackCaseSchema = z.looseObject({
  id: z.string().min(1),
  kind: z.enum(ATTACK_KINDS),
  target: z.enum(ATTACK_TARGETS).default("input"),
  /** The decision it was made from. */
  decision_id: z.string().nullish(),
  community: z.string().min(1),
  content: contentSchema,
  /** The action that is audited. */
  decision: z.string().min(1),
  /** The action that the rules determine, where it is known. No layer is given it. */
  ground_truth: z.string().nullish(),
  /** The rule it turns on. */
  rule: ruleReference.nullish(),
  rule_kind: z.string().nullish(),
  language: z.string().nullish(),
  /** What was changed, in words, and the text that was put in. */
  attack: z.looseObject({ what: z.string(), text: z.string() }).nullish(),
  /** The manner within the kind; of a clean case, how it was chosen: `known` by truth or gold, `judged` by an auditor. */
  archetype: z.string().default("other"),
  /** The run it was made from: there the ambiguity of rules is looked up. */
  base_run: z.string().nullish(),
  /** Of a trace attack: the clean case whose audit it changes. Without it the case itself is audited first. */
  base_case: z.string().nullish(),
  decided_at: z.string().nullish(),
  ruleset_version: z.string().nullish(),
  /** Why it is no attack although it looks like one, so that it counts nowhere: a flip of a decision that the rules leave open. */
  unjudgeable: z.string().nullish(),
});

export type AttackCase = z.infer<typeof attackCaseSchema>;

const pValue = z.number().min(0).max(1).nullable();

const layerSchema = z.looseObject({
  name: z.string(),
  /** When it flags a case, in words. */
  rule: z.string(),
  /** Score above which it flags; null: it has none, or could not be chosen. */
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

/** `experiments/attack.json`: how many attacks each layer noticed. */
export const attackResultSchema = experimentSchema.extend({
  experiment: z.literal("attack"),
  counts: z.looseObject({
    cases: z.number().int(),
    clean: z.number().int(),
    input: z.number().int(),
    trace: z.number().int(),
    /** Audits that gave no verdict: in no rate, but in its worst case. */
    without_verdict: z.number().int(),
    unjudgeable: z.number().int(),
    /** Left out by the command's selection. */
    unaudited: z.number().int(),
  }),
  layers: z.array(layerSchema),
  /** Of the clean cases that no threshold was chosen on. */
  false_positives: z.array(z.looseObject({ layer: z.string(), decision: z.string(), flagged: estimateSchema })),
  detection: z.array(
    z.looseObject({
      target: z.enum(ATTACK_TARGETS),
      kind: z.string(),
      layer: z.string(),
      detected: estimateSchema,
      /** Of attacks on the trace: flagged before the citation was replaced. */
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
