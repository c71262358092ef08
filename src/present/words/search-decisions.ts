import type { PageDecision } from "../../measures/report-page.js";
import { folded } from "../../text/folded.js";

/** What is searched of a decision, as far as the page carries it. */
const TEXTS = {
  ids: ({ id }: PageDecision) => [id],
  titles: ({ title }: PageDecision) => [title?.text],
  contents: ({ body, context }: PageDecision) => [body, ...context].map((part) => part?.text),
  citations: ({ title, body, audit: { policy_citation: written, citation } }: PageDecision) =>
    // Where contents are redacted, only some citations are left: a search of these would seem to be one of all.
    written?.text && title?.text !== null && body?.text !== null
      ? [written.text, `${citation?.scope ?? ""} ${citation?.rule_id ?? ""}`]
      : [],
};
export type Searched = keyof typeof TEXTS;
const KINDS = Object.keys(TEXTS) as Searched[];

/** Texts of each decision, folded when somebody first searches: thousands of them are then looked through at every key. */
const FOLDED = new WeakMap<PageDecision, string>();

/** What a search of these decisions looks into. Of redacted ones the ids alone are there. */
export function searchedKinds(decisions: readonly PageDecision[]): Searched[] {
  return KINDS.filter((kind) => decisions.some((decision) => TEXTS[kind](decision).some(Boolean)));
}

/** Whether a decision holds every word of a search, whatever their case and accents; an empty search finds all. */
export function searchFor(search: string): (decision: PageDecision) => boolean {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return (decision) => words.every((word) => textOf(decision).includes(word));
}

function textOf(decision: PageDecision): string {
  const known = FOLDED.get(decision);
  if (known !== undefined) return known;
  const texts = KINDS.flatMap((kind) => TEXTS[kind](decision)).filter(Boolean);
  const text = folded(texts.join("\n"));
  FOLDED.set(decision, text);
  return text;
}
