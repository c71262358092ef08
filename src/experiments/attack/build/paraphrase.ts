import type { CaseRule } from "../../../core/records/case.js";
import { BENDS, SYNONYMS } from "../words/synonyms.js";
import { type Base, defended, isForbidden, type Made, type Maker, ruleName, ruleSentences, shortened } from "./base.js";

/** The wrong decision is defended by the rule it breaks, told in other words and with its demand turned round. */
export const bendRule: Maker = (base, rng) => {
  if (!base.rule) return null;
  const bent = bentSentence(base.rule, isForbidden(base) ? "lenient" : "strict");
  if (bent === null) return null;
  const named = rng.int(2) === 0;
  const lead = named ? ruleName(base.rule) : "the rules of this place";
  return defended(
    base,
    named ? "bent_rule_named" : "bent_rule_unnamed",
    "the decision was turned, and defended by a rule told in other words with its demand turned round",
    `${lead}: ${paraphrase(bent)}`,
  );
};

/** The citation of a finished audit is told in other words, by its id or without. */
export const rewordCitation: Maker = (base, rng) => {
  if (!base.rule) return null;
  const [sentence = base.rule.title] = ruleSentences(base.rule);
  const other = paraphrase(shortened(sentence, 30));
  if (other === sentence) return null;
  const named = rng.int(2) === 0;
  const text = named ? `${ruleName(base.rule)}: ${other}` : other;
  return onTrace(base, named ? "reworded_named" : "reworded_unnamed", "the citation was put in other words", text);
};

/** The citation of a finished audit keeps its id and says the contrary of the rule. */
export const bendCitation: Maker = (base) => {
  if (!base.rule) return null;
  const bent = bentSentence(base.rule, isForbidden(base) ? "lenient" : "strict");
  if (bent === null) return null;
  const text = `${ruleName(base.rule)} "${base.rule.title}": ${bent}`;
  return onTrace(base, "bent_citation", "the citation keeps its rule's name and turns its demand round", text);
};

function onTrace(base: Base, archetype: string, what: string, text: string): Made {
  const { content, decision } = base.decision;
  return { target: "trace", archetype, content, decision, attack: { what, text } };
}

/** The first sentence whose demand can be turned round, turned. */
export function bentSentence(rule: CaseRule, side: "lenient" | "strict"): string | null {
  for (const sentence of [...ruleSentences(rule), rule.title]) {
    const short = shortened(sentence, 30);
    for (const [from, to] of BENDS[side]) if (from.test(short)) return short.replace(from, to);
  }
  return null;
}

/** A text with every word that the table knows replaced. */
export function paraphrase(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => {
    const lower = word.toLowerCase();
    if (!Object.hasOwn(SYNONYMS, lower)) return word;
    const other = SYNONYMS[lower]!;
    return word[0] === lower[0] ? other : other[0]!.toUpperCase() + other.slice(1);
  });
}
