/** More marks than this on one letter are not spelling; they would be drawn over the lines around it. */
const MOST_MARKS = 6;

/** Zero-width characters (joiners among them) do not end a pile: otherwise it would restart after each. */
const PILE = new RegExp(`(\\p{M}(?:\\p{Cf}*\\p{M}){${MOST_MARKS - 1}})(?:\\p{Cf}*\\p{M})+`, "gu");

/** Cuts marks beyond what spelling needs, and shows … in their place. */
function withoutPiles(text: string): string {
  return text.replace(PILE, "$1…");
}

/** Offsets are in UTF-8 bytes, because tokens consist of bytes; JavaScript strings count UTF-16 units. */

const encoder = new TextEncoder();

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** True if every unit is one byte, so that string offsets are byte offsets. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return false;
  }
  return true;
}

/** Bytes of the unit at `index`: a surrogate pair is 4 at its first half and 0 at its second; a lone one is 3 (TextEncoder writes U+FFFD). */
export function utf8Width(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  if (unit < 0xdc00) return isLowSurrogate(text, index + 1) ? 4 : 3;
  return index > 0 && isHighSurrogate(text, index - 1) ? 0 : 3;
}

/** UTF-8 length of `text.slice(from, to)` as a part of `text`. */
export function utf8Length(text: string, from = 0, to = text.length): number {
  let bytes = 0;
  for (let i = from; i < to; i++) bytes += utf8Width(text, i);
  return bytes;
}

/**
 * Replaces every lone surrogate by U+FFFD: engines that store UTF-8 would reject the row otherwise. `String.prototype.toWellFormed` is not used
 * because this also runs in browsers, and Firefox 115, which is still maintained, does not have it.
 */
export function wellFormed(text: string): string {
  // Almost no text has any, and a string of single-byte characters is not even searched.
  if (!/[\ud800-\udfff]/.test(text)) return text;
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** East Asian scripts, full-width forms, and emoji that are pictures by default. Half of a flag takes one column. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u;

export function isWide(character: string): boolean {
  return WIDE.test(character);
}

/** Columns a text takes on a terminal: wide East Asian characters and emoji take two, combining marks take none. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (!/\p{M}/u.test(character)) width += isWide(character) ? 2 : 1;
  }
  return width;
}

/** C1 controls, bidirectional marks and line separators, which could act on a terminal. */
const ACTING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** For tests only: a global pattern keeps its position between calls. */
const SOME_ACTING = new RegExp(ACTING.source);

/** Makes JSON harmless to a terminal without changing its value. Lone surrogates, which other JSON readers reject, are replaced. */
export function safeJson(json: string): string {
  if (!json.includes("\\ud") && !SOME_ACTING.test(json)) return json;
  return json
    .replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}

/**
 * Makes text that may come from audited content harmless to a terminal: control characters (which move the cursor, change colours
 * or retitle the window) and letters that look blank are shown as `·`, bidirectional overrides and invisible characters are
 * dropped, newlines become spaces, and piles of marks are cut. For names on a page use `nameText`, which shows what this drops.
 */
export function printable(text: string, maxLength = 200): string {
  const clean = withoutPiles(wellFormed(text))
    .replace(/[\r\n\t\u2028\u2029]+/g, " ")
    .replace(/[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u115f\u1160\u2800\u3164\uffa0]/g, "·");
  return clean.length <= maxLength ? clean : `${wellFormed(clean.slice(0, maxLength - 1))}…`;
}

/** An argument quoted for a shell; null: it cannot be shown unchanged, or is too long to be pasted. */
export function shellWord(argument: string, mostLetters = 200): string | null {
  if (printable(argument, mostLetters) !== argument) return null;
  return /^[\w.,:=@%+/-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** A character that would act instead of being seen, with its number. */
export interface ShownCharacter {
  /** "U+202E". */
  code: string;
  name: string;
}

export type TextPiece = string | ShownCharacter;

/** Control characters, characters that set or override text direction, invisible ones, tags. Line breaks and tabs are not included. */
const ACTS =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]";

/** Scripts and symbols whose spelling uses joiners (U+200C, U+200D). Between other letters a joiner is only hidden. */
const JOINED = `[\\p{Extended_Pictographic}\\u{1f3fb}-\\u{1f3ff}\\ufe0f${[
  "Arabic",
  "Syriac",
  "Mongolian",
  "Nko",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Oriya",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Myanmar",
  "Khmer",
]
  .map((script) => `\\p{Script=${script}}`)
  .join("")}]`;

/** A variation selector belongs after these; after a letter with only one form it is only hidden. */
const VARIED = "[\\p{Extended_Pictographic}\\p{Script=Han}\\p{Script=Myanmar}\\p{Sm}\\u{1f3fb}-\\u{1f3ff}]";

const ACTING_OR_HIDING = new RegExp(
  [
    ACTS,
    "\\p{Cs}",
    `(?<!${JOINED})[\\u200c\\u200d]|[\\u200c\\u200d](?!${JOINED}|[\\u2640\\u2642])`,
    `(?<!${VARIED})[\\ufe00-\\ufe0f](?!\\u20e3)`,
  ].join("|"),
  "gu",
);

/** A text in the original, with nothing in it that acts on a page or is hidden: pieces of plain text, and characters shown by name. */
export function visibleText(text: string): TextPiece[] {
  const clean = withoutPiles(text).replace(/\r\n?/g, "\n");
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of clean.matchAll(ACTING_OR_HIDING)) {
    if (index > from) pieces.push(clean.slice(from, index));
    pieces.push(shown(character.codePointAt(0)!));
    from = index + character.length;
  }
  if (from < clean.length) pieces.push(clean.slice(from));
  return pieces;
}

/** `visibleText` as one string, for places that accept only text. */
export function visibleString(text: string): string {
  return visibleText(text)
    .map((piece) => (typeof piece === "string" ? piece : `[${piece.code}]`))
    .join("");
}

function shown(code: number): ShownCharacter {
  return { code: `U+${code.toString(16).toUpperCase().padStart(4, "0")}`, name: kindOf(code) };
}

function kindOf(code: number): string {
  if (code <= 0x1f || (code >= 0x7f && code <= 0x9f)) return "control character";
  if (code >= 0xd800 && code <= 0xdfff) return "half of a character";
  if (code >= 0xe0000) return "invisible tag";
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return "turns the direction of text";
  if (code === 0x061c || code === 0x200e || code === 0x200f) return "direction mark";
  return "invisible character";
}
