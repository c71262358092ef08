import { wellFormed } from "../../text/utf8.js";
import { visibleString } from "../../text/visible-text.js";

/**
 * A name that people gave, or a line that they wrote, as pages and figures show it: on one line, with what cannot be seen shown by its number
 * ("film[U+200B]club"), so that two names that differ look different and none looks like nothing, and cut where it is long.
 */
export function nameText(name: string, maxLength = 200): string {
  // Of a name of a million characters only the beginning is looked at.
  const beginning = name.slice(0, 4 * maxLength);
  const text = visibleString(beginning)
    .replace(/[\n\t]+/g, " ")
    .replace(/^ +| +$|^\s+$/g, numbered);
  if (text.length <= maxLength && beginning.length === name.length) return text;
  // Not in the middle of a character or of the number of one, nor of a word where one ends near.
  const cut = wellFormed(text.slice(0, Math.min(maxLength - 1, text.length)));
  const whole = cut.replace(/\ufffd$|\[(?:U(?:\+[0-9A-F]*)?)?$/, "");
  const wordEnd = whole.lastIndexOf(" ");
  return `${wordEnd > 0.7 * whole.length ? whole.slice(0, wordEnd) : whole}…`;
}

function numbered(spaces: string): string {
  return [...spaces].map((one) => `[U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`).join("");
}
