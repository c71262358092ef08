import type { Alternative, Token } from "../../core/records/generation.js";
import type { Candidate } from "./citations.js";

/** Gives the next random number of a trace; null at T = 0, where the likeliest is taken. */
export type Random = () => number | null;

/**
 * Index drawn with probability proportional to p^(1/T): the sampling temperature of a language model. Without a random number, the likeliest.
 * Powers are taken of p over the largest p, so that a low temperature does not underflow.
 */
export function draw(probs: readonly number[], temperature: number, random: number | null): number {
  const most = Math.max(...probs);
  const best = probs.indexOf(most);
  if (random === null || temperature <= 0) return best;
  const shares = probs.map((prob) => (prob / most) ** (1 / temperature));
  let left = random * shares.reduce((sum, share) => sum + share, 0);
  const drawn = shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return drawn < 0 ? best : drawn;
}

/**
 * Draws a citation token by token, as a language model would: candidates that begin alike share a path; at each branch the alternatives are the
 * conditional distribution of the next token given those before. Where all go on alike, or one is left, its prepared tokens are used.
 *
 * Citations are prefix-free as long as ids differ; of two that are not, the shorter loses its probability where the longer goes on.
 */
export function drawCitation(
  candidates: readonly Candidate[],
  temperature: number,
  random: Random,
): { cited: Candidate; tokens: Token[] } {
  const tokens: Token[] = [];
  let alive = candidates;
  for (let at = 0; ; at++) {
    const [cited] = alive as [Candidate];
    const next = cited.tokens[at];
    if (alive.every((candidate) => candidate.tokens[at]?.text === next?.text)) {
      if (next === undefined) return { cited, tokens };
      tokens.push(next);
      continue;
    }
    const top = nextTokens(alive, at);
    const probs = top.map(({ logprob }) => Math.exp(logprob));
    const { text, logprob } = top[draw(probs, temperature, random())]!;
    tokens.push({ text, logprob, top });
    alive = alive.filter((candidate) => candidate.tokens[at]?.text === text);
  }
}

/** The alternatives at a position, best first. */
function nextTokens(alive: readonly Candidate[], at: number): Alternative[] {
  const probs = new Map<string, number>();
  let total = 0;
  for (const { tokens, prob } of alive) {
    const text = tokens[at]?.text;
    if (text === undefined) continue;
    total += prob;
    probs.set(text, (probs.get(text) ?? 0) + prob);
  }
  return bestFirst(Array.from(probs, ([text, prob]) => ({ text, logprob: Math.min(0, Math.log(prob / total)) })));
}

/** Below this a label's logprob would be no finite number, or read as a provider's mark for "unknown". */
const LEAST_PROB = 1e-6;

/** A label of a small closed set, with the distribution it was drawn from. */
export function label(labels: readonly string[], probs: readonly number[], chosen: number): Token {
  const top = labels.map((text, i) => ({ text, logprob: Math.log(Math.max(LEAST_PROB, probs[i]!)) }));
  const { text, logprob } = top[chosen]!;
  return { text, logprob, top: bestFirst(top) };
}

function bestFirst(top: Alternative[]): Alternative[] {
  return top.sort((a, b) => b.logprob - a.logprob);
}
