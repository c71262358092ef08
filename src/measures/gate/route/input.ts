import { type Actions, isAction } from "../../../core/records/actions.js";
import { CITATION_SCOPES, type CitationScope, type ReadHashes } from "../../../core/records/audit.js";
import type { Decision } from "../../../core/records/decision.js";
import type { Level } from "../../../core/records/level.js";
import { isObject } from "../../../core/text-checks.js";
import { wellFormed } from "../../../text/printable.js";

/**
 * Whether a value is a valid decision with one of the two actions. Equivalent to `decisionSchema` (a test compares the two) but much faster:
 * routing checks every decision of a platform.
 */
export function isDecision(value: unknown, actions: Actions): value is Decision {
  if (!isObject(value)) return false;
  return (
    isName(value.id) &&
    isName(value.community) &&
    isAction(actions, value.decision) &&
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
    (isAbsent(value.tags) || areTexts(value.tags)) &&
    isOptionalText(value.author) &&
    (isAbsent(value.erased) || typeof value.erased === "boolean")
  );
}

/** The fields of an audit that routing reads. Imported audits may have only the first five. */
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
  missing?: string | null;
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
  read?: ReadHashes | null;
  trace?: { policy_citation?: string | null; inverse_citation?: string | null } | null;
}

export interface RouteCitation {
  scope: CitationScope;
  rule_id?: string | null;
}

/** Whether a value is a valid audit for routing. Impossible or contradictory numbers make it invalid: a score of them would mean nothing. */
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
    isOptionalText(value.missing) &&
    isOptionalText(value.language) &&
    (isAbsent(value.level_probs) || isDistribution(value.level_probs)) &&
    (isAbsent(value.level_map) || isLevel(value.level_map)) &&
    isOptionalIn(value.lambda_nats, -Math.log(3) - ROUNDING, ROUNDING) &&
    isOptionalIn(value.h_weight_bits, -ROUNDING, Math.log2(3) + ROUNDING) &&
    isOptionalIn(value.h_citation_bits, -ROUNDING, MOST_BITS) &&
    isOptionalIn(value.inverse_log_odds, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY) &&
    isOptionalShare(value.inverse_yes_prob) &&
    isOptionalShare(value.p_defensible) &&
    (isAbsent(value.flags) || areTexts(value.flags)) &&
    (isAbsent(value.citation) || isCitation(value.citation)) &&
    (isAbsent(value.inverse_citation) || isCitation(value.inverse_citation)) &&
    (isAbsent(value.read) || isObject(value.read)) &&
    (isAbsent(value.trace) || isCitingTrace(value.trace)) &&
    agrees(value as unknown as RouteAudit)
  );
}

/** Whether level 3 is the most probable, according to the audit or to its probabilities. A tie goes to the most severe level. */
export function isMostlyIndefensible({ level_map, level_probs }: RouteAudit): boolean {
  if (level_map === 3) return true;
  return isPresent(level_probs) && level_probs[2] >= Math.max(level_probs[0], level_probs[1]) - TIE;
}

/** Whether values that an audit states twice agree. A level above what its probabilities imply may stay: it speaks against automation. */
function agrees(audit: RouteAudit): boolean {
  const { level_probs: probs, level_map: map, lambda_nats: lambda, p_defensible, inverse_log_odds: odds } = audit;
  if (isPresent(probs)) {
    const most = Math.max(probs[0], probs[1], probs[2]);
    if (isPresent(map) && map !== 3 && probs[map - 1]! < most - TOLERANCE) return false;
    if (isPresent(lambda) && Math.abs(Math.exp(lambda) - most) > TOLERANCE) return false;
    if (isPresent(p_defensible) && Math.abs(p_defensible - (1 - probs[2])) > TOLERANCE) return false;
  }
  const yes = audit.inverse_yes_prob;
  return !(isPresent(odds) && isPresent(yes) && Math.abs(1 / (1 + Math.exp(-odds)) - yes) > TOLERANCE);
}

const OUTCOMES: ReadonlySet<unknown> = new Set(["verdict", "unscored", "error"]);
const SCOPES: ReadonlySet<unknown> = new Set(CITATION_SCOPES);
const DECIDERS: ReadonlySet<unknown> = new Set(["model", "human", "rule"]);
const APPEALS: ReadonlySet<unknown> = new Set(["upheld", "overturned", "pending"]);
/** Printed with few digits, three probabilities may miss 1 by a little, and so may values derived from one another. */
const TOLERANCE = 0.02;
/** A value printed with three digits may exceed its bound by this much. */
const ROUNDING = 0.001;
/** As for λ: probabilities closer than this are tied. */
const TIE = 1e-12;
/** Entropy of a token is at most that of a vocabulary of a million equally probable tokens (2^20); no model has more. */
const MOST_BITS = 20;

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** An id with an unpaired surrogate could not be returned unchanged. */
function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "" && wellFormed(value) === value;
}

function isOptionalText(value: unknown): boolean {
  return isAbsent(value) || typeof value === "string";
}

function isPresent<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

function isOptionalIn(value: unknown, least: number, most: number): boolean {
  return isAbsent(value) || (typeof value === "number" && value >= least && value <= most);
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
  return isShare(p1) && isShare(p2) && isShare(p3) && Math.abs(p1 + p2 + p3 - 1) <= TOLERANCE;
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
  return (
    isObject(value) &&
    (isAbsent(value.kind) || DECIDERS.has(value.kind)) &&
    isOptionalText(value.id) &&
    isOptionalShare(value.confidence)
  );
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
