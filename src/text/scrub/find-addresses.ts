import { UNSPACED } from "./find-names.js";
import type { Span } from "./scrub.js";

/** What may stand in the name before the `@`: letters of scripts that put spaces between words, and of all scripts. */
const SPACED_LOCAL = new RegExp(`^(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}._%+'-]`, "u");
const ANY_LOCAL = /[\p{L}\p{M}\p{N}._%+'-]/u;
const LONGEST_LOCAL = 64;
const SPACED_LETTER = `(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}-])`;
const SPACED_DOMAIN = new RegExp(`(?:${SPACED_LETTER}{1,63}\\.){1,8}(?!\\p{N})${SPACED_LETTER}{2,63}`, "uy");
const ANY_DOMAIN = /(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,8}[\p{L}\p{M}]{2,63}/uy;
const HANDLE = /@[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]{0,63}[\p{L}\p{M}\p{N}_])?/uy;
const USER_PATH = /(?<![\p{L}\p{N}_])\/?u(?:ser)?\/[A-Za-z0-9_-]{3,32}/gu;

/** `@5pm`, `@3.50`: a time or a price. */
const AMOUNT = /^@\d+(?:[.:]\d+)?(?:am|pm|h|k|x|ea)?$/i;
/** Calls to everybody name nobody. */
const EVERYBODY = new Set(["@everyone", "@here", "@all", "@channel"]);

/** E-mail addresses and handles (`@name`, `@name@host.tld`, `u/name`, `/u/name`, `user/name`). Time grows with the length alone. */
export function findAddresses(text: string): Span[] {
  const spans: Span[] = [];
  let free = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", Math.max(at + 1, free))) {
    const span = mailAt(text, at, free) ?? handleAt(text, at);
    if (span === null) continue;
    spans.push(span);
    free = span.end;
  }
  for (const match of text.matchAll(USER_PATH)) {
    spans.push({ kind: "HANDLE", start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

/**
 * An address whose `@` stands at `at`. Ideographs and the like belong to it only where one stands beside the `@`: Chinese and Japanese are
 * written without a space before and after an address.
 */
function mailAt(text: string, at: number, free: number): Span | null {
  const local = SPACED_LOCAL.test(text[at - 1] ?? "") ? SPACED_LOCAL : ANY_LOCAL;
  let start = at;
  while (start > free && at - start < LONGEST_LOCAL && local.test(text[start - 1]!)) start--;
  while (start < at && /[.'%+-]/.test(text[start]!)) start++;
  if (start === at) return null;
  const end = endOf(SPACED_DOMAIN, text, at + 1) ?? endOf(ANY_DOMAIN, text, at + 1);
  return end === null ? null : { kind: "EMAIL", start, end };
}

function handleAt(text: string, at: number): Span | null {
  if (at > 0 && SPACED_LOCAL.test(text[at - 1]!)) return null;
  let end = endOf(HANDLE, text, at);
  if (end === null) return null;
  const handle = text.slice(at, end);
  if (AMOUNT.test(handle) || EVERYBODY.has(handle.toLowerCase())) return null;
  if (text[end] === "@") end = endOf(SPACED_DOMAIN, text, end + 1) ?? end;
  return { kind: "HANDLE", start: at, end };
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? null : at + match[0].length;
}
