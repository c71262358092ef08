import words from "../../../data/injection-cues.json" with { type: "json" };
import { foldCharacter } from "./characters.js";

/**
 * What a word says towards an attempt to sway the auditor. A single cue means nothing: posts speak of rules, levels and answers all day. `score.ts` says
 * which of them together do; `data/injection-cues.json` has their meanings, and the words by language, where `*` at the end allows any ending and `_` joins two words.
 */
const { about, ...byLanguage } = words;
type CueName = keyof typeof about;
/** Each cue as a bit. */
export const CUE = Object.fromEntries(Object.keys(about).map((name, k) => [name, 1 << k])) as Readonly<
  Record<CueName, number>
>;

const SHORTEST_STEM = 5;
/** Whole words, and two words with a space between them. */
const exact = new Map<string, number>();
/** By their first letters. */
const stems = new Map<string, { stem: string; cue: number }[]>();
const phraseStarts = new Set<string>();
/** Words of scripts without spaces, which are found anywhere in a run of letters. */
const unspaced = new Map<string, number>();
const LONGEST_UNSPACED = 6;

for (const [language, cues] of Object.entries(byLanguage)) {
  for (const [name, list] of Object.entries(cues)) {
    const cue = CUE[name as CueName];
    for (const written of list.split(" ")) {
      const word = Array.from(written, (letter) => foldCharacter(letter.codePointAt(0)!)).join("");
      if (language === "zh-ja") unspaced.set(word, (unspaced.get(word) ?? 0) | cue);
      else if (word.endsWith("*")) {
        const start = word.slice(0, SHORTEST_STEM);
        stems.set(start, [...(stems.get(start) ?? []), { stem: word.slice(0, -1), cue }]);
      } else {
        const plain = word.replace("_", " ");
        exact.set(plain, (exact.get(plain) ?? 0) | cue);
        if (plain !== word) phraseStarts.add(plain.slice(0, plain.indexOf(" ")));
      }
    }
  }
}

/** The cues of a folded word. */
export function cuesOf(word: string): number {
  const known = exact.get(word);
  if (known !== undefined || word.length < SHORTEST_STEM) return known ?? 0;
  return stems.get(word.slice(0, SHORTEST_STEM))?.find(({ stem }) => word.startsWith(stem))?.cue ?? 0;
}

/** The cues of two words in a row, as far as they mean more than each alone. */
export function cuesOfPair(first: string, second: string): number {
  return phraseStarts.has(first) ? (exact.get(`${first} ${second}`) ?? 0) : 0;
}

/** The longest cue that begins at a place in a script without spaces: its length and cues, or null. */
export function unspacedCueAt(text: string, at: number): { length: number; cues: number } | null {
  for (let length = LONGEST_UNSPACED; length > 0; length--) {
    const cues = unspaced.get(text.slice(at, at + length));
    if (cues !== undefined) return { length, cues };
  }
  return null;
}
