import type { ContentParts } from "../../domain/content.js";
import { stem } from "../stem.js";
import { StemIndex, stemsOf } from "./rule-stems.js";

/** What a content shows by its form, in the words that rules have for it. */
const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bhttps?:\/\/|\bwww\./i, ["link", "url", "website"]],
  [/[\p{L}\d._-]+@[\p{L}\d-]+\.\p{L}{2,}/u, ["email", "contact"]],
  [/(?:\+|\b0)\d[\d ()/-]{6,}\d/, ["phone", "contact"]],
  [/[€$£]\s?\d|\d\s?(?:€|\$|£|euros?|dollars?|pounds?|eur|usd)\b/i, ["price", "money"]],
];

export interface ContentStems {
  /** Its stems, and how much each says in general. */
  stems: ReadonlyMap<string, number>;
  index: StemIndex;
}

/** The telling words of a content, title and body, and the names of the forms it shows: a link is a link without the word. */
export function contentStems(content: ContentParts): ContentStems {
  const text = `${content.title}\n${content.body}`;
  const stems = stemsOf(text);
  for (const [form, words] of FORMS) {
    if (form.test(content.url ?? "") || form.test(text)) for (const word of words) stems.set(stem(word), 1);
  }
  return { stems, index: new StemIndex(stems) };
}
