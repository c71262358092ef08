import { frameIndex } from "../../frame-index.js";
import { quotedSpans } from "../../quoted-spans.js";
import { tokenise } from "../../words.js";
import { type Check, fail, nameOf, pass, shortly, skip } from "./finding.js";

/** So much more of the citation's words in another rule than in the cited one, and they were taken from there. */
const SPLICED = 0.25;

/** The words of the citation are those of the rule it names, not of another one. */
export const quoteOfCitedRule: Check = ({ cited, citedRules, rules, input: { frame } }) => {
  if (citedRules.length === 0) return skip("No rule is named.");
  const isCited = (scope: string, id: string) =>
    citedRules.some(({ reading: { rule } }) => rule.scope === scope && rule.id === id);
  const spans = quotedSpans(cited, frame);
  // A passage that several rules have is found in the first of them: only one that the cited rule lacks was taken from elsewhere.
  for (const { text, source } of spans) {
    if (source?.kind !== "rule" || isCited(source.scope, source.id)) continue;
    const phrase = ` ${tokenise(text).join(" ")} `;
    const own = frameIndex(frame).sources.some(
      (one) => one.scope !== "precedent" && isCited(one.scope, one.id) && one.phrase.includes(phrase),
    );
    if (!own)
      return fail(`"${shortly(text)}" stands in ${source.scope} rule ${source.id}, which is not the one cited.`);
  }
  const words = new Set(tokenise(cited));
  const counts = new Uint16Array(frameIndex(frame).sources.length);
  for (const word of words) for (const source of frameIndex(frame).byToken.get(word) ?? []) counts[source]! += 1;
  // The frame's rules are the first of its sources, in their order.
  const share = (rule: number) => counts[rule]! / words.size;
  const own = Math.max(...citedRules.map((rule) => share(rules.indexOf(rule))));
  const other = rules.findIndex((_, i) => share(i) > own + SPLICED);
  if (other >= 0) {
    return fail(`The cited words are those of ${nameOf(rules[other]!.reading)}, not of the rule that is named.`);
  }
  return pass("The cited words are those of the cited rule.");
};
