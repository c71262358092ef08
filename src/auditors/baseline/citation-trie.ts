import type { Alternative, Token } from "../../core/records/generation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import type { Candidate } from "./citations.js";
import { draw } from "./draw.js";
import { bestFirst } from "./trace-writer.js";

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
    const next = citation.pieces[at];
    if (alive.every((candidate) => candidate.citation.pieces[at] === next)) {
      if (next === undefined) return alive[0]!;
      tokens.push(citation.certain[at]!);
      continue;
    }
    const top = nextTokens(alive, at);
    const { text, logprob } =
      top[
        draw(
          top.map((one) => Math.exp(one.logprob)),
          temperature,
          rng,
        )
      ]!;
    tokens.push({ text, logprob, top });
    alive = alive.filter((candidate) => candidate.citation.pieces[at] === text);
  }
  const { certain } = alive[0]!.citation;
  for (let i = at; i < certain.length; i++) tokens.push(certain[i]!);
  return alive[0]!;
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
