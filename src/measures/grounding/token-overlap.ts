import { tokenise } from "../../text/words.js";

/**
 * Lexical overlap of a citation with a rule: the share of the cited words that the rule has. It tells an invented citation from a real
 * one; it does not tell whether the rule was applied rightly.
 *
 * Formula: overlap = |tok(κ) ∩ tok(rule)| / |tok(κ)|, over sets of lower-case words.
 * Range: [0, 1]; higher is better grounded.
 * Undefined when: the citation has no word (null).
 * Differs from the paper: nothing; the paper prints no formula, tokeniser or threshold.
 * @see paper §8.1
 * @example tokenOverlap("No links to shops", "No links: posts may not hold links") // => 0.5
 */
export function tokenOverlap(citation: string, rule: string): number | null {
  const cited = new Set(tokenise(citation));
  if (cited.size === 0) return null;
  const known = new Set(tokenise(rule));
  let found = 0;
  for (const token of cited) if (known.has(token)) found++;
  return found / cited.size;
}
