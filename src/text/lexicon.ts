import words from "../../data/moderation-words.json" with { type: "json" };

/** Words that say nothing about what a rule or a post is about, and the deontic words of rules, which are read elsewhere. */
export const STOP_WORDS: ReadonlySet<string> = new Set(words.stop.split(" "));

/**
 * Everyday words that any text has: sharing one of them with a rule says little. They count {@link COMMON_WEIGHT} of a rarer word.
 * General English and Spanish, from no particular source.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(words.common.split(" "));

export const COMMON_WEIGHT = 0.3;

/**
 * General vocabulary of moderation: words that name the same kind of thing, in English and Spanish. A rule that speaks of one and a post
 * that speaks of another of the same group are about the same matter. Phrases are written with spaces. The groups are general
 * knowledge about what community rules govern; no entry is there for the sake of a single post.
 */
export const CONCEPTS: Readonly<Record<string, string>> = words.concepts;

/** Concepts that a post shows by a property (a link in it), not by using the word. In a post the mere word counts little. */
export const PROPERTY_CONCEPTS: ReadonlySet<string> = new Set(words.properties);
