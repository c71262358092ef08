import type { Range } from "./hidden.js";

const BLOB = /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{24,}={0,2})/g;
const HEX = /^(?:[0-9a-f]{2})+$/i;
/** Characters of encoded text that are decoded at most: an order fits, a picture need not. */
const LONGEST_BLOB = 4000;
const READABLE = /^[\t\n\r -~]*$/;

/** Texts in base64 or hexadecimal numbers: where they stand, and what they say. */
export function encodedTexts(text: string): (Range & { decoded: string })[] {
  const found: (Range & { decoded: string })[] = [];
  for (const { 0: blob, index } of text.matchAll(BLOB)) {
    const decoded = decode(blob.slice(0, LONGEST_BLOB));
    if (decoded !== null) found.push({ start: index, end: index + blob.length, decoded });
  }
  return found;
}

function decode(blob: string): string | null {
  if (HEX.test(blob)) {
    const text = blob.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
    return READABLE.test(text) ? text : null;
  }
  // Words and names run together have no such mixture.
  if (!/[a-z]/.test(blob) || !/[A-Z0-9+/]/.test(blob)) return null;
  const plain = blob.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    const text = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
    return READABLE.test(text) ? text : null;
  } catch {
    return null;
  }
}
