const COMMA_BYTE = 44;
const CLOSE_LIST = 93;
const SLOTS = 4096;
const MOST_BYTES = 8192;

const texts: string[] = new Array<string>(SLOTS).fill("");
const bytesOf = new Map<string, Uint8Array>();

/** ASCII bytes [start, end) as a string. Answers consist of the same few thousand tokens, so each of their texts is created once. */
export function sharedText(bytes: Buffer, start: number, end: number): string {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + bytes[at]!) | 0;
  const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
  const known = texts[slot]!;
  if (known.length === end - start && isAt(bytes, start, known)) return known;
  const text = bytes.toString("latin1", start, end);
  texts[slot] = text;
  return text;
}

function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The bytes of an ASCII text. The array is shared: never write to it. */
export function sharedBytes(text: string): Uint8Array {
  let bytes = bytesOf.get(text);
  if (!bytes) {
    bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    if (bytesOf.size >= MOST_BYTES) bytesOf.clear();
    bytesOf.set(text, bytes);
  }
  return bytes;
}

/** Whether the list at a place (`[72,105]`, with or without spaces) has the bytes of an ASCII text. */
export function listsText(bytes: Buffer, listAt: number, text: string): boolean {
  let at = listAt + 1;
  for (let i = 0; i < text.length; i++) {
    let value = 0;
    let digits = 0;
    for (; at < bytes.length; at++) {
      const digit = bytes[at]! - 48;
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        digits++;
      } else if (digits > 0 || bytes[at]! > 32) break;
    }
    const wanted = text.charCodeAt(i);
    const end = i === text.length - 1 ? CLOSE_LIST : COMMA_BYTE;
    if (digits === 0 || value !== wanted || wanted > 127 || bytes[at++] !== end) return false;
  }
  return text.length > 0;
}

const MINUS = 45;
const POINT = 46;
const POWERS = Array.from({ length: 23 }, (_, i) => 10 ** i);

/**
 * The number that bytes [start, end) spell, if it is plain and short (`-0.0123`); NaN if it has to be read otherwise. An integer
 * below 2^53 and a power of ten up to 10^22 are exact, so their quotient is what `Number` gives.
 */
export function shortDecimal(bytes: Buffer, start: number, end: number): number {
  const negative = bytes[start] === MINUS;
  let value = 0;
  let digits = 0;
  let point = -1;
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits++;
    } else if (bytes[at] === POINT && point < 0) point = at;
    else return NaN;
  }
  const decimals = point < 0 ? 0 : end - point - 1;
  if (digits === 0 || value > Number.MAX_SAFE_INTEGER || decimals >= POWERS.length) return NaN;
  const size = value / POWERS[decimals]!;
  return negative ? -size : size;
}
