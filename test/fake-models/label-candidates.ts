import type { Candidate } from "./plan-answer.js";
import type { Vocabulary, VocabularyToken } from "./vocabulary.js";

const VALUES: Readonly<Record<string, readonly string[]>> = {
  precedent_weight: ["High", "Medium", "Low"],
  inverse_check: ["Yes", "No"],
  defensibility_level: ["1", "2", "3"],
  level3_reason: ["no_rule", "complies_with_cited_rule", "concept_absent", "null"],
  condition_met: ["Yes", "No"],
  exception_applies: ["Yes", "No"],
  supports: ["Yes", "No"],
};

const utf8 = new TextDecoder();

/** The candidates that a test gave by surface and probability. A label of several tokens is begun by its first. */
export function labelCandidates(
  chosen: VocabularyToken,
  field: string,
  given: Readonly<Record<string, number>>,
  vocabulary: Vocabulary,
): Candidate[] {
  const byId = new Map<number, { token: VocabularyToken; prob: number }>();
  for (const [surface, prob] of Object.entries(given)) {
    const pieces = vocabulary.encode(surface);
    const token = pieces[0]!;
    if (pieces.length > 1 && !/\w/.test(utf8.decode(token.bytes)))
      throw new Error(`plan: ${JSON.stringify(surface)} is not a token of ${vocabulary.name}, nor does one begin it`);
    byId.set(token.id, { token, prob: prob + (byId.get(token.id)?.prob ?? 0) });
  }
  if (!byId.has(chosen.id))
    throw new Error(
      `plan: ${field} has no probability for ${JSON.stringify(utf8.decode(chosen.bytes))}, which is written`,
    );
  return [...byId.values()].map(({ token, prob }) => ({
    token,
    logprob: Math.log(prob),
    legal: isLegal(utf8.decode(token.bytes), VALUES[field] ?? []),
  }));
}

function isLegal(text: string, values: readonly string[]): boolean {
  return values.some((value) => value.startsWith(text) || text.startsWith(value));
}

/** True for a token that could be read as a label or the beginning of one, so that chance does not add to a label's probability. */
export function looksLikeLabel(bytes: Uint8Array): boolean {
  const word = utf8
    .decode(bytes)
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
  if (word === "") return true;
  return (
    /^\d/.test(word) || ["high", "medium", "low", "yes", "no", "true", "false"].some((label) => label.startsWith(word))
  );
}
