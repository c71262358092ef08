import type { TokenCounter } from "../../auditors/output-format.js";
import { encodeText } from "./encode.js";

/** A text of which the middle, or the end where `tail` is empty, was left out. */
export interface CutText {
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
