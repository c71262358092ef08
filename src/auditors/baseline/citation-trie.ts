import type { Alternative, Token } from "../../domain/generation.js";
import type { Candidate } from "./citation-candidates.js";

/**
 * The tokens of the chosen citation, each with the conditional distribution of the next token given the ones before it: candidates that
 * begin alike share a path, and at every branch the alternatives are the candidates' probabilities, summed by next token and renormalised
 * over those still possible. Where one candidate is left, its prepared tokens are used.
 *
 * Citations are prefix-free (each names another id, and ids are single words between the same words); of two that are not, the shorter is
 * taken to end where it ends, and its probability leaves the distribution there.
 */
export function citationTokens(candidates: readonly Candidate[], chosen: Candidate, tokens: Token[]): void {
  const path = chosen.citation.pieces;
  let alive: readonly Candidate[] = candidates;
  for (let at = 0; at < path.length; at++) {
    if (alive.length === 1) {
      const { certain } = chosen.citation;
      for (let rest = at; rest < certain.length; rest++) tokens.push(certain[rest]!);
      return;
    }
    const text = path[at]!;
    const top = nextTokens(alive, at);
    let logprob = 0;
    for (const alternative of top) if (alternative.text === text) logprob = alternative.logprob;
    tokens.push({ text, logprob, top });
    alive = alive.filter(({ citation }) => citation.pieces[at] === text);
  }
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
  return top.length === 1 ? top : top.sort((a, b) => b.logprob - a.logprob);
}
