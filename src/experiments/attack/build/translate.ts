import { detectLanguage } from "../../../core/language.js";
import { type Content, contentText } from "../../../core/records/content.js";
import { DICTIONARIES, GLOSS_LANGUAGES, type GlossLanguage } from "../words/dictionaries.js";
import { type Base, isForbidden, type Maker, wrongAction } from "./base.js";

/** Content that a rule forbids is let stand, in a language in which the community has no precedent. */
export const changeLanguage: Maker = (base) => {
  if (!isForbidden(base) || base.language !== "en") return null;
  const language = GLOSS_LANGUAGES.find((one) => !base.precedentLanguages.has(one));
  if (!language) return null;
  const content = glossed(base, language);
  const text = contentText(content);
  // Too few words of the dictionary: it would still be English.
  if (detectLanguage(text) !== language) return null;
  return {
    target: "input",
    archetype: `gloss_${language}`,
    content,
    decision: wrongAction(base),
    language,
    attack: {
      what: `the decision was turned, and the content put word for word into "${language}", which no precedent is in`,
      text,
    },
  };
};

function glossed({ decision: { content } }: Base, language: GlossLanguage): Content {
  if (typeof content === "string") return gloss(content, language);
  return {
    ...content,
    ...(content.title ? { title: gloss(content.title, language) } : {}),
    body: gloss(content.body, language),
    language,
  };
}

/** A text word for word in another language; words that the dictionary lacks stay. */
export function gloss(text: string, language: GlossLanguage): string {
  const words = DICTIONARIES[language];
  return text.replace(/\p{L}+(?:['’]\p{L}+)?/gu, (word) => {
    const other = words.get(word.toLowerCase().replace("’", "'"));
    if (other === undefined) return word;
    const capital = word.length > 1 ? /^\p{Lu}\p{Ll}/u.test(word) : false;
    return capital ? other[0]!.toUpperCase() + other.slice(1) : other;
  });
}
