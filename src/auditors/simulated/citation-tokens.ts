import type { Alternative, Token } from "../../core/records/generation.js";
import { citationProfile } from "../../simulation/auditor/citation-profile.js";
import { allLaws, CANDIDATES, lawIndex } from "../../simulation/auditor/token-entropies.js";

const WORDS = [
  ...[" the", " a", " rule", " content", " and", " of", " in", " to", " is", " no", " or", " any"],
  ...[" this", " that", " for", " must", " may", " not", " post"],
];

/** The other candidates of each law, shared by all tokens that have it. */
const others: (readonly Alternative[] | undefined)[] = [];

/** A citation token by token, each the likeliest of 20 candidates, with the entropies that were drawn. */
export function pushCitation(tokens: Token[], pieces: readonly string[], bits: number): void {
  const profile = citationProfile(pieces.length);
  for (let i = 0; i < pieces.length; i++) {
    const law = lawIndex(bits * profile[i]!);
    const rest = othersOf(law);
    const text = pieces[i]!;
    const logprob = allLaws()[law]!.logprobs[0]!;
    const top: Alternative[] = [{ text, logprob }];
    for (let j = 0; j < rest.length; j++) top.push(rest[j]!);
    tokens.push({ text, logprob, top });
  }
}

function othersOf(law: number): readonly Alternative[] {
  let known = others[law];
  if (!known) {
    const { logprobs } = allLaws()[law]!;
    known = Array.from({ length: CANDIDATES - 1 }, (_, j) => ({ text: WORDS[j]!, logprob: logprobs[j + 1]! }));
    others[law] = known;
  }
  return known;
}
