/**
 * Below this a logprob is a provider's mark for "no information", never a value: -9999 (OpenAI, vLLM), -3.4e38 (llama.cpp),
 * -1.27e30 (Gemini). Such entries are dropped, as are NaN and -Infinity.
 */
export const SENTINEL_LOGPROB = -1000;

export function isInformative(logprob: number): boolean {
  return logprob >= SENTINEL_LOGPROB;
}

/** The probability of a logprob. Recorded values reach a little above 0 by rounding; no probability exceeds 1. */
export function probability(logprob: number): number {
  return logprob >= 0 ? 1 : Math.exp(logprob);
}

/** The largest informative logprob; -Infinity where none is. */
export function largestLogprob(candidates: readonly { logprob: number }[]): number {
  let largest = -Infinity;
  for (let i = 0; i < candidates.length; i++) {
    const { logprob } = candidates[i]!;
    if (isInformative(logprob) && logprob > largest) largest = logprob;
  }
  return largest;
}
