import type { Alternative } from "../../domain/generation.js";

/** Sorts the few alternatives of a position in place, likeliest first. For lists this short, the engine's sort costs more in copies than in comparing. */
export function bestFirst(top: Alternative[]): Alternative[] {
  for (let i = 1; i < top.length; i++) {
    const alternative = top[i]!;
    let at = i;
    while (at > 0 && top[at - 1]!.logprob < alternative.logprob) {
      top[at] = top[at - 1]!;
      at--;
    }
    top[at] = alternative;
  }
  return top;
}
