import { z } from "zod";
import { calibrationModelSchema } from "../core/calibration.js";
import { citationSchema, FLAGS, LEVEL3_REASONS, SIGNAL_MODES, TEMPLATES, traceSchema } from "../core/records/audit.js";
import { levelSchema } from "../core/records/level.js";
import { tierSchema } from "../core/records/rule-set.js";
import { AUDITED_REASONS, STATED_REASONS } from "../measures/metrics/reason-accuracy.js";

const text = z.string().nullable();
const number = z.number().nullable();
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A span [start, end) of a text in UTF-16 units, with its words. */
const spanSchema = z.strictObject({ start: z.number().int(), end: z.number().int(), text: z.string() });
const quoteSchema = spanSchema.extend({ scope: z.enum(["platform", "community", "precedent"]), id: z.string() });

/** The trace with every field: absent or unreadable ones are null. */
const readTraceSchema = z.strictObject({
  logic_chain: text,
  policy_citation: text,
  precedent_weight: traceSchema.shape.precedent_weight.nullable(),
  inverse_check: traceSchema.shape.inverse_check.nullable(),
  inverse_citation: text,
  defensibility_level: levelSchema.nullable(),
  level3_reason: z.enum(LEVEL3_REASONS).nullable(),
});

const foundSchema = z.strictObject(citationSchema.shape);

const verdictSchema = z.strictObject({
  level: levelSchema.nullable(),
  inverse: z.boolean().nullable(),
  level_probs: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  inverse_yes_prob: number,
  h_weight_bits: number,
  h_citation_bits: number,
  /** Sampling mode: number of draws that were verdicts. */
  samples: z.number().int().nullable(),
});

const signatureSchema = z.strictObject({
  algorithm: z.literal("ed25519"),
  key_id: z.string(),
  public_key: z.string(),
  value: z.string(),
});

/** The inputs of a certificate: records as they were when it was made. */
export const certificateBasisSchema = z.strictObject({
  format: z.literal("defensible/certificate/1"),
  made_at: z.string(),
  software: z.string(),
  decision: z.strictObject({
    id: z.string(),
    community: z.string(),
    action: z.string(),
    /** null: there are more than two actions, and the question was about any other of them. */
    opposite: text,
    restricts: z.boolean(),
    decided_at: text,
    decider: text,
  }),
  content: z.strictObject({ text: z.string(), language: text, kind: text }),
  rules: z.strictObject({
    version: z.string(),
    tier: tierSchema,
    rules: z.array(
      z.strictObject({
        scope: z.enum(["platform", "community"]),
        id: z.string(),
        version: z.string(),
        title: z.string(),
        text: z.string(),
        url: text,
      }),
    ),
    /** Only those named in the trace. */
    precedents: z.array(
      z.strictObject({ id: z.string(), text: z.string(), decision: z.string(), rule_id: text, rationale: text }),
    ),
  }),
  audit: z.strictObject({
    run_id: z.string(),
    arm: z.string(),
    replicate: z.number().int(),
    created_at: z.string(),
    auditor: z.string(),
    auditor_version: text,
    prompt_version: text,
    template: z.enum(TEMPLATES),
    temperature: z.number(),
    signal: z.enum(SIGNAL_MODES),
    flags: z.array(z.enum(FLAGS)),
    /** Placeholders of scrubbed personal data are replaced by their meaning. */
    trace: readTraceSchema,
    verdict: verdictSchema,
    weights: z
      .strictObject({ alpha: z.number(), beta: z.number(), gamma: z.number(), component: z.enum(["h_w", "h_kappa"]) })
      .nullable(),
    /** SHA-256 of the canonical audit record. */
    record: hash,
  }),
  /** Every audit of the decision in the run, including this one. */
  draws: z.array(
    z.strictObject({
      replicate: z.number().int(),
      level: levelSchema.nullable(),
      inverse: z.boolean().nullable(),
      p_defensible: number,
    }),
  ),
  /** Audits of the decision in the run as if another action had been taken: the flip control and alternatives. Absent without such audits. */
  other_actions: z
    .array(
      z.strictObject({
        action: z.string(),
        replicate: z.number().int(),
        level: levelSchema.nullable(),
        p_defensible: number,
        logic_chain: text,
        policy_citation: text,
        /** SHA-256 of the canonical audit record. */
        record: hash,
      }),
    )
    .optional(),
  /** The stated reason, and the audit by only the rules that it names. Absent if the run did not audit it. */
  stated_reason: z
    .strictObject({
      cited_rule: text,
      rationale: text,
      rules: z.array(z.strictObject({ scope: z.string(), id: z.string() })),
      /** null: the audit has no verdict. */
      level: levelSchema.nullable(),
      p_defensible: number,
      logic_chain: text,
      policy_citation: text,
      /** SHA-256 of the canonical audit record. */
      record: hash,
    })
    .optional(),
  calibration: z
    .strictObject({ calibration_id: z.string(), content_hash: text, model: calibrationModelSchema })
    .nullable(),
  /** The last routing of the decision; null: it was never routed. */
  route: z
    .strictObject({
      at: z.string(),
      route: z.string(),
      reasons: z.array(z.string()),
      mode: z.string(),
      gate_id: text,
      calibration_id: text,
      score: number,
      threshold: number,
    })
    .nullable(),
  /** The gate that was active when the certificate was made. */
  gate: z.strictObject({ gate_id: text, content_hash: text, mode: z.string(), state: text }).nullable(),
  review: z.strictObject({
    appeal: text,
    outcomes: z.array(
      z.strictObject({
        at: z.string(),
        outcome: z.string(),
        source: text,
        level: levelSchema.nullable(),
        saw_audit: z.boolean().nullable(),
      }),
    ),
  }),
});

