import type { ContentParts } from "../../../core/records/content.js";
import { PROPERTY_CONCEPTS } from "../../../text/lexicon.js";
import { conceptKey, StemIndex, type TellingWords, tellingWords } from "./telling-words.js";

/** What a content shows by its form, as the concepts of rules call it. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/|\bwww\./i, "link"],
  [/[\p{L}\d._-]@[\p{L}\d-]+\.\p{L}{2,}/u, "email"],
  [/(?:\+|\b0)\d[\d ()/-]{6,}\d/, "phone"],
  [/[€$£]\s?\d|\d\s?(?:€|\$|£|euros?|dollars?|pounds?|eur|usd)\b/i, "money"],
  [/\[(?:picture|photo|image|video)|\.(?:jpe?g|png|gif|webp)\b/i, "media"],
];

export interface ContentWords {
  /** Its telling words, and how much each says in general. */
  words: ReadonlyMap<string, number>;
  index: StemIndex;
  /** The whole text in lower case, to find a name in. */
  lower: string;
}

/**
 * The telling words of a content, title and body. What stands around it (context) is not its own. A link is a link without the word, and the word
 * "link" is none.
 */
export function contentWords(content: ContentParts): ContentWords {
  const words = wordsOfContent(content);
  return { words, index: new StemIndex(words), lower: textOf(content).toLowerCase() };
}

function textOf({ title, body }: ContentParts): string {
  return `${title}\n${body}`;
}

/** The words alone. */
export function wordsOfContent(content: ContentParts): TellingWords {
  const text = textOf(content);
  const words = tellingWords(text);
  for (const concept of PROPERTY_CONCEPTS) words.delete(conceptKey(concept));
  for (const [form, concept] of FORMS) {
    if (form.test(text) || (content.url && form.test(content.url))) words.set(conceptKey(concept), 1);
  }
  if (content.hasMedia) words.set(conceptKey("media"), 1);
  return words;
}
