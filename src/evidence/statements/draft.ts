import { z } from "zod";
import words from "../../../data/statement-words.json" with { type: "json" };
import type { Actions } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import type { Decision } from "../../core/records/decision.js";
import type { Rule } from "../../core/records/rule-set.js";
import { countriesOf, type StatementsConfig } from "../../core/records/statement.js";
import { STATED_REASONS, statedReason } from "../../measures/grounding/stated-reason.js";
import { sha256 } from "../canonical.js";
import { type DsaField, type DsaFields, dsaFieldsSchema, dsaStatementSchema, requiredFields } from "./dsa-schema.js";
import { accountLanguage, automated, contentTypes, dayOf, givenFields, languageOf, personsOf } from "./facts.js";
import { groundOf, type StatedRule } from "./ground.js";
import { Hider } from "./hide.js";
import { cutTo, filled } from "./words.js";

/** Why a draft has no statement: nothing is restricted, or there is nothing to state. */
export const STATEMENT_REFUSALS = [
  "not_a_restriction",
  "not_audited",
  "no_verdict",
  "indefensible",
  "ambiguous",
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
  "default_category",
  "text_removed",
  "text_cut",
  "retroactive_rule",
  "overturned",
] as const;

const text = z.string();

/** A draft of a statement of reasons. A person reads it before anything is sent. */
export const statementDraftSchema = z.object({
  format: z.literal("defensible/statement/1"),
  decision_id: text,
  run_id: text,
  community: text,
  /** Every required field is there and valid. */
  ready: z.boolean(),
  /** Fields of the DSA Transparency Database, by its names. */
  statement: dsaFieldsSchema,
  /** Rules that the decision rests on by the audit's citation, with the words that it cites. */
  rules: z.array(z.object({ scope: text, id: text, version: text, title: text, words: z.array(text) })),
  /** What can be done against the decision (Article 17(3)(f)); not part of a submission. */
  redress: text,
  /** What the audit says of the reason that was given at the time. */
  stated_reason: z.enum(STATED_REASONS),
  language: z.object({ content: text.nullable(), account: text.nullable() }),
  missing: z.array(z.object({ field: text, reason: z.enum(MISSING_REASONS) })),
  notes: z.array(z.enum(STATEMENT_NOTES)),
});

export type StatementDraft = z.infer<typeof statementDraftSchema>;
type Missing = StatementDraft["missing"][number];

/** What a draft is made from. */
export interface StatementBasis {
  decision: Decision;
  /** A verdict on the decision. */
  audit: Audit;
  frame: CaseFrame;
  /** The rules in force with their whole records, by scope, and the versions of their sets. */
  rules: Record<"platform" | "community", { version: string; rules: readonly Rule[] } | null>;
  actions: Actions;
  settings: StatementsConfig;
  /** Where the decision was sent last, if it was; and what a person made of it. */
  route: "automate" | "review" | null;
  outcome: "uphold" | "overturn" | null;
  /** Whether the reasoning may be shown, without quotes and personal data. */
  withReasoning: boolean;
}

/** Why there is no statement of a decision, or null. */
export function refusalOf(
  { decision, actions }: Pick<StatementBasis, "decision" | "actions">,
  audit: Pick<Audit, "level" | "inverse"> | null,
  include: { indefensible?: boolean; ambiguous?: boolean } = {},
): StatementRefusal | null {
  if (decision.decision !== actions.positive) return "not_a_restriction";
  if (audit === null) return "not_audited";
  if (audit.level === 3 && !include.indefensible) return "indefensible";
  return audit.inverse === true && !include.ambiguous ? "ambiguous" : null;
}

