import type { Alternative, Token } from "../../domain/generation.js";
import type { Rng } from "../../stats/create-rng.js";
import { bestFirst } from "./best-first.js";
import type { Candidate } from "./citation-candidates.js";
import { draw } from "./draw.js";

/**
 * Draws a citation token by token, as a language model would: candidates that begin alike share a path; at each branch the alternatives are the
 * conditional distribution of the next token given those before, the candidates' probabilities summed by next token and renormalised over the
 * candidates still possible. Where all go on alike, or one is left, its prepared tokens are used.
 *
 * Citations are prefix-free as long as ids differ; of two that are not, the shorter loses its probability where the longer goes on.
 */
export function drawCitation(
  candidates: readonly Candidate[],
  tokens: Token[],
  temperature: number,
  rng: Rng | null,
): Candidate {
  let alive = candidates;
  let at = 0;
  for (; alive.length > 1; at++) {
    const { citation } = alive[0]!;
    if (goOnAlike(alive, at)) {
      if (at >= citation.codes.length) return alive[0]!;
      tokens.push(citation.certain[at]!);
      // One number is drawn for each token, whether or not there is a choice.
      if (temperature > 0) rng?.next();
      continue;
    }
    const top = nextTokens(alive, at);
    const probs = top.map(({ logprob }) => Math.exp(logprob));
    const { text, logprob } = top[draw(probs, temperature, rng)]!;
    tokens.push({ text, logprob, top });
    alive = alive.filter((candidate) => candidate.citation.pieces[at] === text);
  }
  return finish(alive[0]!, at, tokens);
}

function finish(candidate: Candidate, from: number, tokens: Token[]): Candidate {
  const { certain } = candidate.citation;
  for (let i = from; i < certain.length; i++) tokens.push(certain[i]!);
  return candidate;
}

function goOnAlike(alive: readonly Candidate[], at: number): boolean {
  const code = alive[0]!.citation.codes[at];
  for (let i = 1; i < alive.length; i++) if (alive[i]!.citation.codes[at] !== code) return false;
  return true;
}

/** The alternatives at a position, best first. */
function nextTokens(alive: readonly Candidate[], at: number): Alternative[] {
  const top: Alternative[] = [];
  let total = 0;
  for (const { citation, prob } of alive) {
    const text = citation.pieces[at];
    if (text === undefined) continue;
    total += prob;
    const same = top.find((alternative) => alternative.text === text);
    if (same) same.logprob += prob;
    else top.push({ text, logprob: prob });
  }
  for (const alternative of top) alternative.logprob = Math.min(0, Math.log(alternative.logprob / total));
  return bestFirst(top);
}
