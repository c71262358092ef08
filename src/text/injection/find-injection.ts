import type { ContentParts } from "../../core/records/decision.js";
import { foldCharacter } from "./characters.js";
import { CUE, cuesOf, cuesOfPair } from "./cues.js";
import { type Folded, foldText } from "./fold.js";
import { type Form, findForms } from "./forms.js";
import { ENOUGH, scoreTokens } from "./score.js";
import { type Segment, segmentsOf } from "./segments.js";

/** A stretch of a text. */
interface Range {
  start: number;
  end: number;
}

/** A stretch of one part of the content that addresses the auditor or forges something. */
interface InjectionSpan extends Range {
  part: "title" | "body" | "context";
  /** Which text of the context; 0 for title and body. */
  index: number;
}

interface Reading extends Segment {
  points: number;
  /** It is left unread. */
  taken: boolean;
}

/** A text as it was read. */
interface Part {
  original: string;
  folded: Folded;
  readings: Reading[];
  /** Places of the original that are invisible, or shown in another order. */
  hidden: readonly Range[];
  addresses: boolean;
}

const NOTHING: readonly InjectionSpan[] = [];
/** Content is asked about twice in an audit: for the flag, and by an auditor that leaves unread what was noticed. */
let last: { content: ContentParts; spans: readonly InjectionSpan[] } | null = null;

/**
 * Notices text that speaks to the auditor instead of the community: orders, forged frames, turns, traces, rules and precedents, hidden and
 * disguised characters. Gives the stretches in the order of the parts, apart from each other; no stretch is no proof that nothing is there. A quick look
 * clears most content; the careful one sees through disguises and judges whole sentences. Time grows linearly with the length of the text.
 */
export function noticeInjection(content: ContentParts): readonly InjectionSpan[] {
  if (last?.content !== content) {
    const texts = [content.title, content.body, ...content.context];
    last = { content, spans: mayHoldInjection(texts) ? lookCarefully(texts) : NOTHING };
  }
  return last.spans;
}

