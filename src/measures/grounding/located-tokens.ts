import { isAscii } from "../../text/printable.js";
import { foldText, scanUnicodeWords, UNSPACED, type Word } from "../../text/words.js";

/** A token with the stretch of the original text that it was made from, [start, end) in UTF-16 units. */
export interface LocatedToken {
  token: string;
  start: number;
  end: number;
  /** Which word of the text it belongs to. */
  word: number;
}

export interface LocatedText {
  /** Folded, as references are looked for in. */
  text: string;
  /** Offsets in the folded text. */
  words: Word[];
  tokens: LocatedToken[];
}

/** The tokens of a text, as `tokenise` makes them, each with its place in the text as it was written. */
export function locateTokens(original: string): LocatedText {
  const { text, starts, ends } = isAscii(original) ? plain(original) : folded(original);
  const words = starts ? scanUnicodeWords(text) : foldText(original).words;
  const tokens: LocatedToken[] = [];
  words.forEach((word, number) => {
    for (const [token, from] of tokensOf(word)) {
      const start = word.start + from;
      const end = start + token.length;
      tokens.push({ token, start: starts?.[start] ?? start, end: ends?.[end - 1] ?? end, word: number });
    }
  });
  return { text, words, tokens };
}

interface Folding {
  text: string;
  /** For each unit of the folded text where what it came from begins and ends; null where both texts are equally long, unit by unit. */
  starts: number[] | null;
  ends: number[] | null;
}

function plain(original: string): Folding {
  return { text: original.toLowerCase(), starts: null, ends: null };
}

/** A character with its combining marks; Korean letters that join into one syllable. These fold without regard to what stands beside them. */
const CLUSTER = /[\u1100-\u11ff]+\p{M}*|\P{M}\p{M}*|\p{M}+/gsu;

/** Folding may change a text's length (ﬁ → fi), so it is done cluster by cluster and remembered. */
function folded(original: string): Folding {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of original.matchAll(CLUSTER)) {
    const piece = cluster.normalize("NFKC").toLowerCase();
    text += piece;
    for (let i = 0; i < piece.length; i++) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return { text, starts, ends };
}

/** The tokens of a word with their offsets in it. */
function* tokensOf(word: Word): Generator<[string, number]> {
  if (word.plain) {
    yield [word.text, 0];
    return;
  }
  for (const { 0: part, index } of word.text.matchAll(/[^-_]+/g)) {
    let from = 0;
    for (const run of part.matchAll(UNSPACED)) {
      if (run.index > from) yield [part.slice(from, run.index), index + from];
      yield* pairsOf(run[0], index + run.index);
      from = run.index + run[0].length;
    }
    if (from < part.length) yield [part.slice(from), index + from];
  }
}

function* pairsOf(run: string, at: number): Generator<[string, number]> {
  const characters = [...run];
  if (characters.length === 1) yield [run, at];
  let from = at;
  for (let i = 0; i + 1 < characters.length; i++) {
    yield [`${characters[i]}${characters[i + 1]}`, from];
    from += characters[i]!.length;
  }
}
