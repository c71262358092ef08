import { standInOf } from "../../core/model-family.js";
import { type Actions, actionNames, isAction, isRestricting } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import type { Decision } from "../../core/records/decision.js";
import type { Rule } from "../../core/records/rule-set.js";
import { countriesOf, type StatementsConfig } from "../../core/records/statement.js";
import { statedReason } from "../../measures/grounding/stated-reason.js";
import { sha256 } from "../canonical.js";
import {
  OPEN_NOTES,
  STATEMENT_NOTES,
  type StatementDraft,
  type StatementNote,
  type StatementRefusal,
} from "./draft-schema.js";
import {
  type DsaField,
  type DsaFields,
  dsaStatementSchema,
  END_OF,
  RESTRICTIONS,
  requiredFields,
} from "./dsa-schema.js";
import {
  accountLanguage,
  automated,
  contentTypes,
  dayOf,
  givenFields,
  languageOf,
  personsOf,
  withoutContradictions,
} from "./facts.js";
import { groundOf, type StatedRule } from "./ground.js";
import { Hider } from "./hide.js";
import { factsText, redressText } from "./sentences.js";

type Missing = StatementDraft["missing"][number];

/** What a draft is made from. */
export interface StatementBasis {
  decision: Decision;
  /** A verdict on the decision. */
  audit: Audit;
  frame: CaseFrame;
  /** The rules that applied, as whole records by scope, and the versions of their sets. */
  rules: Record<"platform" | "community", { version: string; rules: readonly Rule[] } | null>;
  actions: Actions;
  settings: StatementsConfig;
  /** Where the decision was last routed, if at all; and its last human outcome, where an appeal overrides reviews. */
  route: "automate" | "review" | null;
  /** When it was first routed. */
  routed_at?: string | null;
  outcome: "uphold" | "overturn" | null;
  /** Whether a person reviewed it, other than after an appeal. */
  reviewed: boolean;
  /** Whether an appeal against it was decided, other than in its own record. */
  appealed?: boolean;
  /** Whether an appeal is open that was filed outside the decision's own record. */
  appealOpen?: boolean;
  /** Whether the reasoning may be shown, without quotes and personal data. */
  withReasoning: boolean;
  /** Replicates of the run have verdicts on the decision with a different result. */
  verdictsDiffer?: boolean;
  /** Restrictions cannot begin after this day. */
  today: string;
}

/** Whether a decision restricts; of more than two actions, several may. */
export function restricts({ decision }: Pick<Decision, "decision">, actions: Actions): boolean {
  return isAction(actions, decision) && isRestricting(actions, decision);
}

