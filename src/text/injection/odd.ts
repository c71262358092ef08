export const LATIN = 1;
export const FOREIGN = 2;
/** What only a careful look can read. */
export const ODD = -1;

/** The script of a character beyond ASCII, 0 for a sign, {@link ODD} for what is no ordinary text. */
export function scriptOf(text: string, at: number, code: number): number {
  if (code < 0x250) return code === 0xad ? ODD : code >= 0xc0 && code !== 0xd7 && code !== 0xf7 ? LATIN : 0;
  if (code >= 0x370 && code < 0x1d00) return FOREIGN;
  if (code < 0x370 || code < 0x2000) return ODD;
  // Punctuation and pictures; of what is invisible only what emoji need is ordinary.
  if (code >= 0x2010 && code <= 0x2027) return 0;
  if (code === 0xfe0f || (code === 0x200d && text.charCodeAt(at - 1) > 0x2000)) return 0;
  if (code >= 0x2030 && code < 0x2460 && !(code >= 0x2060 && code <= 0x206f)) return 0;
  if (code >= 0x2500 && code < 0x2c00) return 0;
  // Surrogates of emoji; those of letters in other shapes are odd.
  if (code >= 0xd83c && code <= 0xd83e) {
    const low = text.charCodeAt(at + 1);
    return code === 0xd83c && low >= 0xdd00 && low < 0xde00 ? ODD : 0;
  }
  return code >= 0xdc00 && code <= 0xdfff ? 0 : ODD;
}

const AMPERSAND = 38;
const BACKSLASH = 92;
const LESS = 60;
const BRACE = 123;

/** Signs that begin markup, code, escapes and forms, where what follows makes them so. */
export function isSuspicious(text: string, at: number, code: number): boolean {
  if (code === LESS || code === BRACE || code === BACKSLASH) return text.charCodeAt(at + 1) > 32;
  if (code === AMPERSAND) return text[at + 1] === "#" || /^(?:lt|gt|quot|amp|apos)/.test(text.slice(at + 1, at + 5));
  if (code === 37) return /^[0-9a-f]{2}%/i.test(text.slice(at + 1, at + 4));
  if (code === 91) return /^(?:\/|inst|tool_|system_)/i.test(text.slice(at + 1, at + 9));
  if (code === 125 || code === 93) return /["'`]\s{0,3}$/.test(text.slice(Math.max(0, at - 4), at));
  // An "a" or "s" in a word; an e-mail address has a dot behind it.
  if (code === 64 || code === 36) return /^.[a-z]{2,20}(?![\w.-])/i.test(text.slice(at, at + 24));
  return false;
}
