/** A character that would act instead of being seen, shown by its number. */
export interface ShownCharacter {
  /** "U+202E". */
  code: string;
  name: string;
}

export type TextPiece = string | ShownCharacter;

/**
 * Control characters, those that turn or override the direction of text, invisible ones, tags and halves of characters. Joiners inside
 * words and emoji (U+200C, U+200D) are spelling and stay; a new line and a tab are what they are.
 */
const ACTING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

/** Marks on one letter beyond this are no spelling any more; they would be drawn over the lines around it. */
const MOST_MARKS = 6;
const PILE = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");

/** A text as somebody wrote it, with nothing in it that acts on a page or hides: pieces of plain text, and characters to be named. */
export function visibleText(text: string): TextPiece[] {
  const clean = text.replace(/\r\n?/g, "\n").replace(PILE, "$1…");
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

/** The same as one string, for places where nothing but text can stand. */
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
