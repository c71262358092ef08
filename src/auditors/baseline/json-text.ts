/** Control characters, quotation marks, backslashes, braces, marks that turn the direction of text, and halves of surrogate pairs. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f"“”„«»\\{}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const MAYBE_HARMFUL = /[^ !#-[\]-z|~]/;
const REPLACEMENTS: Readonly<Record<string, string>> = { "\\": "/", "{": "(", "}": ")" };

/**
 * Foreign text made fit to stand inside a JSON string as part of a sentence: nothing in it can end the string, look like a key or turn the
 * line around. Shortened at `length` characters.
 */
export function harmless(text: string, length = 80): string {
  const short = text.length > length ? `${text.slice(0, length - 3)}...` : text;
  return MAYBE_HARMFUL.test(short) ? short.replace(HARMFUL, replacement) : short;
}

function replacement(character: string): string {
  if (/["“”„«»]/.test(character)) return "'";
  if (/[\u0000-\u0020\u2028\u2029]/.test(character)) return " ";
  return REPLACEMENTS[character] ?? (character.isWellFormed() ? "" : "\ufffd");
}

/** A text of the rules inside a JSON string: as it is, escaped, with lone surrogates replaced. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed()).slice(1, -1);
}

/** A word or number with the space before it, an escape, or a single character. */
const PIECE = / ?(?:[a-zA-Z0-9\u00c0-\u1fff]+|\\u....|\\.|[^ ])| /gu;

/** Cuts a piece of JSON text into tokens of its own kind. Together they are the text; surrogate pairs are never cut. */
export function pieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}
