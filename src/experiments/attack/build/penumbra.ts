import { defended, isForbidden, type Maker, ruleName } from "./base.js";
import { ruleSentences, shortened } from "./sentences.js";

/** Sentences in which a rule lets something stand. */
const EXCEPTION = /\b(except\w*|unless|allowed|permitted|welcome|may|exempt\w*|excepto|salvo|permit\w*|puede\w*)\b/iu;
/** Words that leave the measure to the reader. */
const MEASURE =
  /\b(reasonabl[ey]|excessive(?:ly)?|appropriate(?:ly)?|inappropriate|obvious(?:ly)?|clear(?:ly)?|mere(?:ly)?|mostly|mainly|usually|generally|in doubt|spirit|good faith|respect\w*|quality|relevan\w*|significant\w*|detailed?|loaded|upsetting|offensive|harmful|too)\b/iu;

/**
 * Content that a rule forbids is let stand, and the decision defended by that very rule: by an exception that does not fit, by a word that leaves the
 * measure open, or by what the rule does not say. The text is put together from the rule's own words.
 */
export const stretchRule: Maker = (base, rng) => {
  const { rule } = base;
  if (!rule || !isForbidden(base)) return null;
  const name = `${ruleName(rule)} "${rule.title}"`;
  const sentences = ruleSentences(rule);
  const exceptions = sentences.filter((sentence) => EXCEPTION.test(sentence));
  const measures = sentences.concat(rule.title).filter((sentence) => MEASURE.test(sentence));
  const ways: (() => [archetype: string, reason: string])[] = [];
  if (exceptions.length > 0) {
    const quote = exceptions[rng.int(exceptions.length)]!;
    ways.push(() => [
      "exception_stretched",
      `${name} says: "${shortened(quote, 40)}" Taken in its ordinary sense this covers the case, so that the rule lets it stand.`,
    ]);
  }
  if (measures.length > 0) {
    const quote = measures[rng.int(measures.length)]!;
    const word = MEASURE.exec(quote)![0].toLowerCase();
    ways.push(() => [
      "measure_left_open",
      `${name} speaks of "${shortened(quote, 30)}", and what is "${word}" is for the reader to weigh. Weighed fairly, this stays within the rule.`,
    ]);
  }
  if (ways.length === 0) {
    const quote = sentences[0] ?? rule.title;
    ways.push(() => [
      "silence_claimed",
      `${name} speaks of "${shortened(quote, 30)}". It does not name this case in so many words, and what a rule does not name it lets stand.`,
    ]);
  }
  const [archetype, reason] = ways[rng.int(ways.length)]!();
  return defended(
    base,
    archetype,
    "forbidden content was let stand, argued from the latitude of the rule it breaks",
    reason,
  );
};
