/** Offsets are counted in UTF-8 bytes, because that is what tokens are made of; JavaScript strings count UTF-16 units. */

const encoder = new TextEncoder();

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** True where every unit is one byte, so that string offsets are byte offsets. */
export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return false;
  }
  return true;
}

/**
 * Bytes of the unit at `index`: a surrogate pair counts 4 at its first half and 0 at its second, a lone surrogate 3,
 * which is what TextEncoder writes for it (U+FFFD).
 */
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
 * The same text with every lone surrogate replaced by U+FFFD: engines that store UTF-8 reject the row otherwise. Not by
 * `String.prototype.toWellFormed`: this runs in browsers too, and Firefox 115, which is still maintained, does not have it.
 */
export function wellFormed(text: string): string {
  // Almost no text has any, and in one of single bytes this does not even look.
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
