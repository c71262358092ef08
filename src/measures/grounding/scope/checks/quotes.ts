import { foldText, pushTokens, tokenise } from "../../../../text/words.js";
import { findReferences } from "../../find-references.js";
import { type FrameIndex, frameIndex, QUOTED_WORDS, quotedSpans } from "../../frame-index.js";
import { nearestSide } from "../scope-case.js";
import { type Check, fail, MET, nameOf, PLAINLY, pass, shortly, skip } from "./verdict.js";

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
    if (!own) return fail(`"${shortly(text)}" is in ${source.scope} rule ${source.id}, which is not the one cited.`);
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

/** What is in quotation marks is said there word for word: in a citation by a rule or precedent, in the reasoning by the content as well. */
export const quoteVerbatim: Check = ({ cited, chain, input: { frame, content } }) => {
  const body = [content.title, content.body, ...content.context].join("\n");
  const inCitation = quotedSpans(cited, frame, body);
  const inChain = quotedSpans(chain, frame, body);
  if (inCitation.length + inChain.length === 0) return skip("Nothing is quoted.");
  const foreign = inCitation.find(({ source }) => source?.kind === "content");
  if (foreign) return fail(`"${shortly(foreign.text)}" is cited as a rule, and is in the content alone.`);
  const invented = [...inCitation, ...inChain].find(({ source }) => source === null);
  if (invented) return fail(`No rule, precedent or content says "${shortly(invented.text)}".`);
  return pass("What is quoted is said word for word.");
};

/** The citation names, or is worded like, a rule or precedent of the case. */
export const ruleExists: Check = ({ citation, cited, restricts }) => {
  if (cited.trim() === "") return fail("The trace cites nothing.");
  if (citation.grounded) return pass("The cited rule or precedent exists.");
  if (citation.rule_id !== null)
    return fail(`${citation.rule_id} exists, but says something else than what is cited.`, 0.7);
  if (!restricts && DENIES.test(cited)) return skip("No rule is cited: the approval rests on none being broken.");
  return fail("No rule or precedent of the case is called like the citation or says what it says.");
};

/** An approval may rest on no rule at all. */
const DENIES = /^\W*(?:no|none|nothing|not any)\b/i;

/** The nearest of the rules that are named may be this much further away. */
const MARGIN = MET;

/** The rule nearest to the content, by words that not all rules have, is the cited one or was considered. */
export const nearestRule: Check = ({ rules, mentioned, citedRules }) => {
  if (rules.length === 0 || citedRules.length === 0) return skip("No rule is named.");
  const nearest = rules.reduce((best, rule) => (nearestSide(rule) > nearestSide(best) ? rule : best));
  const most = nearestSide(nearest);
  if (most < MET) return skip("No rule comes near to the content.");
  const named = Math.max(...[...mentioned].map(nearestSide));
  if (named >= most - MARGIN) return pass("The rule that is named is among those nearest to the content.");
  return fail(
    `${nameOf(nearest.reading)} comes nearer to the content than what is named, and is not mentioned.`,
    (most - named) / PLAINLY,
  );
};
