import type { CaseFrame } from "../../core/records/case.js";
import { tokenise } from "../../text/words.js";
import { frameIndex } from "./frame-index.js";

/** A quotation shorter than this is a word in quotes, not a passage. */
export const QUOTED_WORDS = 3;

export interface QuotedSpan {
  text: string;
  /** Where its words stand one after the other; null: nowhere. */
  source:
    | { kind: "rule" | "precedent"; scope: "platform" | "community" | "precedent"; id: string }
    | { kind: "content" }
    | null;
}

const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»|「([^」]+)」/g;

/**
 * The passages of three words or more that a text puts in quotation marks, each with the rule, precedent or content it was taken from word
 * for word (case and punctuation aside). A quotation found nowhere is one the auditor invented.
 */
export function quotedSpans(text: string, frame: CaseFrame, content = ""): QuotedSpan[] {
  const { sources } = frameIndex(frame);
  const contentPhrase = ` ${tokenise(content).join(" ")} `;
  const spans: QuotedSpan[] = [];
  for (const match of text.matchAll(QUOTED)) {
    const quoted = match.slice(1).find((group) => group !== undefined)!;
    const tokens = tokenise(quoted);
    if (tokens.length < QUOTED_WORDS) continue;
    const phrase = ` ${tokens.join(" ")} `;
    const source = sources.find((candidate) => candidate.phrase.includes(phrase));
    if (source) {
      const kind = source.scope === "precedent" ? "precedent" : "rule";
      spans.push({ text: quoted, source: { kind, scope: source.scope, id: source.id } });
    } else spans.push({ text: quoted, source: contentPhrase.includes(phrase) ? { kind: "content" } : null });
  }
  return spans;
}