/** Why a decision has no statement; null: it can have one. */
export function refusalOf(
  { decision, actions }: Pick<StatementBasis, "decision" | "actions">,
  audit: Pick<Audit, "level" | "inverse"> | null,
  include: { indefensible?: boolean; ambiguous?: boolean } = {},
): StatementRefusal | null {
  if (!restricts(decision, actions)) return "not_a_restriction";
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
  const known: DsaFields = {
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
  // A default in place of an invalid value would contradict what the platform gave.
  for (const field of given.invalid) delete known[field];
  const { fields: facts, contradictory } = withoutContradictions(known, basis.today);
  const { indefinite, unstated } = endsOf(basis, facts, given.indefinite);
  const { fields, dropped } = checked({ ...facts, decision_facts: factsText(basis, facts, indefinite, hider) }, hider);
  const stated_reason = statedReason(decision, { ...audit, policy_citation: audit.trace?.policy_citation }, frame);
  const notes = new Set<StatementNote>(ground.notes);
  if (audit.level === 3) notes.add("indefensible");
  if (audit.inverse === true) notes.add("ambiguous");
  if (basis.verdictsDiffer) notes.add("verdicts_differ");
  if (stated_reason === "other_rule" || stated_reason === "unknown_rule") notes.add("other_reason");
  if (audit.flags.includes("retroactive_rule")) notes.add("retroactive_rule");
  if (lastWord(basis) === "overturn") notes.add("overturned");
  if (isAppealOpen(basis)) notes.add("appeal_pending");
  const standIn = standInOf(audit);
  if (standIn) notes.add(`${standIn}_auditor`);
  const reasons = new Map<string, Missing["reason"]>([
    ["territorial_scope", "not_configured"],
    ["decision_visibility", "not_configured"],
    ...(decision.decided_at ? [["application_date", "invalid"] as const] : []),
    ...(basis.route === "review" && !basis.reviewed ? [["automated_decision", "under_review"] as const] : []),
    ...ground.missing.map(({ field, reason }) => [field, reason] as const),
    ...[...given.invalid, ...given.unknown, ...contradictory].map((field) => [field, "invalid"] as const),
    ...dropped.map((field) => [field, "personal_data"] as const),
  ]);
  const absent = new Set<string>([...requiredFields(fields), ...OPTIONAL.filter((name) => fields[name] === undefined)]);
  for (const field of unstated) absent.add(field);
  for (const { field } of ground.missing) absent.add(field);
  for (const field of [...given.invalid, ...given.unknown, ...contradictory, ...dropped]) absent.add(field);
  const missing: Missing[] = [
    ...[...absent].map((field) => ({ field, reason: reasons.get(field) ?? "not_recorded" })),
    ...(lacksComplaint(settings) ? [{ field: "complaint", reason: "not_configured" as const }] : []),
  ];
  const isOpen =
    ground.isDoubtful ||
    OPEN_NOTES.some((note) => notes.has(note)) ||
    unstated.length > 0 ||
    lacksComplaint(settings) ||
    missing.some(({ reason }) => reason === "invalid");
  return {
    format: "defensible/statement/1",
    decision_id: decision.id,
    run_id: audit.run_id,
    community: frame.community,
    ready: !isOpen && dsaStatementSchema.safeParse(fields).success,
    statement: fields,
    rules: ground.rules.map(({ scope, id, version, title, words: cited }: StatedRule) => ({
      ...{ scope, id, version, title: hider.public(title), words: cited.map((one) => hider.public(one)) },
    })),
    redress: redressText(settings),
    stated_reason,
    language: { content: languageOf(decision, audit).language, account: accountLanguage(decision) },
    missing,
    notes: STATEMENT_NOTES.filter((note) => notes.has(note)),
    personal_data: ground.isDoubtful ? "check" : "none_found",
  };
}

/** The outcome of the appeal in the decision's own record; null: there is no outcome. */
function recordedOutcome({ decision: { appeal } }: StatementBasis): "uphold" | "overturn" | null {
  if (appeal?.outcome === "upheld") return "uphold";
  return appeal?.outcome === "overturned" ? "overturn" : null;
}

/** The last outcome. An appeal overrides a review: an appeal among the (later) outcomes, or else one in the decision's own record. */
function lastWord(basis: StatementBasis): "uphold" | "overturn" | null {
  return basis.appealed ? (basis.outcome ?? null) : (recordedOutcome(basis) ?? basis.outcome ?? null);
}

/** Whether an appeal was filed that has no recorded outcome. */
function isAppealOpen(basis: StatementBasis): boolean {
  if (basis.appealOpen) return true;
  return Boolean(basis.decision.appeal) && !basis.appealed && recordedOutcome(basis) === null;
}

/** Restrictions known to have no end, and ends that are not stated. A termination has no end by definition. */
function endsOf(
  { settings, decision: { decision: action } }: StatementBasis,
  fields: DsaFields,
  given: readonly DsaField[],
): { indefinite: DsaField[]; unstated: DsaField[] } {
  const { actions: own = {}, duration } = settings;
  const isSet = ((Object.hasOwn(own, action) && own[action]?.duration) || duration) !== undefined;
  const open = RESTRICTIONS.filter((kind) => fields[kind] !== undefined && fields[END_OF[kind]] === undefined);
  const isIndefinite = (kind: (typeof RESTRICTIONS)[number]) =>
    isSet || given.includes(END_OF[kind]) || /_(?:TERMINATION|TERMINATED)$/.test(String(fields[kind]));
  return {
    indefinite: open.filter(isIndefinite),
    unstated: open.filter((kind) => !isIndefinite(kind)).map((kind) => END_OF[kind]),
  };
}

/** Whether a right to complain is stated without an address. */
function lacksComplaint({ complaint, redress }: StatementsConfig): boolean {
  return !complaint && (redress?.includes("complaint") ?? true);
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
function allowedIn(frame: CaseFrame, actions: Actions): readonly string[] {
  const known = allowed.get(frame);
  if (known) return known;
  const rules = frame.rules.flatMap(({ id, title, text: rule }) => [id, title, rule]);
  const list = [...rules, ...actionNames(actions), frame.community];
  allowed.set(frame, list);
  return list;
}

/** Fields from the settings. An action's effect is its own entry; else, for the mildest that restricts, the common one; else removal, if so named. */
function settingsFields({ settings, actions, decision: { decision: action } }: StatementBasis): DsaFields {
  const scope = settings.territorial_scope;
  const { actions: own = {}, decision_visibility } = settings;
  const { duration: _, ...done } = (Object.hasOwn(own, action) && own[action]) || {};
  const common = action === actions.positive ? decision_visibility : undefined;
  const visibility = common ?? (action === "remove" ? ["DECISION_VISIBILITY_CONTENT_REMOVED"] : null);
  return {
    ...(scope && { territorial_scope: countriesOf(scope) }),
    ...(Object.keys(done).length > 0 ? done : visibility && { decision_visibility: visibility }),
  };
}

/** Free-text fields. */
const FREE = [
  ...["decision_facts", "incompatible_content_ground", "incompatible_content_explanation"],
  ...["illegal_content_legal_ground", "illegal_content_explanation"],
] as const;

/** The fields without personal data. The finished text is checked, whatever its source. */
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
