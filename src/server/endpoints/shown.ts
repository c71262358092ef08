import type { AppealRow } from "../../store/postgres/appeals.js";
import type { Actor } from "../auth.js";

/** What may quote people's words. */
const CONTENT = new Set(["content", "rationale", "appeal", "trace", "citation", "citation_spans"]);

type Reader = Pick<Actor, "scopes">;

const readsContent = ({ scopes }: Reader) => scopes.has("content:read");

/** A decision or an audit as the actor may see it. */
export function shown<T extends object>(actor: Reader, record: T): T {
  if (readsContent(actor)) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !CONTENT.has(name))) as T;
}

/** A reviewer's note may quote the content. */
export function shownReview<T extends { note: string | null }>(actor: Reader, review: T): T {
  return readsContent(actor) ? review : { ...review, note: null };
}

export function shownAppeal(actor: Reader, appeal: AppealRow): AppealRow {
  return readsContent(actor) ? appeal : { ...appeal, text: null, note: null };
}
