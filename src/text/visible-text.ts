import { withoutPiles } from "./printable.js";

/** A character that would act instead of being seen, shown by its number. */
export interface ShownCharacter {
  /** "U+202E". */
  code: string;
  name: string;
}

export type TextPiece = string | ShownCharacter;

/** Control characters, those that turn or override the direction of text, invisible ones, tags. A new line and a tab are what they are. */
const ACTS =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]";

/** Scripts and signs that are spelled with joiners (U+200C, U+200D). Between other letters a joiner only hides. */
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

/** What chooses between two forms of a sign belongs to it; after a letter that has one form it only hides. */
const VARIED = "[\\p{Extended_Pictographic}\\p{Script=Han}\\p{Script=Myanmar}\\p{Sm}\\u{1f3fb}-\\u{1f3ff}]";

const ACTING = new RegExp(
  [
    ACTS,
    "\\p{Cs}",
    `(?<!${JOINED})[\\u200c\\u200d]|[\\u200c\\u200d](?!${JOINED}|[\\u2640\\u2642])`,
    `(?<!${VARIED})[\\ufe00-\\ufe0f](?!\\u20e3)`,
  ].join("|"),
  "gu",
);

/** A text as it was written, with nothing in it that acts on a page or hides: pieces of plain text, and characters to be named. */
export function visibleText(text: string): TextPiece[] {
  const clean = withoutPiles(text).replace(/\r\n?/g, "\n");
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of clean.matchAll(ACTING)) {
    if (index > from) pieces.push(clean.slice(from, index));
    pieces.push(shown(character.codePointAt(0)!));
    from = index + character.length;
  }
  if (from < clean.length) pieces.push(clean.slice(from));
  return pieces;
}

/** The same as one string, for places that accept nothing but text. */
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
