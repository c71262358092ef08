import type { ContentParts } from "../../core/records/decision.js";
import { bitOf, type InjectionKind, kindsIn } from "./clause.js";
import { isPadding, repeats } from "./hidden.js";
import { mayHoldInjection } from "./quick.js";
import { type PartReading, type Reading, readPart } from "./read.js";
import { ENOUGH } from "./score.js";
import { unreadRanges } from "./spans.js";

/** Parts with the segments that are left unread. */
interface Look {
  parts: readonly PartReading[];
  /** Bits of kinds; 0: nothing was noticed. */
  kinds: number;
}

/** Two segments near each other that are an attempt together. */
const TOGETHER = 5;
const LEAST_OF_TWO = 2;
/** Segments apart that two may be. */
const APART = 2;
/** Sentences of a title that are held against the whole body. */
const MOST_HEADS = 10;

/** Reads the texts of a piece of content with care, the title first, and marks what is left unread. */
export function lookCarefully(texts: readonly string[]): Look {
  let parts = texts.map((text) => readPart(text, true));
  // Who speaks to the auditor quotes nobody.
  if (parts.some((part) => part.addresses)) parts = texts.map((text) => readPart(text, false));
  const all = parts.flatMap((part) => part.readings);
  let kinds = parts.some(({ hidden }) => hidden.length > 0) ? bitOf("hidden_characters") : 0;
  markAttempts(all);
  markAcrossParts(parts);
  if (all.some((reading) => reading.taken)) {
    for (const part of parts) spread(part);
    for (const reading of all) if (reading.taken) kinds |= kindsOf(reading);
  }
  return { parts, kinds };
}

function kindsOf({ kinds, tokens }: Reading): number {
  const isDisguised = kinds !== 0 && tokens.some(({ disguised, cues }) => disguised && cues !== 0);
  return isDisguised ? kinds | bitOf("disguise") : kinds;
}

function markAttempts(readings: readonly Reading[]): void {
  for (let k = 0; k < readings.length; k++) {
    const reading = readings[k]!;
    if (reading.points >= ENOUGH) reading.taken = true;
    if (reading.points < LEAST_OF_TWO) continue;
    for (let other = k + 1; other < readings.length && other <= k + APART; other++)
      markTogether(reading, readings[other]!);
  }
}

/** The title is near to all of the body; and where one part holds an attempt, weaker traces in the others belong to it. */
function markAcrossParts(parts: readonly PartReading[]): void {
  const heads = (parts[0]?.readings ?? []).filter(({ points }) => points >= LEAST_OF_TWO);
  for (const head of heads.slice(0, MOST_HEADS)) {
    for (const reading of parts[1]?.readings ?? []) markTogether(head, reading);
  }
  const isTaken = parts.map(({ readings }) => readings.some(({ taken }) => taken));
  parts.forEach(({ readings }, k) => {
    if (!isTaken.some((taken, other) => taken && other !== k)) return;
    for (const reading of readings) if (reading.points >= LEAST_OF_TWO) reading.taken = true;
  });
}

function markTogether(one: Reading, other: Reading): void {
  if (other.points < LEAST_OF_TWO || one.points + other.points < TOGETHER) return;
  one.taken = true;
  other.taken = true;
}

/** Takes what belongs to an attempt beside it: weaker sentences, what lies between, introductions, and padding. */
function spread({ readings, folded }: PartReading): void {
  const text = folded.text;
  for (let k = 1; k < readings.length; k++) {
    if (!readings[k]!.taken && readings[k - 1]!.taken) grow(readings, k, 1);
  }
  for (let k = readings.length - 2; k >= 0; k--) {
    if (!readings[k]!.taken && readings[k + 1]!.taken) {
      if (grow(readings, k, -1)) continue;
      const isIntroduction = readings[k + 1]!.newLine && /:\s*$/.test(text.slice(readings[k]!.start, readings[k]!.end));
      if (isIntroduction && readings[k]!.points > 0) readings[k]!.taken = true;
    }
  }
}

