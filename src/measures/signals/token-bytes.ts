import type { Alternative } from "../../core/records/generation.js";
import { encodeUtf8 } from "../../text/utf8.js";

/**
 * A token's true bytes where they are known: its `bytes`, else the bytes its text spells (`\xe9\x9b` is how OpenAI prints half a
 * character), else the UTF-8 of its text.
 */
export function tokenBytes(token: Alternative): Uint8Array {
  if (token.bytes) return token.bytes;
  return token.text.includes("\\x") ? spelledBytes(token.text) : encodeUtf8(token.text);
}

function spelledBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const piece of text.split(/(\\x[0-9a-f]{2})/)) {
    if (/^\\x[89a-f][0-9a-f]$/.test(piece)) bytes.push(Number.parseInt(piece.slice(2), 16));
    else bytes.push(...encodeUtf8(piece));
  }
  return Uint8Array.from(bytes);
}

/** True where two candidates are the same token: by bytes where both have them, because distinct tokens can print alike. */
export function sameToken(a: Alternative, b: Alternative): boolean {
  if (a.text !== b.text) return false;
  if (!a.bytes || !b.bytes || a.bytes === b.bytes) return true;
  if (a.bytes.length !== b.bytes.length) return false;
  for (let i = 0; i < a.bytes.length; i++) if (a.bytes[i] !== b.bytes[i]) return false;
  return true;
}
