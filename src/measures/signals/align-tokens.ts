import type { Token } from "../../core/records/case.js";
import { firstWhere } from "../../stats/ranks/sorted-order.js";
import { encodeUtf8, isAscii, utf8Length } from "../../text/printable.js";
import { tokenBytes } from "./candidates.js";

/** Bytes of intact tokens that must match before a position counts as the right one (fewer if no more follow). */
const ANCHOR_BYTES = 8;
/** A damaged token may cover this many bytes more than it shows: one whole character. */
const LOST_BYTES = 4;
/** Search budget: positions tried per token and byte of the whole text. Damage is rare, and tokens that fit nowhere must not take quadratic time. */
const TRIES = 32;

/**
 * Aligns tokens with a text whose bytes they do not spell. Advances through both; where a token does not fit, it looks a short way ahead for the
 * next intact ones and gives the damaged tokens in between the range of the gap. If nothing fits again, or too many positions were tried, the rest
 * stays unplaced.
 */
function resynchronise(parts: readonly Uint8Array[], text: Uint8Array): Alignment {
  const starts = new Int32Array(parts.length).fill(text.length);
  const ends = new Int32Array(parts.length).fill(text.length);
  const loose = new Uint8Array(parts.length).fill(1);
  let token = 0;
  let pos = 0;
  const tries = { left: TRIES * (parts.length + text.length) };
  while (token < parts.length) {
    const part = parts[token]!;
    if (matches(part, text, pos)) {
      starts[token] = pos;
      pos += part.length;
      ends[token] = pos;
      loose[token] = 0;
      token++;
      continue;
    }
    // An empty token "fits" anywhere, so empty tokens just before the misfit also belong to the gap.
    let gapFirst = token;
    while (gapFirst > 0 && parts[gapFirst - 1]!.length === 0) gapFirst--;
    const anchor = findAnchor(parts, gapFirst, token, text, pos, tries);
    if (anchor === null) {
      loose.fill(1, gapFirst);
      starts.fill(text.length, gapFirst);
      ends.fill(text.length, gapFirst);
      break;
    }
    for (let i = gapFirst; i < anchor.token; i++) {
      starts[i] = pos;
      ends[i] = anchor.pos;
      loose[i] = 1;
    }
    token = anchor.token;
    pos = anchor.pos;
  }
  return { starts, ends, fit: "repaired", loose };
}

function findAnchor(
  parts: readonly Uint8Array[],
  gapFirst: number,
  misfit: number,
  text: Uint8Array,
  pos: number,
  tries: { left: number },
): { token: number; pos: number } | null {
  let reach = LOST_BYTES;
  for (let i = gapFirst; i < misfit; i++) reach += LOST_BYTES;
  for (let candidate = misfit; candidate < parts.length; candidate++) {
    if (isIntact(parts[candidate]!)) {
      const limit = Math.min(text.length, pos + reach);
      tries.left -= limit - pos + 1;
      if (tries.left < 0) return null;
      for (let at = pos; at <= limit; at++) {
        if (anchorHolds(parts, candidate, text, at)) return { token: candidate, pos: at };
      }
    }
    reach += parts[candidate]!.length + LOST_BYTES;
  }
  return null;
}

function anchorHolds(parts: readonly Uint8Array[], from: number, text: Uint8Array, at: number): boolean {
  let pos = at;
  for (let i = from; i < parts.length && pos - at < ANCHOR_BYTES; i++) {
    const part = parts[i]!;
    if (i > from && !isIntact(part)) break;
    if (!matches(part, text, pos)) return false;
    pos += part.length;
  }
  return pos > at;
}

function matches(part: Uint8Array, text: Uint8Array, at: number): boolean {
  if (at + part.length > text.length) return false;
  for (let i = 0; i < part.length; i++) if (part[i] !== text[at + i]) return false;
  return true;
}

/** Whether a token is not empty and has no U+FFFD, the mark of a lost byte. */
function isIntact(part: Uint8Array): boolean {
  for (let i = 0; i + 2 < part.length; i++) {
    if (part[i] === 0xef && part[i + 1] === 0xbf && part[i + 2] === 0xbd) return false;
  }
  return part.length > 0;
}

/** Tokens [first, end) contain at least one byte of a span. */
export interface TokenRange {
  first: number;
  end: number;
  /** False if a token of unknown position crosses a border of the span; such tokens are left out. */
  certain: boolean;
}

/**
 * The tokens that overlap bytes [start, end). A token joined to a delimiter (`.","`) counts, because it contains a byte of the value; a token
 * without bytes contains none (skip it inside the range). An empty span has no tokens.
 */
export function locateTokens(
  alignment: Pick<Alignment, "starts" | "ends" | "loose">,
  span: { start: number; end: number },
): TokenRange {
  const { starts, ends, loose } = alignment;
  let first = firstWhere(0, ends.length, (k) => ends[k]! > span.start);
  let end = first;
  if (span.end <= span.start) return { first, end, certain: true };
  while (end < starts.length && starts[end]! < span.end) end++;
  let certain = true;
  if (loose) {
    while (first < end && loose[first] === 1 && starts[first]! < span.start) {
      first++;
      certain = false;
    }
    while (end > first && loose[end - 1] === 1 && ends[end - 1]! > span.end) {
      end--;
      certain = false;
    }
  }
  return { first, end, certain };
}

/** The position of each token in the text, in UTF-8 bytes: token i covers [starts[i], ends[i]). */
export interface Alignment {
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
  /**
   * `exact`: the tokens' bytes joined are the text. `shifted`: the text is a part of them (thoughts before it, an end mark after it); tokens
   * outside have positions below 0 or beyond its length. `repaired`: some tokens lost their bytes; `loose` marks those.
   */
  fit: "exact" | "shifted" | "repaired";
  /**
   * 1 for a token whose own position is unknown: all tokens in one gap share the gap's range. Tokens after the last recovered position have an
   * empty range at the end. null: there are no such tokens.
   */
  loose: ArrayLike<number> | null;
}

/**
 * Aligns the tokens with the text. Providers lose bytes in three ways: half a character printed as U+FFFD (vLLM), as an empty string (Ollama), or
 * as the literal `\xe9` (OpenAI, when a gateway drops `bytes`). Positions are therefore those of the text, not of the tokens.
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

/** The common case, without a byte array: each token's text is the next piece of the text, with the length of its bytes. */
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

/** Also -1 if the search took too long: only adversarial tokens repeat the text's beginning that often. */
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
