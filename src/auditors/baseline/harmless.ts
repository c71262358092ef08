/** Control characters, quotation marks, backslashes, braces, marks that turn the direction of text, and halves of surrogate pairs. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f"“”„«»\\{}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const MAYBE_HARMFUL = /[^ !#-[\]-z|~]/;

/**
 * Foreign text made fit to stand inside a JSON string as part of a sentence: nothing in it can end the string, look like a key or turn the
 * line around. Shortened at `length` characters.
 */
export function harmless(text: string, length = 80): string {
  const short = text.length > length ? `${text.slice(0, length - 3)}...` : text;
  return MAYBE_HARMFUL.test(short) ? short.replace(HARMFUL, replacement) : short;
}

function replacement(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '"' || code === 0x201c || code === 0x201d || code === 0x201e || code === 0xab || code === 0xbb)
    return "'";
  if (character === "\\") return "/";
  if (character === "{") return "(";
  if (character === "}") return ")";
  return code <= 0x20 || code === 0x2028 || code === 0x2029 ? " " : code >= 0xd800 && code <= 0xdfff ? "\ufffd" : "";
}

/** A text of the rules inside a JSON string: as it is, escaped, with lone surrogates replaced. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed()).slice(1, -1);
}
