import { foldText, pushTokens, tokenise } from "../../../../text/words.js";
import { findReferences } from "../../find-references.js";
import { type FrameIndex, frameIndex } from "../../frame-index.js";
import { QUOTED_WORDS, quotedSpans } from "../../quoted-spans.js";
import { type Check, fail, nameOf, pass, shortly, skip } from "./finding.js";

/** So much more of the citation's words in another rule than in the cited one, and they were taken from there. */
const SPLICED = 0.25;

/** The words of the citation are those of the rule it names, not of another one. */
export const quoteOfCitedRule: Check = ({ cited, citedRules, rules, input: { frame } }) => {
  if (citedRules.length === 0) return skip("No rule is named.");
  const index = frameIndex(frame);
  const isCited = (scope: string, id: string) =>
    citedRules.some(({ reading: { rule } }) => rule.scope === scope && rule.id === id);
  const spans = quotedSpans(cited, frame);
  // A passage that several rules have is found in the first of them: only one that the cited rule lacks was taken from elsewhere.
  for (const { text, source } of spans) {
    if (source?.kind !== "rule" || isCited(source.scope, source.id)) continue;
    const phrase = ` ${tokenise(text).join(" ")} `;
    const own = index.sources.some(
      (one) => one.scope !== "precedent" && isCited(one.scope, one.id) && one.phrase.includes(phrase),
    );
    if (!own)
      return fail(`"${shortly(text)}" stands in ${source.scope} rule ${source.id}, which is not the one cited.`);
  }
  const words = citedWords(cited, index);
  if (words.size < QUOTED_WORDS) return pass("The rule is named without words of another.");
  const counts = new Uint16Array(index.sources.length);
  for (const word of words) for (const source of index.byToken.get(word) ?? []) counts[source]! += 1;
  // The frame's rules are the first of its sources, in their order.
  const share = (rule: number) => counts[rule]! / words.size;
  const own = Math.max(...citedRules.map((rule) => share(rules.indexOf(rule))));
  const other = rules.findIndex((_, i) => share(i) > own + SPLICED);
  if (other >= 0) {
    return fail(`The cited words are those of ${nameOf(rules[other]!.reading)}, not of the rule that is named.`);
  }
  return pass("The cited words are those of the cited rule.");
};

/** The words of a citation that are no part of a name: `community rule R1` cites nothing but the rule. */
function citedWords(citation: string, index: FrameIndex): Set<string> {
  const folded = foldText(citation);
  const references = findReferences(folded, index);
  const tokens: string[] = [];
  folded.words.forEach((word, i) => {
    if (!references.some(({ firstWord, endWord }) => i >= firstWord && i < endWord)) pushTokens(tokens, word);
  });
  return new Set(tokens);
}
