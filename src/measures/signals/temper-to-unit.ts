import { isInformative, largestLogprob, probability } from "./logprob.js";

/**
 * Logprobs of a distribution sampled at temperature T, brought back to temperature 1, so that auditors whose servers report
 * post-temperature values (SGLang, node-llama-cpp) can be compared with those that report raw ones.
 *
 * Formula: p_i = c · q_i^T for the listed q, with c such that Σ p_i = Σ q_i.
 * Range: logprobs in, logprobs out (nats, ≤ 0); order is kept; entries without information (< -1000) stay as they are.
 * Undefined when: T ≤ 0 (a greedy server reports raw values; the list is returned unchanged).
 * Differs from the paper: the paper does not say which space its logprobs are in. Exact only up to the constant c, so exact after
 * renormalising, and exact altogether where the list is the whole distribution; the mass beyond the list stays the tempered one.
 * @see paper §7.2 (temperature sweep)
 * @example temperToUnit([Math.log(0.5), Math.log(0.5)], 0.2).map((logprob) => Math.round(Math.exp(logprob) * 100)) // => [50, 50]
 */
export function temperToUnit(logprobs: readonly number[], temperature: number): number[] {
  if (!(temperature > 0)) return [...logprobs];
  const shift = unitShift(
    logprobs.map((logprob) => ({ logprob })),
    temperature,
  );
  return logprobs.map((logprob) => (isInformative(logprob) ? temperature * logprob + shift : logprob));
}

/** ln c of the formula above, so that a logprob at temperature 1 is `temperature * logprob + shift`; 0 at temperature 1. */
export function unitShift(candidates: readonly { logprob: number }[], temperature: number): number {
  if (temperature === 1) return 0;
  const largest = largestLogprob(candidates);
  if (largest === -Infinity) return 0;
  let tempered = 0;
  let unit = 0;
  for (let i = 0; i < candidates.length; i++) {
    const { logprob } = candidates[i]!;
    if (!isInformative(logprob)) continue;
    tempered += probability(logprob);
    // Relative to the largest, so that a high temperature times a low logprob cannot underflow every term at once.
    unit += Math.exp(temperature * (logprob - largest));
  }
  return Math.log(Math.min(1, tempered)) - Math.log(unit) - temperature * largest;
}
