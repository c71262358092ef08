import type { Alternative, Token } from "../../core/records/generation.js";
import { alternativesOf, type Distribution, logprobOf } from "./distribution.js";
import type { TokenPieces } from "./token-pieces.js";

/** Stands where a probability was not asked for, or is too small for a number: "no information" to all who read it. */
const NO_LOGPROB = -9999;
const NO_CANDIDATES: readonly Alternative[] = [];

/** Candidates of a token whose entropy is known: enough to see what else might have been written. */
const LISTED = 64;

/**
 * The answer's tokens with their distributions where there are any: all candidates at labels, the best 64 and the exact entropy elsewhere. Candidates
 * are made when they are read, and only the last list is kept: lists of 150,000 candidates would be gigabytes, and readers go from
 * token to token.
 */
export function makeTokens(
  ids: readonly number[],
  distributions: ReadonlyMap<number, Distribution>,
  pieces: TokenPieces,
  labels: ReadonlySet<number>,
): Token[] {
  let last: { of: Distribution; candidates: readonly Alternative[] } | null = null;
  return ids.map((id, i): Token => {
    const { text, bytes } = pieces.piece(id);
    const distribution = distributions.get(i);
    if (!distribution) return { text, bytes, logprob: NO_LOGPROB, top: NO_CANDIDATES };
    const most = labels.has(i) ? Number.POSITIVE_INFINITY : LISTED;
    return {
      text,
      bytes,
      logprob: logprobOf(distribution, id) ?? NO_LOGPROB,
      bits: distribution.bits,
      get top() {
        if (last?.of !== distribution)
          last = { of: distribution, candidates: alternativesOf(distribution, pieces, most) };
        return last.candidates;
      },
    };
  });
}
