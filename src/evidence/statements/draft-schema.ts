import { z } from "zod";
import { STATED_REASONS } from "../../measures/metrics/reason-accuracy.js";
import { dsaFieldsSchema } from "./dsa-schema.js";

/** Why a decision has no statement: it restricts nothing, or there is nothing to state. */
export const STATEMENT_REFUSALS = [
  "not_a_restriction",
  "not_audited",
  "no_verdict",
  "indefensible",
  "ambiguous",
  "erased",
  "decision_changed",
  "content_changed",
  "rules_changed",
] as const;
export type StatementRefusal = (typeof STATEMENT_REFUSALS)[number];

/** Why a field is empty. */
const MISSING_REASONS = [
  "not_recorded",
  "not_configured",
  "no_rule_cited",
  "under_review",
  "invalid",
  "personal_data",
  "withheld",
] as const;

/** What a reader of a draft must know. */
export const STATEMENT_NOTES = [
  "indefensible",
  "ambiguous",
  "verdicts_differ",
  "other_reason",
  "default_category",
  "text_removed",
  "text_cut",
  "retroactive_rule",
  "overturned",
  "appeal_pending",
  "baseline_auditor",
  "simulated_auditor",
] as const;
export type StatementNote = (typeof STATEMENT_NOTES)[number];

/** Notes that a person must resolve before anything is sent: a draft with one of them is not ready. */
export const OPEN_NOTES = [
  ...["indefensible", "ambiguous", "verdicts_differ", "other_reason", "retroactive_rule", "overturned"],
  ...["appeal_pending", "baseline_auditor", "simulated_auditor"],
] as const satisfies readonly StatementNote[];

const text = z.string();

/** A draft of a statement of reasons, which a person reads before anything is sent. */
export const statementDraftSchema = z.object({
  format: z.literal("defensible/statement/1"),
  decision_id: text,
  run_id: text,
  community: text,
  /** Every required field is present, every given one is valid, and nothing is open: no note that a person must resolve, no doubtful text. */
  ready: z.boolean(),
  /** Fields of the DSA Transparency Database, under its names. */
  statement: dsaFieldsSchema,
  /** Rules that the decision rests on by the audit's citation, with the cited words. */
  rules: z.array(z.object({ scope: text, id: text, version: text, title: text, words: z.array(text) })),
  /** How to contest the decision (Article 17(3)(f)); not part of a submission. */
  redress: text,
  /** The audit's view of the reason stated at the time. */
  stated_reason: z.enum(STATED_REASONS),
  language: z.object({ content: text.nullable(), account: text.nullable() }),
  missing: z.array(z.object({ field: text, reason: z.enum(MISSING_REASONS) })),
  notes: z.array(z.enum(STATEMENT_NOTES)),
  /** `check`: the text has long numbers or other unrecognised items that may identify a person. */
  personal_data: z.enum(["none_found", "check"]),
});

export type StatementDraft = z.infer<typeof statementDraftSchema>;