/** Invisible and turned characters, letters of unusual shapes, markup, code, escapes, signs and digits in words. */
const ODD =
  /[\u00ad\u0250-\u036f\u1d00-\u1dff\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2460-\u24ff\u2c00-\uffff]|[<{\\]\S|&(?:#|lt|gt|quot|amp|apos)|%[0-9a-f]{2}%|\[(?:\/|inst|tool_|system_)|["'`]\s{0,3}[}\]]|[@$][a-z]{2,20}(?![\w.-])|[a-z]\d+[a-z]|[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|(?<=[\u2000-\udfff])\u200d/gu;
/** Words that are longer may be several run together; so many single letters in a row may be one word. */
const LONGEST_WORD = 22;
const SPACED_LETTERS = 4;

/** Whether a careful look at the texts of a piece of content is worth its time. */
export function mayHoldInjection(texts: readonly string[]): boolean {
  let cues = 0;
  for (const text of texts) {
    const small = text.toLowerCase();
    if (ODD.test(small) && ODD.test(small.replace(EMOJI, ""))) return true;
    let before = "";
    let singles = 0;
    for (const word of small.replace(/[^\0-\x7f]/gu, foldLetter).split(/[^a-z0-9'\u0370-\uffff]+/)) {
      cues |= cuesOf(word) | cuesOfPair(before, word);
      before = word;
      singles = word.length === 1 ? singles + 1 : 0;
      if (word.length > LONGEST_WORD || singles >= SPACED_LETTERS) return true;
    }
  }
  return mostPoints(cues) >= ENOUGH;
}

function foldLetter(letter: string): string {
  return foldCharacter(letter.codePointAt(0)!);
}

/** The most points that words with these cues could have together, all in one sentence. */
function mostPoints(found: number): number {
  const has = (cue: number) => ((found & cue) !== 0 ? 1 : 0);
  const says = has(CUE.say);
  const listener = has(CUE.auditor | CUE.machine);
  const wanted = has(CUE.orders | CUE.rules);
  const reach = has(CUE.prior) + has(CUE.all);
  const isSkipped = has(CUE.skip) | (has(CUE.follow) & has(CUE.not));
  const isGranted = has(CUE.complies | CUE.skip) | (has(CUE.follow) & has(CUE.not));
  return (
    (wanted && has(CUE.override)
      ? 2 + reach
      : wanted && isSkipped
        ? 1 + reach
        : reach === 2
          ? 2 * has(CUE.override)
          : 0) +
    (has(CUE.level) && has(CUE.one) ? 1 + 2 * says + has(CUE.must) + has(CUE.decision) : 0) +
    has(CUE.result) * (1 + says + has(CUE.decision)) +
    says * (has(CUE.decision) + 2 * has(CUE.complies) + (has(CUE.approve) & has(CUE.post))) +
    2 * (has(CUE.inverse) & has(CUE.yesNo)) +
    4 * has(CUE.field) +
    has(CUE.auditor) +
    has(CUE.machine) +
    listener * (1 + has(CUE.must)) +
    3 * (has(CUE.you) & has(CUE.be) & (listener | has(CUE.moderator))) +
    2 * has(CUE.role) +
    has(CUE.authority) +
    2 * (has(CUE.threat) & (has(CUE.you) | listener)) +
    has(CUE.you) *
      (has(CUE.format) * (1 + (says | has(CUE.only))) + has(CUE.orders) + (has(CUE.not) & has(CUE.follow))) +
    4 * ((wanted | has(CUE.decision)) & (has(CUE.approve) | (isGranted & has(CUE.all | CUE.only | CUE.not))))
  );
}

/** Two segments near each other that are an attempt together. */
const TOGETHER = 5;
const LEAST_OF_TWO = 2;
/** Segments apart that two may be. */
const APART = 2;
/** Sentences of a title that are held against the whole body. */
const MOST_HEADS = 10;

/** Reads the texts of a piece of content with care, the title first. */
export function lookCarefully(texts: readonly string[]): readonly InjectionSpan[] {
  let parts = texts.map((text) => readPart(text, true));
  // Text that speaks to the auditor quotes nothing.
  if (parts.some((part) => part.addresses)) parts = texts.map((text) => readPart(text, false));
  markAttempts(parts.flatMap((part) => part.readings));
  markAcrossParts(parts);
  const spans: InjectionSpan[] = [];
  parts.forEach((part, k) => {
    spread(part);
    const name = k === 0 ? "title" : k === 1 ? "body" : "context";
    for (const range of unreadRanges(part)) spans.push({ part: name, index: Math.max(0, k - 2), ...range });
  });
  return spans;
}

/** Runs of what no screen shows: tag characters, variation selectors, zero-width characters; and text that is shown in another order. */
const HIDDEN =
  /(?<!\u{1f3f4})[\u{e0000}-\u{e007f}]{2,}|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}|[\u034f\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]{8,}|[\u202d\u202e](?=[^\u202c\n]{0,60}\p{L}{2})[^\u202c\n]{4,}\u202c?/gu;
/** A black flag with tags is the flag of a region. */
const REGION = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

function readPart(original: string, honourQuotes: boolean): Part {
  const plain = original.replace(REGION, (flag) => " ".repeat(flag.length));
  const hidden = Array.from(plain.matchAll(HIDDEN), ({ 0: run, index }) => ({ start: index, end: index + run.length }));
  const folded = foldText(original);
  const { text } = folded;
  const forms = findForms(text);
  const units = forms.filter((form) => form.as !== "remark");
  const borders = [...new Set(units.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const isInUnit = coveredBy(units);
  let addresses = false;
  const isFull = (tokens: Segment["tokens"]) => scoreTokens(tokens, text, false).points >= ENOUGH;
  const readings = segmentsOf(folded, original, borders, isFull).map((segment): Reading => {
    const quotes = honourQuotes && !isInUnit(segment.start);
    const score = scoreTokens(segment.tokens, text, quotes, text[segment.end - 1] === "?");
    addresses ||= score.addresses;
    return { ...segment, points: score.points + claimPoints(segment, text), taken: false };
  });
  for (const form of forms) applyForm(form, readings);
  return { original, folded, readings, hidden, addresses };
}

/** For places in rising order: whether some unit holds them. */
function coveredBy(units: readonly Form[]): (place: number) => boolean {
  const sorted = [...units].sort((a, b) => a.start - b.start);
  let next = 0;
  let end = 0;
  return (place) => {
    for (; next < sorted.length && sorted[next]!.start <= place; next++) end = Math.max(end, sorted[next]!.end);
    return place < end;
  };
}

/** A unit that is an attempt with what is in it takes all of that; a weaker one lends its points. */
function applyForm({ start, end, points, bonus, as }: Form, readings: readonly Reading[]): void {
  let [first, high] = [0, readings.length];
  while (first < high) {
    const middle = (first + high) >> 1;
    if (readings[middle]!.end <= start) first = middle + 1;
    else high = middle;
  }
  const inside: Reading[] = [];
  for (; first < readings.length && readings[first]!.start < end; first++) inside.push(readings[first]!);
  const most = Math.max(0, ...inside.map((reading) => reading.points));
  const isAttempt = as === "unit" && points + bonus > 0 && points + most + (most > 0 ? bonus : 0) >= ENOUGH;
  for (const reading of as === "remark" ? inside.slice(0, 1) : inside) {
    if (as === "head") reading.points = points;
    else reading.points = isAttempt ? Math.max(ENOUGH, reading.points) : reading.points + points;
  }
}

/** Words that head a rule; a number, a name and a bracket may follow, then a colon or a full stop. */
const RULE_HEAD =
  /^[\s>*#"'`[(_§\d-]{0,10}(?:(?:new|updated|revised|additional|community|platform|site|special|general|important|overriding) ){0,2}(?:rule|policy|guideline|exception|amendment|addendum|clause|article|principle|regulation|exemption|update)s?\b[^.!?\n]{0,90}?[:.]/;
const RULE_HEAD_SAYS = /\b(?:says?|said|states?|means?|requires?|asks?|bans?|forbids?|my|our|their)\b/;
/** All of these, and not the last, make a sentence grant something. */
const GRANTS =
  /\b(?:allowed|permitted|exempt(?:ed)?|acceptable|suspended|(?:never|not)(?: be)? (?:be )?removed|cannot be (?:removed|taken)|(?:may|must) (?:not|never) (?:be )?remove|(?:must|shall|has|have|are|is) (?:to )?be (?:approved|kept)|no longer appl|(?:do|does) not apply|count as)/;
const SWEEPING =
  /\b(?:all|any|every|always|never|automatically|whatever|everything|this (?:post|author|account|content|sentence|kind)|without exception)\b/;
const OBJECT =
  /\b(?:posts?|posted|content|submissions?|comments?|messages?|members?|authors?|accounts?|users?|moderators?|rules)\b/;
const APPROVED_FIRST = /\bapproved (?:by|before|first|in advance)\b/;
const PRECEDENT = /\b(?:precedents?|ruling|(?:prior|earlier|previous) decision|(?:case|decision) (?:no\.? ?)?#?\d)/;
const KEPT = /\b(?:approved?|approval|kept up|left (?:up|standing)|restored|allowed|reinstated)\b/;
const ALIKE = /\b(?:identical|same|exactly like|like this|this very|word for word|this post|all precedents)\b/;
const BINDING = /\bprecedents?\b[^.]{0,60}\b(?:binding|weigh[st]?|weight)\b|\b(?:binding)\b[^.]{0,40}\bprecedents?\b/;

/** Points of a sentence that pretends to be a rule or a precedent. */
function claimPoints({ start, end }: Segment, text: string): number {
  const ahead = text.slice(start, start + 600);
  const sentence = ahead.slice(0, end - start);
  const line = /^\n?[^\n]*/.exec(ahead)![0];
  const head = RULE_HEAD.exec(line)?.[0];
  const isHeaded = head !== undefined && !RULE_HEAD_SAYS.test(head);
  // A head that is a sentence of its own is read on.
  const said = isHeaded && head.length >= sentence.trimEnd().length ? line : sentence;
  if ([GRANTS, SWEEPING, OBJECT].every((pattern) => pattern.test(said)) && !APPROVED_FIRST.test(said))
    return isHeaded ? 4 : 1;
  if (!PRECEDENT.test(sentence)) return 0;
  return KEPT.test(sentence) && ALIKE.test(sentence) ? 4 : BINDING.test(sentence) ? 2 : 0;
}

function markAttempts(readings: readonly Reading[]): void {
  readings.forEach((reading, k) => {
    if (reading.points >= ENOUGH) reading.taken = true;
    for (const other of readings.slice(k + 1, k + 1 + APART)) markTogether(reading, other);
  });
}

/** The title is near to all of the body; and where one part holds an attempt, weaker traces in the others belong to it. */
function markAcrossParts(parts: readonly Part[]): void {
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
  if (Math.min(one.points, other.points) < LEAST_OF_TWO || one.points + other.points < TOGETHER) return;
  one.taken = true;
  other.taken = true;
}

/** Takes what belongs to an attempt next to it: weaker sentences, what lies between, introductions, and padding. */
function spread({ readings, folded: { text } }: Part): void {
  for (let k = 1; k < readings.length; k++) if (readings[k - 1]!.taken) grow(readings, k, 1);
  for (let k = readings.length - 2; k >= 0; k--) {
    const [reading, next] = [readings[k]!, readings[k + 1]!];
    if (next.taken) grow(readings, k, -1);
    const isIntroduction = next.newLine && reading.points > 0 && /:\s*$/.test(text.slice(reading.start, reading.end));
    if (next.taken && isIntroduction) reading.taken = true;
  }
}

/** Takes a segment next to a taken one, if it belongs to it. */
function grow(readings: readonly Reading[], k: number, step: 1 | -1): void {
  const reading = readings[k]!;
  const crossesLine = step > 0 ? reading.newLine : readings[k + 1]!.newLine;
  const beyond = readings[k + step];
  const isBetween = !crossesLine && !reading.newLine && beyond !== undefined && (beyond.taken || beyond.points >= 2);
  const isRepeated = [beyond, readings[k - step]].some((other) => other !== undefined && repeats(reading, other));
  const isEmpty = reading.tokens.length === 0 && !crossesLine && !reading.newLine;
  const isStrong = reading.points >= (crossesLine ? 2 : 1);
  if (isStrong || isBetween || isRepeated || isEmpty || isPadding(reading)) reading.taken = true;
}

/** Many words, and few different ones. */
function isPadding({ tokens }: Segment): boolean {
  const looked = tokens.slice(0, 400);
  return looked.length >= 20 && new Set(looked.map(({ word }) => word)).size * 5 < looked.length;
}

function repeats({ tokens }: Segment, other: Segment): boolean {
  return (
    tokens.length > 1 &&
    tokens.length === other.tokens.length &&
    tokens.every(({ word }, k) => other.tokens[k]!.word === word)
  );
}

const BEFORE =
  /(?:(?:^|(?<=\n))[\s!-/:-@[-`{-~]{0,200}|(?:[`"'([{<*_#>~=|-]|\p{Default_Ignorable_Code_Point}){0,40})$/u;
const AFTER =
  /^(?:[`"')\]}>*_~=|.!?;,-]|\p{Default_Ignorable_Code_Point}){0,40}(?:\s{0,4}`{3})?(?:[\s!-/:-@[-`{-~]{0,200}(?:$|(?<=\n)))?/u;

/** Places of the original that are left unread, with the marks around them, in order, apart from each other. */
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

/** The content as if what was noticed had never been written: an auditor that reads this cannot be swayed by it. The very same object if nothing was. */
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
  const leftOut = content.title.length + content.body.length - title.length - body.length;
  const context = content.context.map((text, index) => read(text, "context", index));
  return { content: { ...content, title, body, context }, leftOut };
}

/** A text without some stretches of it. Of two spaces around a cut the one with more line breaks stays, and none at the ends. */
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
