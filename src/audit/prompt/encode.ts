import type { TokenCounter } from "../../auditors/output-format.js";

/**
 * Text of strangers as it stands in a prompt: one JSON string on one line. `JSON.parse` gives back exactly what was put in.
 *
 * Written as `\uXXXX` is whatever could be mistaken for something of ours or cannot be seen:
 * - control and format characters, line and paragraph separators, bidi controls, zero-width, tag and all other default-ignorable
 *   characters, private use, noncharacters, half surrogate pairs. The sets are those of Unicode, so they need no list to be kept.
 * - `<` and `>` with their wide and small forms (some tokenizers fold them): the turns of most chat templates are `<|…|>`,
 *   `<start_of_turn>` and the like.
 * - `[` before `/`, `|`, `@`, a word in capitals (`[INST]`, `[TOOL_CALLS]`, `[gMASK]`) or `e~[`, and `]` before `~`: the turns of the others.
 *
 * Line breaks and tabs are `\n` and `\t` as JSON writes them. Letters of every script stay as they are.
 */
export function encodeText(text: string): string {
  return JSON.stringify(text).replace(NOT_SHOWN, escapeUnits);
}

const NOT_SHOWN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}<>＜＞﹤﹥]|\[(?=[/|@]|e~\[|[a-z]?[A-Z_]{3,}\])|\](?=~)/gu;

function escapeUnits(character: string): string {
  let escaped = "";
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** A text of which the middle, or the end where `tail` is empty, was left out. */
interface CutText {
  head: string;
  tail: string;
  /** Characters (code points) left out. */
  left: number;
}

/** A text of more characters than this for each token allowed does not fit; it is not counted to find out. */
const CHARACTERS_PER_TOKEN = 32;
/** Share of what is kept that is taken from the end. */
const TAIL = 0.25;
const MOST_TRIES = 8;

/** Tokens of a text once it is encoded; Infinity where it is far beyond `limit`. */
export function encodedTokens(text: string, limit: number, counter: TokenCounter): number {
  return text.length > limit * CHARACTERS_PER_TOKEN ? Number.POSITIVE_INFINITY : counter.count(encodeText(text));
}

/**
 * As much of a text as has at most `limit` tokens once it is encoded. How much that is, is estimated from its length and checked: a handful
 * of counts of about `limit` tokens each, however long the text. Never splits a code point.
 */
export function cutText(
  text: string,
  { limit, size, keepTail, counter }: { limit: number; size: number; keepTail: boolean; counter: TokenCounter },
): CutText {
  // No token is shorter than a byte, and no character longer than the six of an escape.
  let best = Math.max(0, Math.floor((limit - 4) / 6));
  let keep = Math.floor(Number.isFinite(size) ? (text.length * limit) / size : limit * 3);
  for (let tries = 0; tries < MOST_TRIES && keep > best && keep < text.length; tries++) {
    const cut = take(text, keep, keepTail);
    const used = counter.count(encodeText(cut.head)) + (cut.tail ? counter.count(encodeText(cut.tail)) : 0);
    const scale = (0.97 * limit) / Math.max(1, used);
    if (used <= limit) {
      best = keep;
      if (scale < 1.15) break;
    }
    keep = Math.min(text.length - 1, Math.floor(keep * Math.min(4, scale)));
  }
  return take(text, Math.min(best, text.length), keepTail);
}

function take(text: string, keep: number, keepTail: boolean): CutText {
  const tailLength = keepTail ? Math.floor(keep * TAIL) : 0;
  let from = keep - tailLength;
  if (splitsPair(text, from)) from--;
  let to = text.length - tailLength;
  if (splitsPair(text, to)) to++;
  return { head: text.slice(0, from), tail: text.slice(to), left: codePoints(text, from, to) };
}

function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function codePoints(text: string, from: number, to: number): number {
  let count = to - from;
  for (let i = from + 1; i < to; i++) if (splitsPair(text, i)) count--;
  return count;
}