/** Takes a segment beside a taken one, if it belongs to it. */
function grow(readings: readonly Reading[], k: number, step: 1 | -1): boolean {
  const reading = readings[k]!;
  const crossesLine = step > 0 ? reading.newLine : readings[k + 1]!.newLine;
  const beyond = readings[k + step];
  if (reading.points >= (crossesLine ? 2 : 1)) reading.taken = true;
  else if (
    isPadding(reading.tokens) ||
    [beyond, readings[k - step]].some((other) => other && repeats(reading.tokens, other.tokens))
  ) {
    reading.taken = true;
    reading.kinds |= bitOf("padding");
  } else if (reading.tokens.length === 0 && !crossesLine && !reading.newLine) reading.taken = true;
  else if (beyond && !crossesLine && !reading.newLine && (beyond.taken || beyond.points >= 2)) reading.taken = true;
  return reading.taken;
}

/** A stretch of one part of the content that addresses the auditor or forges something. */
interface InjectionSpan {
  part: "title" | "body" | "context";
  /** Which text of the context; 0 for title and body. */
  index: number;
  start: number;
  end: number;
}

/** What was noticed. No kinds: nothing was, which is no proof that nothing is there. */
interface InjectionNotice {
  kinds: readonly InjectionKind[];
  /** In the order of the parts, apart from each other. */
  spans: readonly InjectionSpan[];
}

const NOTHING: InjectionNotice = Object.freeze({ kinds: [], spans: [] });
/** Content is asked about twice in an audit: for the flag, and by an auditor that leaves unread what was noticed. */
const notices = new WeakMap<ContentParts, InjectionNotice>();
/** The last content without any: a weak map of all content would cost more than looking again. */
let clean: ContentParts | null = null;

/**
 * Notices text that speaks to the auditor instead of the community: orders, forged frames, turns, traces, rules and precedents, hidden and
 * disguised characters. A quick look clears most content; the careful one sees through disguises and judges whole sentences. Time grows
 * linearly with the length of the text.
 */
export function noticeInjection(content: ContentParts): InjectionNotice {
  if (content === clean) return NOTHING;
  const known = notices.get(content);
  if (known !== undefined) return known;
  const texts = [content.title, content.body, ...content.context];
  const notice = mayHoldInjection(texts) ? notify(texts) : NOTHING;
  if (notice === NOTHING) clean = content;
  else notices.set(content, notice);
  return notice;
}

function notify(texts: readonly string[]): InjectionNotice {
  const { parts, kinds } = lookCarefully(texts);
  if (kinds === 0) return NOTHING;
  const spans: InjectionSpan[] = [];
  parts.forEach((reading, k) => {
    const part = k === 0 ? "title" : k === 1 ? "body" : "context";
    for (const { start, end } of unreadRanges(reading)) spans.push({ part, index: Math.max(0, k - 2), start, end });
  });
  return { kinds: kindsIn(kinds), spans };
}

/** Content without what was noticed in it. */
interface Readable {
  /** The very same object if nothing was noticed. */
  content: ContentParts;
  /** Characters that were left out. */
  leftOut: number;
}

/** The content as if what was noticed had never been written: an auditor that reads this cannot be swayed by it. */
export function withoutInjection(content: ContentParts): Readable {
  const { spans } = noticeInjection(content);
  if (spans.length === 0) return { content, leftOut: 0 };
  const of = (part: InjectionSpan["part"], index = 0) =>
    spans.filter((span) => span.part === part && span.index === index);
  const title = cut(content.title, of("title"));
  const body = cut(content.body, of("body"));
  const leftOut = content.title.length + content.body.length - title.length - body.length;
  const context = content.context.map((text, index) => cut(text, of("context", index)));
  return { content: { ...content, title, body, context }, leftOut };
}

/** A text without some stretches of it. */
function cut(text: string, spans: readonly InjectionSpan[]): string {
  let result = text.slice(0, spans[0]?.start);
  spans.forEach(({ end }, k) => {
    result = join(result, text.slice(end, spans[k + 1]?.start));
  });
  return result;
}

/** Joins what stood before a cut and after it: of two spaces the one with more line breaks stays, and none at the ends. */
function join(before: string, after: string): string {
  const left = before.trimEnd();
  const right = after.trimStart();
  if (left === "" || right === "") return left + right;
  const [one, other] = [before.slice(left.length), after.slice(0, after.length - right.length)];
  return left + (one === "" || lines(other) > lines(one) ? other : one) + right;
}

function lines(space: string): number {
  return space.split("\n").length;
}
