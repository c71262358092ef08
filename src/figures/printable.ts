import { wellFormed } from "../signals/utf8.js";
import { withoutPiles } from "./mark-piles.js";

/**
 * Text that may come from audited content, made harmless for a terminal: control characters (which move the cursor, change colours or
 * retitle the window) and letters that look like nothing are shown as `·`, bidirectional overrides and invisible characters are dropped,
 * newlines become spaces, and piles of marks are cut. For names on a page: `nameText`, which shows what this drops.
 */
export function printable(text: string, maxLength = 200): string {
  const clean = withoutPiles(wellFormed(text))
    .replace(/[\r\n\t\u2028\u2029]+/g, " ")
    .replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u115f\u1160\u2800\u3164\uffa0]/g, "·");
  return clean.length <= maxLength ? clean : `${wellFormed(clean.slice(0, maxLength - 1))}…`;
}

/** Columns a text takes on a terminal: wide East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (/\p{M}/u.test(character)) continue;
    width += isWide(code) ? 2 : 1;
  }
  return width;
}

function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}

/** A text cut to a number of columns, with … where something is missing. */
export function fitted(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let result = "";
  let used = 0;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width - 1) break;
    result += character;
  }
  return `${result}…`;
}

export function pad(text: string, width: number, align: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + space : space + text;
}
