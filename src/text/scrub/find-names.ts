import type { Span } from "./scrub.js";

const WORD = "[\\p{L}\\p{M}\\p{N}_]";
const WORDS = new RegExp(`${WORD}+`, "gu");
const EDGES = new RegExp(`^(?:(?!${WORD}).)+|(?:(?!${WORD}).)+$`, "gsu");
/** Scripts that put no space around a name: in them it is looked for anywhere. Korean does, but appends its particles. */
export const UNSPACED =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, "u");
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, "u");

/**
 * Finds the given names as whole words, in any case, the longest first. They are looked up by their first word, so that a list of thousands costs
 * no more than a list of one. Names of fewer than two characters are left out: they would be every "a".
 */
export function createNameFinder(names: readonly string[]): (text: string) => Span[] {
  const byFirstWord = new Map<string, string[]>();
  const anywhere: string[] = [];
  for (const name of new Set(names.flatMap(spellings))) {
    if (STARTS_UNSPACED.test(name)) anywhere.push(name);
    else {
      const first = name.match(WORDS)![0].toLowerCase();
      const group = byFirstWord.get(first);
      if (group) group.push(name);
      else byFirstWord.set(first, [name]);
    }
  }
  const patterns = new Map([...byFirstWord].map(([first, group]) => [first, alternatives(group, "iuy")]));
  const unspaced = anywhere.length > 0 ? alternatives(anywhere, "giu") : null;
  return (text) => {
    const spans = unspaced ? [...text.matchAll(unspaced)].map((match) => spanOf(match)) : [];
    if (patterns.size === 0) return spans;
    let free = 0;
    for (const word of text.matchAll(WORDS)) {
      if (word.index < free) continue;
      const pattern = patterns.get(word[0].toLowerCase());
      if (!pattern) continue;
      pattern.lastIndex = word.index;
      const match = pattern.exec(text);
      if (match === null) continue;
      spans.push(spanOf(match));
      free = word.index + match[0].length;
    }
    return spans;
  };
}

/** A name composed and decomposed (é as one character or two), without what surrounds its letters. */
function spellings(name: string): string[] {
  const bare = name.replace(EDGES, "");
  return [...bare].length < 2 ? [] : [bare.normalize("NFC"), bare.normalize("NFD")];
}

function alternatives(names: readonly string[], flags: string): RegExp {
  const longestFirst = [...names].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const sources = longestFirst.map((name) => {
    const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s{1,4}");
    return ENDS_UNSPACED.test(name) ? literal : `${literal}(?!${WORD})`;
  });
  return new RegExp(sources.join("|"), flags);
}

function spanOf(match: RegExpMatchArray): Span {
  return { kind: "NAME", start: match.index!, end: match.index! + match[0].length };
}
