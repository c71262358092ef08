import type { Line } from "./draft.js";
import { headsNoRule, isAspect, readsLikeRule, setsPolarity } from "./headings.js";
import { bulletText, letterMarker, numberMarker } from "./rule-text.js";

const ITEM = /^(\d{1,3})[.)]\s/;
const LONGEST = 60;
const MOST_WORDS = 9;
/** "Page 2 - How we talk": a heading, whatever follows. */
const NAMED_PART = /^(?:page|part|section|chapter)\s+(?:\d{1,2}|[IVX]{1,4}|[A-Z])\s*(?:[–—:.-]\s*\S|$)/i;
/** How a sentence continues, as opposed to a heading. */
const GOES_ON =
  /^(?:this|that|these|those|it|they|he|she|there|we|you|if|see|also|and|or|but|for example|e\.g|i\.e|includ(?:es?|ing)|such|unless|except|posted|signed)\b/i;

/**
 * Finds unmarked headings in plain text: short lines without a full stop, after an empty line, and before the next number of a
 * list ("How we talk to each other") or, below the list, before a text that is not a rule ("Appeals").
 */
export class SectionLines {
  /** Such lines are at most a third as many as the items. If every rule had one, they would be part of the rules. */
  private readonly isRare: boolean;
  private readonly firstItem: number;

  constructor(private readonly lines: readonly Line[]) {
    const isItem = ({ text }: Line) => ITEM.test(text);
    this.firstItem = lines.findIndex(isItem);
    const items = lines.filter(isItem).length;
    const found = lines.filter((_, i) => this.isShort(i) && this.numberAfter(i) !== null).length;
    this.isRare = found > 0 && found * 3 <= items;
  }

  /** @param next the number with which the list would continue; 1: no list has begun since the last heading */
  has(i: number, next: number): boolean {
    if (!this.isShort(i)) return false;
    const text = this.lines[i]!.text.trim();
    const number = this.numberAfter(i);
    if (number !== null) {
      // Below "Comments", rules would be lost.
      if (headsNoRule(text)) return false;
      const goesOn = number === "1" || next === 1 || number === String(next);
      return goesOn && (NAMED_PART.test(text) || (this.isRare && !this.isOnlyText(i)));
    }
    // An empty line may come between.
    const below = this.textAfter(i);
    return (
      headsNoRule(text) &&
      this.firstItem >= 0 &&
      this.firstItem < i &&
      below !== null &&
      /^[\p{Lu}\p{N}"“]/u.test(below)
    );
  }

  private isShort(i: number): boolean {
    const { text: line } = this.lines[i]!;
    const text = line.trim();
    if (text === "" || /^\s{2}/.test(line) || text.length > LONGEST || (i > 0 && !this.isBlank(i - 1))) return false;
    if (/[.!?;:,…"”]$|\.\s|:\/\/|@/.test(text) || !/^[\p{Lu}\p{N}]/u.test(text)) return false;
    if (numberMarker(text, 1) !== null || letterMarker(text) !== null || bulletText(text) !== null) return false;
    if (text.split(/\s+/).length > MOST_WORDS || GOES_ON.test(text)) return false;
    return NAMED_PART.test(text) || setsPolarity(text) || (!isAspect(text) && !readsLikeRule(text));
  }

  /** The number of the item that follows; null: something else follows. */
  private numberAfter(i: number): string | null {
    const below = this.textAfter(i);
    return below === null ? null : (ITEM.exec(below)?.[1] ?? null);
  }

  private textAfter(i: number): string | null {
    const below = [i + 1, i + 2].find((at) => at < this.lines.length && !this.isBlank(at));
    return below === undefined ? null : this.lines[below]!.text;
  }

  /** A line below a one-line item with empty lines around it is that item's text. */
  private isOnlyText(i: number): boolean {
    let above = i - 1;
    while (above >= 0 && this.isBlank(above)) above--;
    return above >= 0 && ITEM.test(this.lines[above]!.text) && (above === 0 || this.isBlank(above - 1));
  }

  private isBlank(i: number): boolean {
    return this.lines[i]!.text.trim() === "";
  }
}
