import words from "../../../data/injection-cues.json" with { type: "json" };
import { foldCharacter } from "./characters.js";

/**
 * What a word says towards an attempt to sway the auditor. A single cue means nothing: posts speak of rules, levels and answers all day. `score.ts` says
 * which of them together do; `data/injection-cues.json` has the words by language, where `*` at the end allows any ending and `_` joins two words.
 */
const NAMES = [
  "override", // ignore, disregard
  "skip", // skip, drop: overrides only with something to override
  "follow", // follow, apply: overrides when negated
  "not",
  "orders", // instructions, prompt
  "rules",
  "prior", // previous, above
  "all", // all, any, your
  "say", // answer, rate: what an auditor does, as an order
  "level",
  "one", // 1, 2, 3, one: of a level
  "result", // defensible, derivable
  "complies", // compliant, violation
  "decision",
  "inverse",
  "field", // a field of the reasoning trace by its name
  "auditor",
  "machine",
  "moderator",
  "you",
  "be", // are, act: what follows may be a role
  "role", // pretend, simulation
  "must",
  "post",
  "approve",
  "threat", // shut down, sued, rewarded
  "format", // reply, answer as a thing, JSON
  "only", // now, only, always: what makes an order of a statement
  "authority", // developers, policy team
  "yesNo",
  "address", // dear, attention, note: opens an address
] as const;

export type CueName = (typeof NAMES)[number];
/** Each cue as a bit. */
export const CUE = Object.fromEntries(NAMES.map((name, k) => [name, 1 << k])) as Readonly<Record<CueName, number>>;

const SHORTEST_STEM = 5;
/** Whole words, and two words with a space between them. */
const exact = new Map<string, number>();
/** By their first letters. */
const stems = new Map<string, { stem: string; cue: number }[]>();
const phraseStarts = new Set<string>();
/** Words of scripts without spaces, which are found anywhere in a run of letters. */
const unspaced = new Map<string, number>();
const LONGEST_UNSPACED = 6;

for (const [language, cues] of Object.entries(words)) {
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

/** Words between cues in letters that were run together. */
const GLUE = new Set("the and a an of to with this that is as in for it be no do me my 1 2 3".split(" "));
const LONGEST_PART = 14;

/** "ignoreallpreviousinstructions" as words, or null if it is not made of cues. */
export function splitRunTogether(word: string): string | null {
  const parts: string[] = [];
  for (let at = 0; at < word.length; at += parts.at(-1)!.length) {
    let length = Math.min(LONGEST_PART, word.length - at);
    const isPart = (part: string) => GLUE.has(part) || (part.length > 2 && exact.has(part));
    while (length > 0 && !isPart(word.slice(at, at + length))) length--;
    if (length === 0) return null;
    parts.push(word.slice(at, at + length));
  }
  return parts.filter((part) => !GLUE.has(part)).length >= 2 ? parts.join(" ") : null;
}
