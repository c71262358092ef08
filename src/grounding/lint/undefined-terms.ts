import { finding, type PlacedRule, partsOf, type RuleFinding } from "./finding.js";
import { sentences } from "./sentences.js";

/** Words on which two honest readers differ unless the rule says what it means by them. */
const TERMS = [
  "low[- ]effort",
  "low[- ]quality|poor[- ]quality",
  "high[- ]quality|good[- ]quality",
  "off[- ]topic",
  "on[- ]topic",
  "spam(?:ming|my)?",
  "self[- ]promot(?:ion|ional|ing)",
  "harass(?:ment|ing)?",
  "hate ?speech|hateful",
  "bully(?:ing)?",
  "troll(?:ing|s)?",
  "bad[- ]faith|good[- ]faith",
  "toxic(?:ity)?",
  "offensive",
  "inappropriate",
  "disrespect(?:ful)?",
  "respectful(?:ly)?|be respectful|be nice|be kind|be civil|civil(?:ity)?|incivility",
  "misleading|misinformation|disinformation",
  "click ?bait",
  "gore|graphic",
  "sensitive",
  "controversial",
  "politic(?:s|al)",
  "sensational(?:ist|ism|ized|ised)?",
  "shit ?posts?|shitposting",
  "brigad(?:e|es|ing)",
  "dox+(?:ing)?",
  "nsfw",
].map((forms) => new RegExp(`\\b(?:${forms})\\b`, "giu"));

/** A sentence that says what something is, or gives examples of it. */
const DEFINES =
  /\b(?:means?|is when|are when|counts? as|includes?|including|such as|for example|for instance|e\.g|that is|i\.e|defined|refers? to|covers?|consists? of|examples?)\b|[:("“]|\b(?:is|are) (?:an?|any|the|one|what|posts?|content|comments?|text)\b/iu;

/** Terms of judgement that the rule uses and nowhere explains. A term that only an example quotes is not used. */
export function undefinedTerms(placed: PlacedRule): RuleFinding[] {
  const parts = partsOf(placed.rule);
  const found: RuleFinding[] = [];
  for (const forms of TERMS) {
    const used = parts.find(({ text }) => search(forms, text));
    if (!used || used.part === "detail") continue;
    const explained = parts.some(
      ({ part, text }) =>
        part !== "title" && sentences(text).some((sentence) => search(forms, sentence) && DEFINES.test(sentence)),
    );
    if (explained) continue;
    found.push(
      finding(placed, {
        check: "undefined_term",
        severity: "warning",
        part: used.part,
        quote: search(forms, used.text)!,
        message: "is a word of judgement that the rule nowhere explains",
        remedy: "Define it in `description` or `detail`, with an example on each side of the line.",
      }),
    );
  }
  return found;
}

function search(forms: RegExp, text: string): string | null {
  forms.lastIndex = 0;
  return forms.exec(text)?.[0] ?? null;
}
