import type { Alternative, Token } from "../../domain/generation.js";
import { alternativesOf, type Distribution, logprobOf } from "./distribution.js";
import type { TokenPieces } from "./token-pieces.js";

/** Stands where a probability was not asked for, or is too small for a number: "no information" to all who read it. */
const NO_LOGPROB = -9999;
const NO_CANDIDATES: readonly Alternative[] = [];

/**
 * The answer's tokens with their distributions where there are any. Candidates are made when they are read, and only the last list is kept:
 * 40 lists of 150,000 candidates would be gigabytes, and readers go from token to token.
 */
export function makeTokens(
  ids: readonly number[],
  distributions: ReadonlyMap<number, Distribution>,
  pieces: TokenPieces,
): Token[] {
  let last: { of: Distribution; candidates: readonly Alternative[] } | null = null;
  return ids.map((id, i): Token => {
    const { text, bytes } = pieces.piece(id);
    const distribution = distributions.get(i);
    if (!distribution) return { text, bytes, logprob: NO_LOGPROB, top: NO_CANDIDATES };
    return {
      text,
      bytes,
      logprob: logprobOf(distribution, id) ?? NO_LOGPROB,
      get top() {
        if (last?.of !== distribution) last = { of: distribution, candidates: alternativesOf(distribution, pieces) };
        return last.candidates;
      },
    };
  });
}
