import type { Actions } from "../domain/actions.js";
import { CITATION_SCOPES, type CitationScope } from "../domain/audit.js";
import type { Decision } from "../domain/decision.js";
import type { Level } from "../domain/level.js";

type Fields = Record<string, unknown>;

/**
 * Whether a value is a decision in the format, with one of the two actions. Says the same as `decisionSchema` (a test holds the two
 * together) in a fraction of its time: routing sees every decision of a platform.
 */
export function isDecision(value: unknown, actions: Actions): value is Decision {
  if (!isObject(value)) return false;
  return (
    isName(value.id) &&
    isName(value.community) &&
    (value.decision === actions.positive || value.decision === actions.negative) &&
    isContent(value.content) &&
    (isAbsent(value.human_label) || isName(value.human_label)) &&
    isOptionalText(value.rationale) &&
    isOptionalText(value.cited_rule) &&
    isOptionalText(value.decided_at) &&
    isOptionalText(value.ruleset_version) &&
    isOptionalText(value.thread_id) &&
    (isAbsent(value.decider) || isDecider(value.decider)) &&
    (isAbsent(value.appeal) || isAppeal(value.appeal)) &&
    (isAbsent(value.gold) || isGold(value.gold)) &&
    (isAbsent(value.tags) || areTexts(value.tags))
  );
}

/** What routing reads of an audit; foreign ones may have no more than the first five. */
export interface RouteAudit {
  decision_id: string;
  community: string;
  decision: string;
  level?: Level | null;
  inverse?: boolean | null;
  arm?: string | null;
  replicate?: number | null;
  outcome?: "verdict" | "unscored" | "error" | null;
  auditor?: string | null;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template?: string | null;
  ruleset_version?: string | null;
  tier?: string | null;
  signal?: string | null;
  language?: string | null;
  level_probs?: [number, number, number] | null;
  level_map?: Level | null;
  lambda_nats?: number | null;
  h_weight_bits?: number | null;
  h_citation_bits?: number | null;
  inverse_log_odds?: number | null;
  inverse_yes_prob?: number | null;
  p_defensible?: number | null;
  flags?: string[] | null;
  citation?: RouteCitation | null;
  inverse_citation?: RouteCitation | null;
  trace?: { policy_citation?: string | null; inverse_citation?: string | null } | null;
}

export interface RouteCitation {
  scope: CitationScope;
  rule_id?: string | null;
}

/** Whether a value is an audit as far as routing reads it. Numbers that cannot be are no audit: a score made of them would mean nothing. */
export function isAudit(value: unknown): value is RouteAudit {
  if (!isObject(value)) return false;
  return (
    typeof value.decision_id === "string" &&
    typeof value.community === "string" &&
    typeof value.decision === "string" &&
    (isAbsent(value.level) || isLevel(value.level)) &&
    (isAbsent(value.inverse) || typeof value.inverse === "boolean") &&
    isOptionalText(value.arm) &&
    (isAbsent(value.replicate) || Number.isInteger(value.replicate)) &&
    (isAbsent(value.outcome) || OUTCOMES.has(value.outcome)) &&
    isOptionalText(value.auditor) &&
    isOptionalText(value.auditor_version) &&
    isOptionalText(value.prompt_version) &&
    isOptionalText(value.template) &&
    isOptionalText(value.ruleset_version) &&
    isOptionalText(value.tier) &&
    isOptionalText(value.signal) &&
    isOptionalText(value.language) &&
    (isAbsent(value.level_probs) || isDistribution(value.level_probs)) &&
    (isAbsent(value.level_map) || isLevel(value.level_map)) &&
    isOptionalNumber(value.lambda_nats) &&
    isOptionalNumber(value.h_weight_bits) &&
    isOptionalNumber(value.h_citation_bits) &&
    isOptionalNumber(value.inverse_log_odds) &&
    isOptionalShare(value.inverse_yes_prob) &&
    isOptionalShare(value.p_defensible) &&
    (isAbsent(value.flags) || areTexts(value.flags)) &&
    (isAbsent(value.citation) || isCitation(value.citation)) &&
    (isAbsent(value.inverse_citation) || isCitation(value.inverse_citation)) &&
    (isAbsent(value.trace) || isCitingTrace(value.trace))
  );
}

const OUTCOMES: ReadonlySet<unknown> = new Set(["verdict", "unscored", "error"]);
const SCOPES: ReadonlySet<unknown> = new Set(CITATION_SCOPES);
const DECIDERS: ReadonlySet<unknown> = new Set(["model", "human", "rule"]);
const APPEALS: ReadonlySet<unknown> = new Set(["upheld", "overturned", "pending"]);
/** Printed with few digits, three probabilities may miss 1 by a little. */
const SUM_TOLERANCE = 0.02;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Half an emoji in an id could not be given back as it came. */
function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

function isOptionalText(value: unknown): boolean {
  return isAbsent(value) || typeof value === "string";
}

function isOptionalNumber(value: unknown): boolean {
  return isAbsent(value) || (typeof value === "number" && !Number.isNaN(value));
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isOptionalShare(value: unknown): boolean {
  return isAbsent(value) || isShare(value);
}

function isLevel(value: unknown): value is Level {
  return value === 1 || value === 2 || value === 3;
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isDistribution(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [p1, p2, p3] = value as unknown[];
  return isShare(p1) && isShare(p2) && isShare(p3) && Math.abs(p1 + p2 + p3 - 1) <= SUM_TOLERANCE;
}

function isContent(value: unknown): boolean {
  if (typeof value === "string") return true;
  return (
    isObject(value) &&
    typeof value.body === "string" &&
    isOptionalText(value.title) &&
    isOptionalText(value.kind) &&
    isOptionalText(value.language) &&
    isOptionalText(value.url) &&
    (isAbsent(value.context) || areTexts(value.context)) &&
    (isAbsent(value.media) || Array.isArray(value.media))
  );
}

function isDecider(value: unknown): boolean {
  return isObject(value) && DECIDERS.has(value.kind) && isOptionalText(value.id) && isOptionalShare(value.confidence);
}

function isAppeal(value: unknown): boolean {
  return (
    isObject(value) &&
    isOptionalText(value.filed_at) &&
    isOptionalText(value.text) &&
    (isAbsent(value.outcome) || APPEALS.has(value.outcome))
  );
}

function isGold(value: unknown): boolean {
  return (
    isObject(value) &&
    isLevel(value.level) &&
    typeof value.inverse === "boolean" &&
    areTexts(value.rule_ids) &&
    isOptionalText(value.note)
  );
}

function isCitation(value: unknown): boolean {
  return isObject(value) && SCOPES.has(value.scope) && isOptionalText(value.rule_id);
}

function isCitingTrace(value: unknown): boolean {
  return isObject(value) && isOptionalText(value.policy_citation) && isOptionalText(value.inverse_citation);
}
