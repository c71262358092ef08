import type { Alternative } from "../../core/records/generation.js";
import type { TokenPieces } from "./token-pieces.js";

/**
 * The probabilities of a whole vocabulary at one position, best first, without a tail that no sum would notice. 8 bytes a token: a map of
 * 150,000 entries takes megabytes, and an answer has some 40 of them.
 */
export interface Distribution {
  ids: Int32Array;
  /** As the engine gives them, in single precision. */
  probs: Float32Array;
  /** What they sum to: not quite 1, for the engine sums in single precision too. Divide by it. */
  total: number;
  /** Entropy of all of it, before the tail was cut. */
  bits: number;
}

/** Bits of entropy that may be lost with the tail. Of 150,000 tokens it is those below some 1e-17 each. */
const TAIL_BITS = 1e-11;

/** The engine's list, which is best first, without its tail. */
export function compactDistribution(probabilities: ReadonlyMap<number, number>): Distribution {
  const ids = new Int32Array(probabilities.size);
  const probs = new Float32Array(probabilities.size);
  let end = 0;
  let total = 0;
  for (const [id, probability] of probabilities) {
    if (!(probability > 0)) continue;
    ids[end] = id;
    probs[end++] = probability;
    total += probability;
  }
  let bits = 0;
  for (let i = 0; i < end; i++) bits -= (probs[i]! / total) * Math.log2(probs[i]! / total);
  for (let lost = 0; end > 1; end--) {
    const p = probs[end - 1]! / total;
    lost -= p * Math.log2(p);
    if (lost > TAIL_BITS) break;
  }
  return { ids: ids.slice(0, end), probs: probs.slice(0, end), total, bits };
}

/** Natural-log probability of the token at an index of the list. */
export function logprobAt({ probs, total }: Distribution, index: number): number {
  return Math.min(0, Math.log(probs[index]! / total));
}

/** Natural-log probability of a token; null where it is in the tail. */
export function logprobOf(distribution: Distribution, id: number): number | null {
  const at = distribution.ids.indexOf(id);
  return at < 0 ? null : logprobAt(distribution, at);
}

/** The candidates, best first, or the best `most` of them. */
export function alternativesOf(
  distribution: Distribution,
  pieces: TokenPieces,
  most = Number.POSITIVE_INFINITY,
): Alternative[] {
  const alternatives = new Array<Alternative>(Math.min(most, distribution.ids.length));
  for (let i = 0; i < alternatives.length; i++) {
    const { text, bytes, lossy } = pieces.piece(distribution.ids[i]!);
    const logprob = logprobAt(distribution, i);
    alternatives[i] = lossy ? { text, bytes, logprob } : { text, logprob };
  }
  return alternatives;
}
