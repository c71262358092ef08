import type { AuditRow } from "../../analysis/listed-decisions.js";
import {
  type Audit,
  CITATION_SCOPES,
  type Citation,
  FLAGS,
  type Flag,
  LEVEL3_REASONS,
  PRECEDENT_WEIGHTS,
  SIGNAL_MODES,
} from "../../core/records/audit.js";
import { type Content, contentParts, type Decision } from "../../core/records/decision.js";
import type { Level } from "../../core/records/level.js";
import { TIERS } from "../../core/records/rule-set.js";
import { AUDIT_DIGITS, type PageAudit, type PageDecision, type PageText } from "../../measures/report-page.js";
import { cutText, type HashedSort, type Writing } from "./writing.js";

/** Most characters shown of each part. */
export const BODY_CHARACTERS = 4_000;
export const CONTEXT_CHARACTERS = 1_000;
const MOST_CONTEXT = 10;
const TITLE_CHARACTERS = 500;
const SHORT_CHARACTERS = 1_000;

/** What a decision's own record contains. */
export type DecisionParts = Omit<
  PageDecision,
  "id" | "community" | "decision" | "reasons" | "labels" | "precedents" | "audit" | "human_audit" | "opposite_audit"
>;

export function decisionParts(decision: Decision, writing: Writing): DecisionParts {
  const { title, body, context, url, kind, language } = contentParts(decision.content);
  const { decider, appeal, gold } = decision;
  const some = (value: string | null | undefined, most: number, sort: HashedSort) =>
    value ? writing.text(value, most, sort) : null;
  const rule = (id: string) => writing.ruleId(id, decision.community);
  return {
    human_label: decision.human_label ?? null,
    decided_at: decision.decided_at ? writing.code(decision.decided_at, "date") : null,
    decider: decider
      ? { kind: decider.kind ?? null, id: deciderId(decider, writing), confidence: decider.confidence ?? null }
      : null,
    title: some(title, TITLE_CHARACTERS, "content"),
    body: writing.text(body, BODY_CHARACTERS, "content"),
    context: context.slice(0, MOST_CONTEXT).map((one) => writing.text(one, CONTEXT_CHARACTERS, "content")),
    context_of: context.length,
    url: some(url, SHORT_CHARACTERS, "content"),
    kind: kind && writing.code(kind, "kind"),
    language: language && writing.name(language, "language"),
    media: mediaOf(decision.content),
    rationale: some(decision.rationale, SHORT_CHARACTERS, "rationale"),
    cited_rule: decision.cited_rule ? rule(decision.cited_rule) : null,
    appeal: appeal ? { outcome: appeal.outcome ?? null, text: some(appeal.text, SHORT_CHARACTERS, "appeal") } : null,
    gold: gold
      ? {
          level: gold.level,
          inverse: gold.inverse,
          rule_ids: gold.rule_ids.filter((id) => rule(id) !== null),
          note: some(gold.note, SHORT_CHARACTERS, "note"),
        }
      : null,
  };
}

/** Models are shown by name; names of people, and people's names for a bot, are redacted. */
function deciderId({ kind, id }: NonNullable<Decision["decider"]>, writing: Writing): string | null {
  if (!id) return null;
  const model = kind === "model" || kind === "rule" ? writing.code(id, "model") : null;
  return model ?? writing.name(id, "person");
}

function mediaOf(content: Content): number {
  return typeof content === "string" ? 0 : (content.media?.length ?? 0);
}

/** For decisions of which only audits are known. */
export function noRecord(): DecisionParts {
  return {
    human_label: null,
    decided_at: null,
    decider: null,
    title: null,
    body: null,
    context: [],
    context_of: 0,
    url: null,
    kind: null,
    language: null,
    media: 0,
    rationale: null,
    cited_rule: null,
    appeal: null,
    gold: null,
  };
}

/** Most characters shown of a model's text. */
export const CHAIN_CHARACTERS = 4_000;
const CITATION_CHARACTERS = 1_000;
const MESSAGE_CHARACTERS = 500;
const MOST_SPANS = 400;
const TOKEN_CHARACTERS = 100;

