import type { ContentParts } from "../../core/records/decision.js";
import { firstWhere } from "../../stats/ranks/sorted-order.js";
import { countCharacters } from "../words.js";
import { foldCharacter } from "./characters.js";
import { CUE, cuesOf, cuesOfPair, type Folded, foldText } from "./fold.js";
import { ENOUGH, scoreTokens } from "./score.js";
import { claimPoints, type Form, findForms, type Segment, segmentsOf } from "./segments.js";

interface Range {
  start: number;
  end: number;
}

/** A range of one part of the content that addresses the auditor or forges something. */
interface InjectionSpan extends Range {
  part: "title" | "body" | "context";
  /** Index of the context text; 0 for title and body. */
  index: number;
}

interface Reading extends Segment {
  points: number;
  /** Excluded from reading. */
  taken: boolean;
}

/** A text as analysed. */
interface Part {
  original: string;
  folded: Folded;
  readings: Reading[];
  /** Ranges of the original that are invisible, or displayed in another order. */
  hidden: readonly Range[];
  addresses: boolean;
}

const NOTHING: readonly InjectionSpan[] = [];
/** An audit asks about the same content twice: for the flag, and for an auditor that leaves flagged text unread. */
let last: { content: ContentParts; spans: readonly InjectionSpan[] } | null = null;

/**
 * Finds text that addresses the auditor instead of the community: orders; forged frames, turns, traces, rules and precedents; hidden and disguised
 * characters. Returns disjoint ranges in the order of the parts. An empty result proves nothing. A quick check clears most content; the careful one
 * sees through disguises and judges whole sentences. Time grows linearly with the length of the text.
 */
export function noticeInjection(content: ContentParts): readonly InjectionSpan[] {
  if (last?.content !== content) {
    const texts = [content.title, content.body, ...content.context];
    last = { content, spans: mayHoldInjection(texts) ? lookCarefully(texts) : NOTHING };
  }
  return last.spans;
}

