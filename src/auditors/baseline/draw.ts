import type { Rng } from "../../stats/random/create-rng.js";

/**
 * Index drawn with probability proportional to p^(1/T): the sampling temperature of a language model. T = 0, or no generator, takes the likeliest.
 * Powers are taken of p over the largest p, so that a low temperature does not underflow.
 */
export function draw(probs: readonly number[], temperature: number, rng: Rng | null): number {
  let best = 0;
  for (let i = 1; i < probs.length; i++) if (probs[i]! > probs[best]!) best = i;
  if (rng === null || temperature <= 0) return best;
  const power = 1 / temperature;
  const shares = probs.map((prob) => (prob / probs[best]!) ** power);
  let total = 0;
  for (let i = 0; i < shares.length; i++) total += shares[i]!;
  let left = rng.next() * total;
  for (let i = 0; i < shares.length; i++) {
    left -= shares[i]!;
    if (left < 0) return i;
  }
  return best;
}
