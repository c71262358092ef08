import type { Traits } from "./traits.js";
import type { VocabularyToken } from "./vocabulary.js";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** A token as text. Half a character has none, and each server has its own way about it. */
export function printToken({ bytes, special }: VocabularyToken, half: Traits["half"]): string {
  if (special !== undefined) return special;
  const whole = decode(bytes);
  if (whole !== null) return whole;
  switch (half) {
    case "escaped":
      return escapeHalves(bytes);
    case "cut":
      return lenient.decode(bytes.subarray(0, completeLength(bytes)));
    case "empty":
      return "";
    case "replaced":
      return lenient.decode(bytes);
  }
}

/** The bytes that a server gives with a token. */
export function reportedBytes(token: VocabularyToken, { bytes, half }: Traits): number[] | null | undefined {
  if (bytes === "absent") return undefined;
  const text = printToken(token, half);
  if (bytes === "of_text") return [...Buffer.from(text)];
  if (bytes === "of_text_or_absent") return text === "" ? undefined : [...Buffer.from(text)];
  return token.special === undefined ? [...token.bytes] : null;
}

function decode(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Whole characters as they are, stray bytes as `\xe9`. */
function escapeHalves(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    let length = Math.min(4, bytes.length - at);
    while (length > 0 && decode(bytes.subarray(at, at + length)) === null) length--;
    text += length > 0 ? decode(bytes.subarray(at, at + length)) : `\\x${bytes[at]!.toString(16).padStart(2, "0")}`;
    at += Math.max(1, length);
  }
  return text;
}

/** Length without a character that is begun and not ended. */
function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : byte < 0x80 ? 1 : 0;
    if (needed > 0) return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