/** Invisible and reordering characters, letters of unusual shapes, markup, code, escapes, and symbols or digits inside words. */
const ODD =
  /[\u00ad\u0250-\u036f\u1d00-\u1dff\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2460-\u24ff\u2c00-\uffff]|[<{\\]\S|&(?:#|lt|gt|quot|amp|apos)|%[0-9a-f]{2}%|\[(?:\/|inst|tool_|system_)|["'`]\s{0,3}[}\]]|[@$][a-z]{2,20}(?![\w.-])|[a-z]\d+[a-z]|[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|(?<=[\u2000-\udfff])\u200d/gu;
/** A longer word may be several run together, and this many single letters in a row may be one word. */
const LONGEST_WORD = 22;
const SPACED_LETTERS = 4;

/** Cues that are common in ordinary posts. */
const COMMON_CUES = CUE.all | CUE.one | CUE.post | CUE.only | CUE.yesNo | CUE.you | CUE.be | CUE.must;
/** Any payload has at least this many of the other cues. */
const LEAST_CUES = 3;

/** Whether the texts of a piece of content deserve a careful check. */
export function mayHoldInjection(texts: readonly string[]): boolean {
  let cues = 0;
  for (const text of texts) {
    const small = text.toLowerCase();
    if (ODD.test(small) && ODD.test(small.replace(EMOJI, ""))) return true;
    let before = "";
    let singles = 0;
    for (const word of small
      .replace(/[^\0-\x7f]/gu, (letter) => foldCharacter(letter.codePointAt(0)!))
      .split(/[^a-z0-9'\u0370-\uffff]+/)) {
      cues |= cuesOf(word) | cuesOfPair(before, word);
      before = word;
      singles = word.length === 1 ? singles + 1 : 0;
      if (word.length > LONGEST_WORD || singles >= SPACED_LETTERS) return true;
    }
  }
  const isClaim = (cues & CUE.approve) !== 0 && (cues & (CUE.orders | CUE.rules | CUE.decision)) !== 0;
  return isClaim || countBits(cues & ~COMMON_CUES) >= LEAST_CUES;
}

function countBits(bits: number): number {
  return bits === 0 ? 0 : 1 + countBits(bits & (bits - 1));
}

/** Points at which two nearby segments together are an attempt, and the least that each needs. */
const TOGETHER = 5;
const LEAST_OF_TWO = 2;
/** Largest distance between the two, in segments. */
const APART = 2;

/** Checks the texts of a piece of content carefully, the title first. */
export function lookCarefully(texts: readonly string[]): readonly InjectionSpan[] {
  let parts = texts.map((text) => readPart(text, true));
  // If any text addresses the auditor, quotation marks no longer count as quoting.
  if (parts.some((part) => part.addresses)) parts = texts.map((text) => readPart(text, false));
  markAttempts(parts.flatMap((part) => part.readings));
  const spans: InjectionSpan[] = [];
  parts.forEach((part, k) => {
    spread(part.readings);
    const name = k === 0 ? "title" : k === 1 ? "body" : "context";
    for (const range of unreadRanges(part)) spans.push({ part: name, index: Math.max(0, k - 2), ...range });
  });
  return spans;
}

/**
 * Runs of characters that are never displayed: tag characters (after a black flag they encode a region's flag), variation
 * selectors, zero-width characters; and text that is displayed in another order.
 */
const HIDDEN =
  /(?<!\u{1f3f4}[\u{e0030}-\u{e007f}]{0,6})[\u{e0000}-\u{e007f}]{2,}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}|[\u034f\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8,}|[\u202d\u202e](?=[^\u202c\n]{0,60}\p{L}{2})[^\u202c\n]{4,}\u202c?/gu;
function readPart(original: string, honourQuotes: boolean): Part {
  const hidden = Array.from(original.matchAll(HIDDEN), ({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
  }));
  const folded = foldText(original);
  const { text } = folded;
  const forms = findForms(text);
  const borders = [...new Set(forms.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  let addresses = false;
  const readings = segmentsOf(folded, original, borders).map((segment): Reading => {
    const score = scoreTokens(segment.tokens, text, honourQuotes, text[segment.end - 1] === "?");
    addresses ||= score.addresses;
    const { start, end } = segment;
    return { ...segment, points: score.points + claimPoints(start, end, text), taken: false };
  });
  for (const form of forms) applyForm(form, readings);
  return { original, folded, readings, hidden, addresses };
}

/** If a form, together with what it contains, is an attempt, everything in it is taken; a weaker form adds its points. */
function applyForm({ start, end, points, bonus }: Form, readings: readonly Reading[]): void {
  const first = firstWhere(0, readings.length, (k) => readings[k]!.end > start);
  const inside = readings.slice(
    first,
    firstWhere(first, readings.length, (k) => readings[k]!.start >= end),
  );
  const most = Math.max(0, ...inside.map((reading) => reading.points));
  const isAttempt = points + bonus > 0 && points + most + (most > 0 ? bonus : 0) >= ENOUGH;
  for (const reading of inside) {
    reading.points = isAttempt ? Math.max(ENOUGH, reading.points) : reading.points + points;
  }
}

function markAttempts(readings: readonly Reading[]): void {
  readings.forEach((reading, k) => {
    if (reading.points >= ENOUGH) reading.taken = true;
    for (const other of readings.slice(k + 1, k + 1 + APART)) {
      const [least, both] = [Math.min(reading.points, other.points), reading.points + other.points];
      if (least >= LEAST_OF_TWO && both >= TOGETHER) reading.taken = other.taken = true;
    }
  });
}

/** Extends an attempt to its neighbours: weaker sentences, and what lies between. */
function spread(readings: readonly Reading[]): void {
  for (let k = 1; k < readings.length; k++) if (readings[k - 1]!.taken) grow(readings, k, 1);
  for (let k = readings.length - 2; k >= 0; k--) if (readings[k + 1]!.taken) grow(readings, k, -1);
}

/** Takes a segment next to a taken one if it belongs to it. */
function grow(readings: readonly Reading[], k: number, step: 1 | -1): void {
  const reading = readings[k]!;
  const crossesLine = step > 0 ? reading.newLine : readings[k + 1]!.newLine;
  const beyond = readings[k + step];
  const isBetween = !crossesLine && !reading.newLine && beyond !== undefined && (beyond.taken || beyond.points >= 2);
  if (isBetween || reading.points >= (crossesLine ? 2 : 1)) reading.taken = true;
}

const BEFORE =
  /(?:(?:^|(?<=\n))[\s!-/:-@[-`{-~]{0,200}|(?:[`"'([{<*_#>~=|-]|\p{Default_Ignorable_Code_Point}){0,40})$/u;
const AFTER =
  /^(?:[`"')\]}>*_~=|.!?;,-]|\p{Default_Ignorable_Code_Point}){0,40}(?:\s{0,4}`{3})?(?:[\s!-/:-@[-`{-~]{0,200}(?:$|(?<=\n)))?/u;

/** Disjoint ranges of the original to leave unread, in order, including the punctuation around them. */
function unreadRanges({ readings, original, folded: { at }, hidden }: Part): Range[] {
  const ranges: Range[] = [...hidden];
  for (const reading of readings.filter(({ taken }) => taken)) {
    const [start, end] = [at[reading.start]!, at[reading.end]!];
    const before = BEFORE.exec(original.slice(Math.max(0, start - 200), start))?.[0] ?? "";
    const after = AFTER.exec(original.slice(end, end + 200))?.[0] ?? "";
    if (end > start) ranges.push({ start: start - before.length, end: end + after.length });
  }
  const merged: Range[] = [];
  for (const range of ranges.sort((a, b) => a.start - b.start)) {
    const previous = merged.at(-1);
    if (previous && range.start <= previous.end) previous.end = Math.max(previous.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

/**
 * The content as if the detected text had never been written, and the number of characters left out: an auditor that reads this
 * cannot be swayed by it. Returns the same object if nothing was detected.
 */
export function withoutInjection(content: ContentParts): { content: ContentParts; leftOut: number } {
  const spans = noticeInjection(content);
  if (spans.length === 0) return { content, leftOut: 0 };
  const read = (text: string, part: InjectionSpan["part"], index = 0) =>
    cut(
      text,
      spans.filter((span) => span.part === part && span.index === index),
    );
  const title = read(content.title, "title");
  const body = read(content.body, "body");
  const leftOut = countCharacters(content.title + content.body) - countCharacters(title + body);
  const context = content.context.map((text, index) => read(text, "context", index));
  return { content: { ...content, title, body, context }, leftOut };
}

/** Removes ranges from a text. Of the two spaces around a cut, the one with more line breaks is kept; none is kept at the ends. */
function cut(text: string, spans: readonly Range[]): string {
  let result = text.slice(0, spans[0]?.start);
  spans.forEach(({ end }, k) => {
    const after = text.slice(end, spans[k + 1]?.start);
    const [left, right] = [result.trimEnd(), after.trimStart()];
    const [one, other] = [result.slice(left.length), after.slice(0, after.length - right.length)];
    const space = one === "" || other.split("\n").length > one.split("\n").length ? other : one;
    result = left === "" || right === "" ? left + right : left + space + right;
  });
  return result;
}
