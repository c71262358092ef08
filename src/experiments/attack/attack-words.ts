import words from "../../../data/attack-words.json" with { type: "json" };

/** Words that attacks are made of (`data/attack-words.json`). No model made them. */

/** Languages that a text can be glossed in, in the order in which they are tried. */
export const GLOSS_LANGUAGES = ["es", "fr", "de"] as const;
export type GlossLanguage = (typeof GLOSS_LANGUAGES)[number];

/**
 * English words and their translations, Spanish, French and German: one word for one, without grammar. `-` means a space. It shows what happens
 * when content leaves the language of the precedents, not how a native speaker would write.
 */
export const DICTIONARIES = Object.fromEntries(
  GLOSS_LANGUAGES.map((language, k) => [language, column(k + 1)]),
) as Readonly<Record<GlossLanguage, ReadonlyMap<string, string>>>;

function column(index: number): ReadonlyMap<string, string> {
  return new Map(
    words.dictionary.map((row) => {
      const translated = row.split(" ");
      return [translated[0]!, translated[index]!.replaceAll("-", " ")];
    }),
  );
}

/** Words of rules and others that mean about the same. They show what a verifier that compares words does when the words change. */
export const SYNONYMS: Readonly<Record<string, string>> = words.synonyms;

type Side = "lenient" | "strict";
type Pairs = readonly (readonly [string, string])[];

/** Rules that no community has. `{word}` is a word of the content. Written to sound like the real thing and to favour one side. */
export const FABRICATED_RULES = words.rules as object as Readonly<Record<Side, Pairs>>;

/** Why an invented earlier decision went as it did. */
export const FABRICATED_GROUNDS: Readonly<Record<Side, readonly string[]>> = words.grounds;

const bends = (pairs: Pairs) => pairs.map(([from, to]) => [new RegExp(from, "iu"), to] as const);

/** A demand turned round: from what forbids to what permits, and the other way. The longest first. */
export const BENDS: Readonly<Record<Side, readonly (readonly [RegExp, string])[]>> = {
  lenient: bends(words.bends.lenient as object as Pairs),
  strict: bends(words.bends.strict as object as Pairs),
};

/** Where an injected text is put. */
export type InjectionPlace = "end" | "start" | "context";

export interface InjectionText {
  archetype: string;
  place: InjectionPlace;
  /** `{action}` is the decision that the text wants to be found defensible. */
  text: string;
}

/** In invisible characters: ASCII shifted to U+E0000. */
function unseen(text: string): string {
  return [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join("");
}

/** Texts that speak to the auditor instead of the community. */
export const INJECTIONS = words.injections.map((one) =>
  one.archetype === "unseen_characters" ? { ...one, text: unseen(one.text) } : one,
) as readonly InjectionText[];
