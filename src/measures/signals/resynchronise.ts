import type { Alignment } from "./align-tokens.js";

/** Bytes of intact tokens that must be found again before a place counts as the right one (fewer where no more follow). */
const ANCHOR_BYTES = 8;
/** A damaged token may stand for this many bytes more than it shows: one whole character. */
const LOST_BYTES = 4;
/** Places that are tried for each token and byte, over the whole text: damage is rare, and tokens that fit nowhere must not cost their number squared. */
const TRIES = 32;

/**
 * Lays tokens over a text whose bytes they do not spell. Walks both; where a token does not fit, looks a short way ahead for the
 * next intact ones and gives the damaged tokens in between the gap's range. Where nothing fits again, or too much was tried, the rest stays unplaced.
 */
export function resynchronise(parts: readonly Uint8Array[], text: Uint8Array): Alignment {
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
    // An empty token "fits" anywhere, so those just before the misfit belong to the gap too.
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

/** Not empty and without U+FFFD, the mark of a lost byte. */
function isIntact(part: Uint8Array): boolean {
  for (let i = 0; i + 2 < part.length; i++) {
    if (part[i] === 0xef && part[i + 1] === 0xbf && part[i + 2] === 0xbd) return false;
  }
  return part.length > 0;
}
