import type { Alternative, Token } from "../../core/records/generation.js";
import { list, record } from "./loose.js";

/** How Gemini writes "no information" (−2^100): the mark of a candidate that the schema rules out. */
const NO_INFORMATION = -1.2676506e30;

/**
 * The tokens of a candidate; null where the server gave no probabilities. There are no bytes: a token that is half a character cannot
 * be rebuilt. With thinking on, thoughts may stand before the answer; signals lay the tokens over the text and find its place. The
 * likeliest candidates are made when somebody reads them, for signals read them at few of the tokens.
 */
export function geminiTokens(logprobsResult: unknown): Token[] | null {
  const { chosenCandidates, topCandidates } = record(logprobsResult);
  if (!Array.isArray(chosenCandidates) || chosenCandidates.length === 0) return null;
  const tops = list(topCandidates);
  return chosenCandidates.map((chosen, position) => {
    let top: readonly Alternative[] | null = null;
    return {
      ...(alternative(chosen) ?? { text: "", logprob: NO_INFORMATION }),
      get top() {
        top ??= alternatives(record(tops[position]).candidates);
        return top;
      },
    };
  });
}

/**
 * A missing probability is a 0 that was left out, as JSON made from protocol buffers does with defaults, but only where there is a
 * token: nothing at all is no information. The chosen token need not be among the likeliest.
 */
function alternative(value: unknown): Alternative | null {
  const { token, logProbability } = record(value);
  const logprob = logProbability ?? (token === undefined ? undefined : 0);
  if (typeof logprob !== "number" || Number.isNaN(logprob)) return null;
  return { text: typeof token === "string" ? token : "", logprob };
}

function alternatives(candidates: unknown): Alternative[] {
  return list(candidates)
    .map(alternative)
    .filter((candidate) => candidate !== null)
    .sort((a, b) => b.logprob - a.logprob);
}
