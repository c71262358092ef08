import type { TokenCounter } from "../../auditors/output-format.js";
import type { CasePrecedent } from "../../core/records/case.js";
import { type Ranking, rankByGrams, rankByWords } from "../../text/ranking.js";

/**
 * Counts tokens with the named tokenizer. The vocabularies of `o200k` and `cl100k` are loaded on demand: 30 MB on disk and more
 * in memory. Any other name gives an estimate.
 */
export async function createTokenCounter(name: string): Promise<TokenCounter> {
  if (name !== "o200k" && name !== "cl100k") return ESTIMATED;
  const { countTokens } =
    name === "o200k"
      ? await import("gpt-tokenizer/encoding/o200k_base")
      : await import("gpt-tokenizer/encoding/cl100k_base");
  // Without this, `<|endoftext|>` in a text is an error. Here it counts as ordinary characters.
  const asText = { disallowedSpecial: new Set<string>() };
  return { name, exact: true, count: (text) => countInSlices(text, (slice) => countTokens(slice, asText)) };
}

const ESTIMATED: TokenCounter = {
  name: "estimated",
  exact: false,
  count: (text) => Math.ceil(Buffer.byteLength(text) / 4),
};

/**
 * Characters of one word (or of one gap between words) that are tokenized at a time. The tokenizer's time grows with the square
 * of a word's length: 16,000 times one letter takes 190 ms, 100,000 takes seconds. Words up to this length, which includes all
 * real ones, are counted exactly; a longer one to within one token per slice.
 */
const LONGEST_WORD = 256;
const LONG_RUN = new RegExp(`\\S{${LONGEST_WORD + 1},}|\\s{${LONGEST_WORD + 1},}`, "g");

function countInSlices(text: string, count: (slice: string) => number): number {
  let total = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    if (run.index > from) total += count(text.slice(from, run.index));
    from = run.index + run[0].length;
    for (let start = run.index; start < from; ) {
      let end = Math.min(start + LONGEST_WORD, from);
      if (end < from && isHighSurrogate(text.charCodeAt(end - 1))) end--;
      total += count(text.slice(start, end));
      start = end;
    }
  }
  return from === 0 ? count(text) : total + count(text.slice(from));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/**
 * How a case is rendered; part of every prompt's version. A change gets a new number. Older numbers are kept, so that an older version of a prompt
 * asks what it asked. 1: precedents are ordered by the words they share with the content; 2: by character n-grams.
 */
export type Rendering = 1 | 2;

/** How precedents are ranked when not all of them fit. */
const RANKINGS: Readonly<Record<Rendering, (texts: readonly string[]) => Ranking>> = {
  1: rankByWords,
  2: rankByGrams,
};

/** After this many precedents that did not fit, the room counts as full. */
const MOST_MISSES = 20;

/** A frame's precedents as lines of a prompt. The tokens of each are counted once, on first use. */
export class PrecedentShelf {
  private readonly counts: (number | undefined)[] = [];
  private ranking: Ranking | null = null;

  constructor(
    private readonly precedents: readonly CasePrecedent[],
    readonly lines: readonly string[],
    private readonly rendering: Rendering,
    private readonly counter: TokenCounter,
  ) {}

  /** Total tokens of all lines, or `limit` if that is less. Counts no more lines than it needs to. */
  totalWithin(limit: number): number {
    let total = 0;
    for (let i = 0; i < this.lines.length && total < limit; i++) total += this.tokens(i);
    return Math.min(total, limit);
  }

  /** The precedents that fit, most similar to the text first. One that is too long does not keep shorter ones out. */
  choose(text: string, room: number): number[] {
    this.ranking ??= RANKINGS[this.rendering](this.precedents.map((precedent) => precedent.text));
    const chosen: number[] = [];
    let left = room;
    let misses = 0;
    for (const index of this.ranking(text)) {
      const tokens = this.tokens(index);
      if (tokens <= left) {
        chosen.push(index);
        left -= tokens;
      } else if (++misses === MOST_MISSES) break;
    }
    return chosen;
  }

  idOf(index: number): string {
    return this.precedents[index]!.id;
  }

  private tokens(index: number): number {
    // Plus one for the line break.
    this.counts[index] ??= this.counter.count(this.lines[index]!) + 1;
    return this.counts[index];
  }
}
