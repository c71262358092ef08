/** A stretch of the original text. */
export interface Range {
  start: number;
  end: number;
}

/** Runs of what no screen shows: tag characters, variation selectors, zero-width characters. Emoji have up to three of them in a row. */
const RUNS =
  /[\u{e0000}-\u{e007f}]{2,}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}|[\u034f\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8,}/gu;
/** A black flag with tags is the flag of a region. */
const FLAG = /\u{1f3f4}$/u;
const REGION = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u;
/** Text that is shown in another order than it is written in. */
const TURNED = /[\u202d\u202e][^\u202c\n]{4,}\u202c?/gu;
const LETTERS = /\p{L}{2}/u;
const ANY =
  /[\u00ad\u180e\u200b-\u200f\u202d\u202e\u2060-\u2064\ufeff]|\p{Variation_Selector}|\u034f|[\u{e0000}-\u{e007f}]/u;

/** Stretches of a text that a reader does not see, or sees in another order. */
export function hiddenRanges(text: string): Range[] {
  if (!ANY.test(text)) return [];
  const ranges: Range[] = [];
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (FLAG.test(text.slice(Math.max(0, index - 2), index)) && REGION.test(run)) continue;
    ranges.push({ start: index, end: index + run.length });
  }
  for (const { 0: turned, index } of text.matchAll(TURNED)) {
    if (LETTERS.test(turned)) ranges.push({ start: index, end: index + turned.length });
  }
  return ranges;
}
