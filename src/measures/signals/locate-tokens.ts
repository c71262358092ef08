import type { Alignment } from "./align-tokens.js";

/** Tokens [first, end) hold at least one byte of a span. */
export interface TokenRange {
  first: number;
  end: number;
  /** False where a token of unknown place lies across a border of the span; such tokens are left out. */
  certain: boolean;
}

/**
 * The tokens that overlap bytes [start, end). A token glued to a delimiter (`.","`) counts, for it holds a byte of the value; a
 * token without bytes holds none (skip it inside the range). An empty span has no tokens.
 */
export function locateTokens(
  alignment: Pick<Alignment, "starts" | "ends" | "loose">,
  span: { start: number; end: number },
): TokenRange {
  const { starts, ends, loose } = alignment;
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! > span.start) high = middle;
    else low = middle + 1;
  }
  let first = low;
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
