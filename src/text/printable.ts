import { withoutPiles } from "./mark-piles.js";
import { wellFormed } from "./utf8.js";

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
