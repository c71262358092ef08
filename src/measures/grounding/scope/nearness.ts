import type { ContentWords } from "./content-words.js";

/** A telling word of a rule, and what sharing it weighs. */
export interface RuleWord {
  word: string;
  weight: number;
  /** For a concept: the rule's words that stand for it. Where the content has one of them, the concept says nothing more. */
  said: readonly string[];
}

/** Chance that one telling word of a content is a given word of a rule. Chosen on simulated worlds: docs/scope-verification.md. */
export const CHANCE = 0.005;

/**
 * How much nearer a content comes to a text of a rule than by chance: the weight of the telling words that they share, against what a content of
 * that length and a text of that weight share anyway, in units of its spread. Long contents and long rules share words without meaning.
 *
 * Formula: n = (s − E) / √(1 + E), s = Σ w over the text's words that the content has, E = 0.005 · d · Σ w, d the content's distinct telling
 * words.
 * Range: from −√E up; 0 or less is chance; 0.3 counts as met, 1.5 as plainly met.
 * Undefined when: never; a text without a telling word gives 0.
 * Differs from the paper: not in the paper, which asks for scope verification and gives no method (§8.2).
 * @see docs/scope-verification.md
 */
export function nearness({ words, index }: Pick<ContentWords, "words" | "index">, text: readonly RuleWord[]): number {
  let shared = 0;
  let all = 0;
  for (const { word, weight, said } of text) {
    all += weight;
    if (index.has(word) && !said.some((other) => index.has(other))) shared += weight;
  }
  const expected = CHANCE * words.size * all;
  return (shared - expected) / Math.sqrt(1 + expected);
}
