import type { CaseFrame } from "../../core/records/case.js";
import { findReferences } from "./find-references.js";
import { frameIndex } from "./frame-index.js";
import { deniesAnyRule } from "./ground-citation.js";
import { type LocatedToken, locateTokens } from "./located-tokens.js";
import { STOP_WORDS } from "./scope/telling-words.js";

/** A range of a text, [start, end) in UTF-16 units. */
export type TextRange = readonly [start: number, end: number];

export interface CitedPassages {
  /** For each given text: the passages that the citation repeats word for word. */
  passages: TextRange[][];
  /** For each given text: other words that the citation shares with it, except words of any text (`the`, `must`). */
  words: TextRange[][];
  /** Within the citation: words found in none of the texts, and words that only name a rule or deny that one exists. */
  citation: { nowhere: TextRange[]; name: TextRange[] };
}

/** Fewest words in a row that count as a passage rather than a coincidence. */
export const PASSAGE_WORDS = 3;

/**
 * Where the words of a citation occur in the texts of the rules it is compared with, and which of them occur nowhere: a visible version of what
 * `overlap` counts. Passages are the longest common runs of words, found longest first, each word used once.
 * @see paper §8.1
 */
export function citedPassages(citation: string, texts: readonly string[], frame: CaseFrame): CitedPassages {
  const { tokens: cited, names } = citedTokens(citation, frame);
  const tokens = texts.map((text) => locateTokens(text).tokens);
  const flat = tokens.flatMap((list, text) => list.map((token): Placed => ({ ...token, text })));
  const known = new Set(flat.map(({ token }) => token));
  const runs = tile(cited, flat);
  const covered = new Set<number>();
  const passages = texts.map(() => [] as TextRange[]);
  for (const { at, length } of runs) {
    for (let i = at; i < at + length; i++) covered.add(i);
    passages[flat[at]!.text]!.push([flat[at]!.start, flat[at + length - 1]!.end]);
  }
  const telling = new Set(cited.map(({ token }) => token).filter((token) => !STOP_WORDS.has(token)));
  const words = texts.map(() => [] as TextRange[]);
  flat.forEach(({ token, text, start, end }, i) => {
    if (!covered.has(i) && telling.has(token)) words[text]!.push([start, end]);
  });
  return {
    passages: passages.map(merged),
    words: words.map(merged),
    citation: {
      nowhere: merged(cited.filter(({ token }) => !known.has(token)).map(({ start, end }) => [start, end] as const)),
      name: merged(names.map(({ start, end }) => [start, end] as const)),
    },
  };
}

interface Placed extends LocatedToken {
  text: number;
}

/** The tokens that are cited, and those that talk about the citation: `platform rule P2`, `No rule prohibits this; nearest:`. */
function citedTokens(citation: string, frame: CaseFrame): { tokens: LocatedToken[]; names: LocatedToken[] } {
  const located = locateTokens(citation);
  const references = findReferences(located, frameIndex(frame));
  const isName = (word: number) => references.some(({ firstWord, endWord }) => word >= firstWord && word < endWord);
  let tokens = located.tokens.filter(({ word }) => !isName(word));
  const first = references[0]?.firstWord ?? 0;
  if (deniesAnyRule(tokens.filter(({ word }) => word < first).map(({ token }) => token))) {
    tokens = tokens.filter(({ word }) => word >= first);
  }
  const kept = new Set(tokens);
  return { tokens, names: located.tokens.filter((token) => !kept.has(token)) };
}

interface Run {
  /** Index of the first token among the tokens of the texts. */
  at: number;
  length: number;
}

/** Most words of a citation that are compared one by one. Citations have a sentence or two; only the beginning of a longer one is compared. */
const COMPARED = 400;

/** Greedy string tiling: takes the longest free common runs, the first of equals. A run of words of any text (`in the title`) does not count. */
function tile(cited: readonly LocatedToken[], rule: readonly Placed[]): Run[] {
  const numbers = new Map<string, number>();
  const number = ({ token }: LocatedToken) => numbers.get(token) ?? numbers.set(token, numbers.size + 1).get(token)!;
  const wanted = Int32Array.from(cited.slice(0, COMPARED), number);
  const given = Int32Array.from(rule, number);
  const runs: Run[] = [];
  for (;;) {
    const { from, at, length } = longestRun(wanted, given, rule);
    if (length < PASSAGE_WORDS) return runs;
    if (cited.slice(from, from + length).some(({ token }) => !STOP_WORDS.has(token))) {
      given.fill(-1, at, at + length);
      runs.push({ at, length });
    }
    wanted.fill(-2, from, from + length);
  }
}

/** The longest common run inside one text; the first if several are equally long. -1 and -2 mark used tokens. */
function longestRun(wanted: Int32Array, given: Int32Array, rule: readonly Placed[]): Run & { from: number } {
  let best = { from: 0, at: 0, length: 0 };
  let before = new Int32Array(given.length);
  let here = new Int32Array(given.length);
  for (let i = 0; i < wanted.length; i++) {
    for (let j = 0; j < given.length; j++) {
      if (wanted[i] !== given[j]) {
        here[j] = 0;
        continue;
      }
      const length = 1 + (j > 0 && rule[j - 1]!.text === rule[j]!.text ? before[j - 1]! : 0);
      here[j] = length;
      if (length > best.length) best = { from: i - length + 1, at: j - length + 1, length };
    }
    [before, here] = [here, before];
  }
  return best;
}

/** Ranges in order, with adjacent or overlapping ones merged. */
function merged(ranges: readonly TextRange[]): TextRange[] {
  const result: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
