import { auditSchema } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { type Label, labelSchema } from "../../core/records/label.js";
import type { AppealRow } from "../../store/postgres/appeals.js";
import type { Actor } from "../auth.js";

/** Fields of a decision that all its readers may see. Any other field may quote people's words. */
const OF_DECISION = new Set([
  ...["id", "community", "decision", "human_label", "cited_rule", "decided_at", "ruleset_version", "thread_id", "tags"],
]);
const OF_DECIDER = new Set(["kind", "id", "confidence", "replicates"]);

/** Fields of an audit that quote people's words. Unknown fields may do so too. */
const QUOTES = new Set(["trace", "citation", "citation_spans", "inverse_citation", "prompt", "error"]);
const OF_AUDIT = new Set(Object.keys(auditSchema.shape).filter((name) => !QUOTES.has(name)));

type Reader = Pick<Actor, "scopes">;

export const readsContent = ({ scopes }: Reader) => scopes.has("content:read");

const only = (names: ReadonlySet<string>, record: object) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));

/** Reviewers are given known cases unmarked, so only admins may see the answers. */
export const readsGold = ({ scopes }: Reader) => scopes.has("admin");

/** The reviewer whose reviews of known cases the actor may see. null: everyone's. */
export const knownCasesOf = (actor: Pick<Actor, "scopes" | "name">) => (readsGold(actor) ? null : actor.name);

/** A decision as the actor may see it. */
export function shownDecision(actor: Reader, { gold, ...decision }: Decision): Partial<Decision> & ShownIds {
  const { decider } = decision;
  const seen = readsContent(actor)
    ? decision
    : { ...only(OF_DECISION, decision), ...(decider ? { decider: only(OF_DECIDER, decider) } : {}) };
  return { ...(seen as ShownIds), ...(gold && readsGold(actor) ? { gold: shownGold(actor, gold) } : {}) };
}

/** The note of a reference annotation may quote the content. */
function shownGold(actor: Reader, { note, ...gold }: NonNullable<Decision["gold"]>) {
  return readsContent(actor) && note !== undefined ? { ...gold, note } : gold;
}

type ShownIds = Pick<Decision, "id" | "community" | "decision">;

/** An audit as the actor may see it. */
export function shownAudit(actor: Reader, line: string): Record<string, unknown> {
  const audit = JSON.parse(line) as Record<string, unknown>;
  if (readsContent(actor)) return audit;
  const { error } = audit as { error?: { code: string } | null };
  return { ...only(OF_AUDIT, audit), ...(error ? { error: { code: error.code, message: "" } } : {}) };
}

const OF_LABEL = new Set(Object.keys(labelSchema.shape));

/** A note or an unknown field may quote the content. */
export function shownLabel(actor: Reader, label: Label): Label {
  return readsContent(actor) ? label : (only(OF_LABEL, label) as Label);
}

/** A reviewer's note may quote the content. */
export function shownReview<T extends { note: string | null }>(actor: Reader, review: T): T {
  return readsContent(actor) ? review : { ...review, note: null };
}

export function shownAppeal(actor: Reader, appeal: AppealRow): AppealRow {
  return readsContent(actor) ? appeal : { ...appeal, text: null, note: null };
}
