import type { TokenCounter } from "../../auditors/output-format.js";
import type { CasePrecedent } from "../../core/records/case.js";
import { type Ranking, rankByGrams, rankByWords } from "../../text/ranking.js";

/**
 * How a case is rendered: part of every prompt's version. A change is a new number. Older numbers are kept, so that an older version of a prompt asks
 * what it asked. 1: precedents are ordered by the words they share with the content; 2: by n-grams of characters.
 */
export type Rendering = 1 | 2;

/** By which likeness precedents are chosen that do not all fit. */
const RANKINGS: Readonly<Record<Rendering, (texts: readonly string[]) => Ranking>> = {
  1: rankByWords,
  2: rankByGrams,
};

/** After so many precedents that did not fit the room is taken to be full. */
const MOST_MISSES = 20;

/** The precedents of a frame as lines of a prompt. Each is counted once, when it is first asked for. */
export class PrecedentShelf {
  private readonly counts: (number | undefined)[] = [];
  private ranking: Ranking | null = null;

  constructor(
    private readonly precedents: readonly CasePrecedent[],
    readonly lines: readonly string[],
    private readonly rendering: Rendering,
    private readonly counter: TokenCounter,
  ) {}

  /** Tokens of all lines together, or `limit` if that is less. Counts no more lines than it takes to know. */
  totalWithin(limit: number): number {
    let total = 0;
    for (let i = 0; i < this.lines.length && total < limit; i++) total += this.tokens(i);
    return Math.min(total, limit);
  }

  /** Those most like the text that fit, most like it first. One that is too long does not keep shorter ones out. */
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
    // One more for the line break.
    this.counts[index] ??= this.counter.count(this.lines[index]!) + 1;
    return this.counts[index];
  }
}
