import type { Token } from "../../core/records/generation.js";
import { encodeUtf8, isAscii, utf8Length } from "../../text/utf8.js";
import { resynchronise } from "./resynchronise.js";
import { tokenBytes } from "./token-bytes.js";

/** Where each token stands in the text, in UTF-8 bytes: token i covers [starts[i], ends[i]). */
export interface Alignment {
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
  /**
   * `exact`: the tokens' bytes joined are the text. `shifted`: the text is a part of them (thoughts before it, an end mark after
   * it); tokens outside lie below 0 or beyond its length. `repaired`: some tokens lost their bytes; `loose` marks those.
   */
  fit: "exact" | "shifted" | "repaired";
  /**
   * 1 for a token whose own place is unknown: all neighbours of one gap share the gap's range. Tokens after the last place that
   * could be found again have an empty range at the end. null: none.
   */
  loose: ArrayLike<number> | null;
}

/**
 * Lays the tokens over the text. Providers lose bytes in three ways: half a character printed as U+FFFD (vLLM), as an empty string
 * (Ollama), or as the literal `\xe9` (OpenAI, when a gateway drops `bytes`); so the text, not the tokens, is the measure.
 */
export function alignTokens(tokens: readonly Token[], text: string, ascii = isAscii(text), joined = false): Alignment {
  if (joined && ascii) return exactAlignment(joinedOffsets(tokens));
  const quick = alignByText(tokens, text, ascii);
  if (quick) return exactAlignment(quick);
  const textBytes = encodeUtf8(text);
  const parts = tokens.map(tokenBytes);
  return alignByBytes(parts, textBytes) ?? resynchronise(parts, textBytes);
}

function exactAlignment(offsets: Int32Array, fit: Alignment["fit"] = "exact"): Alignment {
  return { starts: offsets.subarray(0, offsets.length - 1), ends: offsets.subarray(1), fit, loose: null };
}

function joinedOffsets(tokens: readonly Token[]): Int32Array {
  const offsets = new Int32Array(tokens.length + 1);
  for (let i = 0; i < tokens.length; i++) offsets[i + 1] = offsets[i]! + tokens[i]!.text.length;
  return offsets;
}

/** The common case without a byte array: each token's text is the next piece of the text, as long as its bytes say. */
function alignByText(tokens: readonly Token[], text: string, ascii: boolean): Int32Array | null {
  const offsets = new Int32Array(tokens.length + 1);
  let chars = 0;
  let bytes = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const piece = token.text;
    if (!text.startsWith(piece, chars)) return null;
    const length = ascii ? piece.length : utf8Length(text, chars, chars + piece.length);
    if (token.bytes && token.bytes.length !== length) return null;
    chars += piece.length;
    bytes += length;
    offsets[i + 1] = bytes;
  }
  return chars === text.length ? offsets : null;
}

function alignByBytes(parts: readonly Uint8Array[], text: Uint8Array): Alignment | null {
  const offsets = new Int32Array(parts.length + 1);
  for (let i = 0; i < parts.length; i++) offsets[i + 1] = offsets[i]! + parts[i]!.length;
  const joined = new Uint8Array(offsets[parts.length]!);
  for (let i = 0; i < parts.length; i++) joined.set(parts[i]!, offsets[i]!);
  const at = lastIndexOfBytes(joined, text);
  if (at < 0 || text.length === 0) return null;
  const fit = at === 0 && joined.length === text.length ? "exact" : "shifted";
  return exactAlignment(
    offsets.map((offset) => offset - at),
    fit,
  );
}

/** -1 also where it took too long to find: only tokens made for that repeat the text's beginning so often. */
function lastIndexOfBytes(haystack: Uint8Array, needle: Uint8Array): number {
  let left = 32 * (haystack.length + needle.length);
  for (let at = haystack.length - needle.length; at >= 0 && left > 0; at--) {
    let i = 0;
    while (i < needle.length && haystack[at + i] === needle[i]) i++;
    if (i === needle.length) return at;
    left -= i;
  }
  return -1;
}