export type CertificateBasis = z.infer<typeof certificateBasisSchema>;

const drawnSchema = z.strictObject({
  n: z.number().int(),
  /** Verdicts of levels 1, 2 and 3. */
  levels: z.tuple([z.number().int(), z.number().int(), z.number().int()]),
  inverse_yes: z.number().int(),
});

/** Results that follow from the basis. The checker recomputes them. */
const derivedSchema = z.strictObject({
  derivation: z.strictObject({
    /** Where the citation was found in the rules. */
    citation: foundSchema.nullable(),
    /** Words of rules and precedents that the citation repeats. */
    quotes: z.array(quoteSchema),
    /** Words of the content that the reasoning repeats. */
    facts: z.array(spanSchema),
    /** The reasoning, sentence by sentence, with the words that each repeats. */
    steps: z.array(spanSchema.extend({ quotes: z.array(quoteSchema), facts: z.array(spanSchema) })),
  }),
  opposite: z.strictObject({
    action: text,
    derivable: z.boolean().nullable(),
    yes_prob: number,
    log_odds: number,
    /** The case for it: from the audit itself (template `extended`), otherwise the citation of an audit that finds the opposite derivable. */
    words: text,
    /** Only if the words come from another audit, as if the opposite had been decided. */
    words_from: z.literal("other_actions").optional(),
    citation: foundSchema.nullable(),
    quotes: z.array(quoteSchema),
  }),
  /** What both audits found about the stated reason. */
  reason: z.strictObject({ stated: z.enum(STATED_REASONS), audited: z.enum(AUDITED_REASONS).nullable() }).optional(),
  numbers: z.strictObject({
    p_defensible: number,
    level_map: levelSchema.nullable(),
    lambda_nats: number,
    pds: number,
    p_calibrated: number,
    draws: drawnSchema,
  }),
  /** Facts that the records lack. */
  absent: z.array(z.string()),
  hashes: z.strictObject({
    content: hash,
    rules: z.array(z.strictObject({ scope: z.string(), id: z.string(), sha256: hash })),
    ruleset: hash,
    trace: hash,
    calibration: hash.nullable(),
    /** Hash of each member that the rest follows from, so that a change can be located. Absent in earlier certificates. */
    parts: z.record(z.string(), hash).optional(),
  }),
});

export type Derived = z.infer<typeof derivedSchema>;

export const certificateSchema = z.strictObject({
  ...certificateBasisSchema.shape,
  ...derivedSchema.shape,
  /** SHA-256 of the canonical JSON of everything above. */
  sha256: hash,
  /** Signature over the same; null: no signing key was set. */
  signature: signatureSchema.nullable(),
});

export type Certificate = z.infer<typeof certificateSchema>;
export type Span = z.infer<typeof spanSchema>;
export type Quote = z.infer<typeof quoteSchema>;
