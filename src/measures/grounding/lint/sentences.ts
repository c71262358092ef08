import { stem } from "../../../text/stem.js";
import { STOP_WORDS } from "../../../text/stop-words.js";
import { tokenise } from "../../../text/words.js";

/** A text cut at full stops, semicolons, question marks and line ends. A full stop inside a number or an abbreviation does not end a sentence. */
export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+(?=[\p{Lu}\p{N}"“'([])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** What a text is about: the stems of its words, without those that every rule has. */
export function topicStems(text: string): Set<string> {
  const stems = new Set<string>();
  for (const token of tokenise(text)) {
    if (token.length > 1 && !STOP_WORDS.has(token) && !/^\d+$/.test(token)) stems.add(stem(token));
  }
  return stems;
}

/**
 * How much two sets have in common.
 *
 * Formula: |A ∩ B| / |A ∪ B|.
 * Range: 0 to 1.
 * Undefined when: both are empty; then it is 0, since nothing is shared.
 * @example sharedShare(new Set(["a", "b"]), new Set(["b", "c"])) // => 0.3333
 */
export function sharedShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