/** What a page shows of an audit. Values that are absent or of the wrong type become null; numbers have six digits. */
export function pageAudit(row: AuditRow, writing: Writing): PageAudit {
  const trace = object(row.trace) ?? {};
  const community = String(row.community ?? "");
  const citation = pageCitation(row.citation, community, writing);
  const inverse = pageCitation(row.inverse_citation, community, writing);
  const cited = (value: unknown, where: Citation | null): PageText | null =>
    typeof value === "string" ? writing.cited(value, CITATION_CHARACTERS, where, community) : null;
  return {
    outcome: oneOf(row.outcome, ["verdict", "unscored", "error"] as const) ?? "unscored",
    decision: String(row.decision ?? ""),
    tier: oneOf(row.tier, TIERS) ?? "wiki",
    temperature: number(row.temperature) ?? 0,
    signal: oneOf(row.signal, SIGNAL_MODES) ?? "none",
    ruleset_version: typeof row.ruleset_version === "string" ? writing.name(row.ruleset_version, "version") : null,
    level: level(row.level),
    inverse: typeof row.inverse === "boolean" ? row.inverse : null,
    level_probs: levelProbs(row.level_probs),
    level_map: level(row.level_map),
    lambda_nats: number(row.lambda_nats),
    h_weight_bits: number(row.h_weight_bits),
    h_citation_bits: number(row.h_citation_bits),
    h_citation_sampled_bits: number(row.h_citation_sampled_bits),
    citation_tokens: number(row.citation_tokens),
    inverse_log_odds: number(row.inverse_log_odds),
    inverse_yes_prob: probability(row.inverse_yes_prob),
    pds: probability(row.pds),
    p_defensible: probability(row.p_defensible),
    p_calibrated: probability(row.p_calibrated),
    tail_mass: probability(row.tail_mass),
    samples: number(row.samples),
    flags: flagsOf(row.flags),
    logic_chain:
      typeof trace.logic_chain === "string" ? writing.text(trace.logic_chain, CHAIN_CHARACTERS, "reasoning") : null,
    policy_citation: cited(trace.policy_citation, citation),
    precedent_weight: oneOf(trace.precedent_weight, PRECEDENT_WEIGHTS),
    inverse_citation_text: cited(trace.inverse_citation, inverse),
    level3_reason: oneOf(trace.level3_reason, LEVEL3_REASONS),
    citation,
    inverse_citation: inverse,
    spans: writing.tokens(spansOf(row.citation_spans), citation, community),
    error: errorOf(row.error, writing),
  };
}

function pageCitation(value: unknown, community: string, writing: Writing): Citation | null {
  const citation = object(value);
  if (!citation) return null;
  const ruleId = string(citation.rule_id);
  return {
    scope: oneOf(citation.scope, CITATION_SCOPES) ?? "none",
    rule_id: ruleId === null ? null : writing.citedRule(ruleId, community),
    overlap: number(citation.overlap),
    grounded: citation.grounded === true,
  };
}

function spansOf(value: unknown): [string, number][] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((span) => Array.isArray(span) && typeof span[0] === "string" && number(span[1]) !== null)
    .slice(0, MOST_SPANS)
    .map(([token, bits]) => [cutText(token, TOKEN_CHARACTERS), number(bits)!]);
}

function errorOf(value: unknown, writing: Writing): PageAudit["error"] {
  const error = object(value);
  if (!error) return null;
  const code = String(error.code ?? "");
  return {
    code: writing.code(code, "error") ?? "error",
    message: writing.message(String(error.message ?? ""), MESSAGE_CHARACTERS),
  };
}

/** A list, or its text from a file of cells. */
function flagsOf(value: unknown): Audit["flags"] {
  const list: unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[^a-z_]+/) : [];
  return list.filter((flag): flag is Flag => oneOf(flag, FLAGS) !== null);
}

function levelProbs(value: unknown): [number, number, number] | null {
  if (!Array.isArray(value) || value.length !== 3 || value.some((one) => probability(one) === null)) return null;
  return value.map((one) => number(one)!) as [number, number, number];
}

function level(value: unknown): Level | null {
  return oneOf(Number(value), [1, 2, 3] as const);
}

function object(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Number(value.toPrecision(AUDIT_DIGITS)) : null;
}

/** Null for values such as 7 or −0.1. */
function probability(value: unknown): number | null {
  const found = number(value);
  return found !== null && found >= 0 && found <= 1 ? found : null;
}

function string(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function oneOf<T>(value: unknown, allowed: readonly T[]): T | null {
  return allowed.includes(value as T) ? (value as T) : null;
}
