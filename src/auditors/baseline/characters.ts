/** Code units that the scanner of words tells apart. */
export const SPACE = 32;
export const EXCLAMATION = 33;
export const APOSTROPHE = 39;
export const CLOSING_BRACKET = 41;
export const ASTERISK = 42;
export const COMMA = 44;
export const HYPHEN = 45;
export const DOT = 46;
export const COLON = 58;
export const SEMICOLON = 59;
export const QUESTION = 63;
export const AT = 64;
export const NEW_LINE = 10;
export const CURLY_APOSTROPHE = 0x2019;
export const KELVIN = 0x212a;

export const OTHER = 0;
const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
export const BEYOND_ASCII = 4;
export const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
});

export function isQuotationMark(code: number): boolean {
  return code === 34 || (code >= 0x201c && code <= 0x201e) || code === 0xab || code === 0xbb;
}

/** The first half of most emoji, or one of the older pictures. */
export function isEmoji(code: number): boolean {
  return code >= 0x2600 && (code <= 0x27bf || (code >= 0xd83c && code <= 0xd83e) || code === 0x2b50);
}

/** A single letter right before `at`. */
export function isInitial(text: string, at: number): boolean {
  if (at > text.length) return false;
  const code = text.charCodeAt(at - 1);
  return code > 57 && isWordCharacter(code) && !isWordCharacter(text.charCodeAt(at - 2));
}

export function isWordCharacter(code: number): boolean {
  if (code < 128) return KINDS[code] !== OTHER;
  if (code < 0x2000) return code >= 0xc0 && code !== 0xd7 && code !== 0xf7;
  return (code >= 0x2c00 && code <= 0x2dff) || (code >= 0x3040 && code <= 0xd7ff);
}
