import type { ContentStems } from "./content-stems.js";

/** Words of a content by which the length of a text begins to explain what it shares with a clause. */
export const CHANCE_WORDS = 60;

/**
 * How near a content comes to a clause of a rule: the weight of the telling words that they share, against one rare word, more of a
 * long content, which meets any clause by chance.
 *
 * Formula: n = s / (s + 1 + d / 60), s = Σ w over the clause's stems that the content has, d the content's distinct stems.
 * Range: [0, 1); higher is nearer.
 * Undefined when: never; 0 where nothing is shared.
 * Differs from the paper: not in the paper, which names the check and gives none (§8.2).
 * @see docs/scope-verification.md
 */
export function nearness(content: ContentStems, clause: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [stemmed, weight] of clause) if (content.index.find(stemmed) !== null) shared += weight;
  return shared === 0 ? 0 : shared / (shared + 1 + content.stems.size / CHANCE_WORDS);
}
