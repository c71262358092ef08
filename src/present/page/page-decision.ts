import { type Content, contentParts } from "../../core/records/content.js";
import type { Decision } from "../../core/records/decision.js";
import type { PageDecision } from "../../measures/report-page.js";
import type { HashedSort } from "../../store/files/redaction-key.js";
import type { Writing } from "./writing.js";

/** Characters shown of each part. */
export const BODY_CHARACTERS = 4_000;
export const CONTEXT_CHARACTERS = 1_000;
const MOST_CONTEXT = 10;
const TITLE_CHARACTERS = 500;
const SHORT_CHARACTERS = 1_000;

/** What a decision's own record tells. */
export type DecisionParts = Omit<
  PageDecision,
  "id" | "community" | "decision" | "reasons" | "labels" | "precedents" | "audit" | "human_audit" | "opposite_audit"
>;

/** What a page shows of a decision's record. */
export function decisionParts(decision: Decision, writing: Writing): DecisionParts {
  const { title, body, context, url, kind, language } = contentParts(decision.content);
  const { decider, appeal, gold } = decision;
  const some = (value: string | null | undefined, most: number, sort: HashedSort) =>
    value ? writing.text(value, most, sort) : null;
  const rule = (id: string) => writing.ruleId(id, decision.community);
  return {
    human_label: decision.human_label ?? null,
    decided_at: decision.decided_at ? writing.date(decision.decided_at) : null,
    decider: decider
      ? { kind: decider.kind, id: deciderId(decider, writing), confidence: decider.confidence ?? null }
      : null,
    title: some(title, TITLE_CHARACTERS, "content"),
    body: writing.text(body, BODY_CHARACTERS, "content"),
    context: context.slice(0, MOST_CONTEXT).map((one) => writing.text(one, CONTEXT_CHARACTERS, "content")),
    context_of: context.length,
    url: some(url, SHORT_CHARACTERS, "content"),
    kind: kind && writing.kind(kind),
    language: language && writing.language(language),
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

/** Models are known by their names; people, and what people call a bot, need not be. */
function deciderId({ kind, id }: NonNullable<Decision["decider"]>, writing: Writing): string | null {
  if (!id) return null;
  return kind === "human" ? writing.person(id) : writing.model(id);
}

function mediaOf(content: Content): number {
  return typeof content === "string" ? 0 : (content.media?.length ?? 0);
}

/** Where only audits are known. */
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