/** The draft of a statement. What the records do not say is left out and listed. */
export function draftStatement(basis: StatementBasis): StatementDraft {
  const { decision, audit, settings, frame } = basis;
  const hider = hiderOf(basis);
  const ground = groundOf(basis, hider);
  const given = givenFields(decision.statement);
  const facts: DsaFields = {
    ...automated(basis),
    ...contentTypes(decision.content),
    ...dayOf("application_date", decision.decided_at),
    ...languageOf(decision, audit).field,
    ...(settings.source_type && { source_type: settings.source_type }),
    ...settingsFields(basis),
    ...ground.fields,
    ...given.fields,
    puid: `d-${sha256(JSON.stringify([decision.community, decision.id])).slice(0, 40)}`,
  };
  const draft = { ...facts, decision_facts: factsText(basis, facts, hider) };
  const { fields, dropped } = checked(draft, hider);
  const notes = new Set<StatementDraft["notes"][number]>(ground.notes);
  if (audit.level === 3) notes.add("indefensible");
  if (audit.inverse === true) notes.add("ambiguous");
  if (audit.flags.includes("retroactive_rule")) notes.add("retroactive_rule");
  if (basis.outcome === "overturn") notes.add("overturned");
  const reasons = new Map<string, Missing["reason"]>([
    ...(settings.territorial_scope ? [] : [["territorial_scope", "not_configured"] as const]),
    ...(settings.complaint ? [] : [["redress", "not_configured"] as const]),
    ...(basis.route === "review" && basis.outcome === null ? [["automated_decision", "under_review"] as const] : []),
    ...ground.missing.map(({ field, reason }) => [field, reason] as const),
    ...given.invalid.map((field) => [field, "invalid"] as const),
    ...dropped.map((field) => [field, "personal_data"] as const),
  ]);
  const absent = new Set<string>([...requiredFields(fields), ...OPTIONAL.filter((name) => fields[name] === undefined)]);
  if (!settings.complaint) absent.add("redress");
  for (const field of reasons.keys()) if (fields[field as DsaField] === undefined) absent.add(field);
  return {
    format: "defensible/statement/1",
    decision_id: decision.id,
    run_id: audit.run_id,
    community: frame.community,
    ready: dsaStatementSchema.safeParse(fields).success,
    statement: fields,
    rules: ground.rules.map(({ scope, id, version, title, words: cited }: StatedRule) => ({
      ...{ scope, id, version, title: hider.public(title), words: cited.map((one) => hider.public(one)) },
    })),
    redress: redressText(settings),
    stated_reason: statedReason(decision, { ...audit, policy_citation: audit.trace?.policy_citation }, frame),
    language: { content: languageOf(decision, audit).language, account: accountLanguage(decision) },
    missing: [...absent].map((field) => ({ field, reason: reasons.get(field) ?? "not_recorded" })),
    notes: STATEMENT_NOTES.filter((note) => notes.has(note)),
  };
}

/** Optional fields that a reader would look for. */
const OPTIONAL = ["content_language"] as const;

function hiderOf({ decision, audit, frame, actions }: StatementBasis): Hider {
  const { content } = decision;
  const texts = typeof content === "string" ? [content] : [content.title, content.body, ...(content.context ?? [])];
  const hidden = Object.entries(audit.prompt?.scrubbed ?? {}).filter(([name]) => name.startsWith("[NAME_"));
  return new Hider({
    content: texts.filter((one): one is string => typeof one === "string"),
    allowed: allowedIn(frame, actions),
    names: [...personsOf(decision), ...hidden.map(([, name]) => name)],
  });
}

const allowed = new WeakMap<CaseFrame, readonly string[]>();

/** What a draft may repeat: rules, actions, the community. */
function allowedIn(frame: CaseFrame, { positive, negative }: Actions): readonly string[] {
  const known = allowed.get(frame);
  if (known) return known;
  const rules = frame.rules.flatMap(({ id, title, text: rule }) => [id, title, rule]);
  const list = [...rules, positive, negative, frame.community];
  allowed.set(frame, list);
  return list;
}

function settingsFields({ settings, actions }: StatementBasis): DsaFields {
  const scope = settings.territorial_scope;
  const isRemoval = actions.positive === "remove";
  const visibility = settings.decision_visibility ?? (isRemoval ? ["DECISION_VISIBILITY_CONTENT_REMOVED"] : null);
  return {
    ...(scope && { territorial_scope: countriesOf(scope) }),
    ...(visibility && { decision_visibility: visibility }),
  };
}

function factsText({ decision, frame, audit }: StatementBasis, fields: DsaFields, hider: Hider): string {
  const { facts } = words;
  const community = hider.public(frame.community);
  const action = decision.decision;
  const date = fields.application_date;
  const said = <T extends object>(list: T, key: string | undefined) => (list as Record<string, string>)[key ?? ""];
  const sentences = [
    date
      ? filled(facts.restricted, { community, action, date })
      : filled(facts.restricted_undated, { community, action }),
    fields.content_language && filled(facts.language, { language: fields.content_language }),
    said(facts.source, fields.source_type),
    said(facts.detection, fields.automated_detection),
    said(facts.decision, fields.automated_decision),
    filled(facts.rules, { version: audit.ruleset_version ?? frame.rulesetVersion }),
  ];
  return cutTo(hider.public(sentences.filter(Boolean).join(" ")), 5000);
}

function redressText({ complaint }: StatementsConfig): string {
  const { redress } = words;
  const where = complaint ? [filled(redress.where, { complaint })] : [];
  return [redress.complaint, ...where, redress.dispute, redress.court].join(" ");
}

/** Texts that people did not choose from a list. */
const FREE = [
  ...["decision_facts", "incompatible_content_ground", "incompatible_content_explanation"],
  ...["illegal_content_legal_ground", "illegal_content_explanation"],
] as const;

/** The fields that hold nothing personal. The check is made on the finished text, whatever made it. */
function checked(fields: DsaFields, hider: Hider): { fields: DsaFields; dropped: DsaField[] } {
  const kept = { ...fields };
  const dropped: DsaField[] = [];
  for (const name of FREE as readonly DsaField[]) {
    const value = kept[name];
    if (typeof value !== "string" || hider.public(value) === value) continue;
    delete kept[name];
    dropped.push(name);
  }
  return { fields: kept, dropped };
}
