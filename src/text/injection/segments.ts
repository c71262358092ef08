import data from "../../../data/injection-forms.json" with { type: "json" };
import { CUE, cuesOf, cuesOfPair, type Folded, unspacedCueAt } from "./fold.js";

/** A word of a folded text, or a cue in a script without spaces. */
export interface Token {
  word: string;
  cues: number;
  start: number;
  end: number;
  /** Inside quotation marks that close in the same sentence. */
  quoted: boolean;
  /** Its first letter is a capital. */
  capital: boolean;
}

/** A sentence or line: the unit that is scored. */
export interface Segment {
  start: number;
  end: number;
  tokens: Token[];
  newLine: boolean;
}

/** URLs, words, stops with any closing marks, line breaks, quotation marks, and emoji. */
const PIECE =
  /(https?:\/\/[^\s"'<>)\]]{0,2000})|([\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*)|([.!?;。！？؟।；][.!?"')\]]{0,7})|(\n)|(["'])|\p{Emoji_Presentation}/gu;
/** A line of at most this many words is joined with the next: an order may be spread over several lines. */
const SHORT_LINE = 3;
/** Cues that may begin an attempt in the middle of a line without a stop before it. */
const OPENERS = CUE.override | CUE.skip | CUE.follow | CUE.say | CUE.rules | CUE.address | CUE.role | CUE.you;
const CALLED = CUE.auditor | CUE.machine;
const UNSPACED_FROM = "\u3040";

/** Splits a folded text into segments, at the ends of sentences and lines and at the places in `borders`. */
export function segmentsOf({ text, at }: Folded, original: string, borders: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  let current: Segment = { start: 0, end: 0, tokens: [], newLine: true };
  let openQuote = -1;
  let border = 0;
  const isBorder = new Set(borders);
  /** Up to here the current segment is known to contain only spaces and line marks. */
  let blankTo = 0;

  const cut = (end: number, newLine: boolean) => {
    const isEmpty = current.tokens.length === 0 && !/[^\s.`=~*_#<>|-]/.test(text.slice(blankTo, end));
    if (isEmpty && !isBorder.has(end)) {
      current.newLine ||= newLine;
      blankTo = end;
      return;
    }
    segments.push({ ...current, end });
    current = { start: end, end, tokens: [], newLine };
    blankTo = end;
    openQuote = -1;
  };
  const passBorders = (place: number) => {
    for (; border < borders.length && borders[border]! <= place; border++) {
      if (borders[border]! > current.start) cut(borders[border]!, false);
    }
  };
  const isCapital = (place: number) => /^\p{Lu}/u.test(original.slice(at[place]!, at[place]! + 2));
  const addWord = (word: string, start: number) => {
    const { tokens } = current;
    const cues = cuesOf(word);
    const capital = isCapital(start);
    const last = tokens.at(-1);
    if (last && capital && tokens.length > 1 && !last.capital && /^\s[\s([{"'¿¡]*$/.test(text.slice(last.end, start))) {
      const isCalled = (cues & CALLED) !== 0 && /^[,:]/.test(text.slice(start + word.length, start + word.length + 1));
      if ((cues & OPENERS) !== 0 || word === "stop" || isCalled) cut(start, false);
    }
    const before = current.tokens.at(-1);
    if (before) before.cues |= cuesOfPair(before.word, word);
    current.tokens.push({ word, cues, start, end: start + word.length, quoted: false, capital });
  };
  const addUnspaced = (run: string, start: number) => {
    if (current.tokens.length > 2 && current.tokens.slice(-3).every(({ word }) => word < "\u0250")) cut(start, false);
    for (let k = 0; k < run.length; ) {
      const found = unspacedCueAt(run, k);
      const length = found?.length ?? 1;
      const token = { word: run.slice(k, k + length), start: start + k, end: start + k + length };
      if (found) current.tokens.push({ ...token, cues: found.cues, quoted: false, capital: false });
      k += length;
    }
  };
  const readQuote = (place: number, sign: string) => {
    const { tokens } = current;
    const opens = !/[\p{L}\p{N}.,!?]/u.test(text[place - 1] ?? " ");
    if (openQuote < 0) openQuote = opens || sign === '"' ? tokens.length : -1;
    else if (!opens || sign === '"') {
      for (const token of tokens.slice(openQuote)) token.quoted = true;
      openQuote = -1;
    }
  };

  for (const { 0: piece, 1: address, 2: word, 3: stop, 4: newLine, 5: quote, index } of text.matchAll(PIECE)) {
    const end = index + piece.length;
    passBorders(index);
    if (word !== undefined) (word > UNSPACED_FROM ? addUnspaced : addWord)(word, index);
    else if (quote !== undefined) readQuote(index, quote);
    else if (newLine !== undefined) {
      const isBlank = /\n[^\S\n]*$/.test(text.slice(Math.max(current.start, index - 80), index));
      if (isBlank || current.tokens.length > SHORT_LINE || current.tokens.length === 0) cut(end, true);
    } else if (address !== undefined) cut(end, false);
    else if (stop !== undefined) {
      // A stop between letters or digits ("1.5", "a.s.a.p") ends nothing.
      if (stop.length > 1 || stop > "\u00ff" || !/^[\p{L}\p{N}_]/u.test(text.slice(end, end + 2))) cut(end, false);
    } else if (isCapital(end + Math.max(0, text.slice(end, end + 8).search(/[\p{L}\p{N}]/u)))) cut(end, false);
  }
  passBorders(text.length);
  if (current.start < text.length) cut(text.length, false);
  return segments;
}

/** A range of a folded text with a telltale form, and how strong a sign it is. Its content is left unread with it. */
export interface Form {
  start: number;
  end: number;
  /** Counts like a segment's points. */
  points: number;
  /** Counts only if something inside has points of its own. */
  bonus: number;
}

/** A line of `forms` in `data/injection-forms.json`. */
interface Row {
  /** A text without this string cannot match. */
  sign: string;
  pattern: string;
  points?: number;
  bonus?: number;
  /** Matches at most this far apart form one group, worth `several` points. */
  gap?: number;
  several?: number;
  /** It extends to the end of the object that it begins. */
  object?: boolean;
}

const ROWS = (data.forms as readonly Row[]).map((row) => ({ ...row, pattern: new RegExp(row.pattern, "gmu") }));

/** All forms in a folded text. Every search is linear because the patterns are bounded. */
export function findForms(text: string): Form[] {
  const forms: Form[] = [];
  for (const { sign, pattern, points = 0, several = points, bonus = 0, gap = -1, object = false } of ROWS) {
    if (!text.includes(sign)) continue;
    for (const { start, last, end, count } of groups(text, pattern, gap)) {
      const closing = object ? endOfObject(text, start, last) : -1;
      forms.push({ start, end: Math.max(end, closing), points: count > 1 ? several : points, bonus });
    }
  }
  return [...forms, ...breakouts(text)];
}

interface Group {
  start: number;
  end: number;
  /** Start of its last match. */
  last: number;
  count: number;
}

/** Groups matches that follow each other closely, without the surrounding space. */
function groups(text: string, pattern: RegExp, gap: number): Group[] {
  const result: Group[] = [];
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const start = index + match.length - match.trimStart().length;
    const end = index + match.trimEnd().length;
    const group = result.at(-1);
    if (group && start - group.end <= gap) Object.assign(group, { end, last: start, count: group.count + 1 });
    else result.push({ start, end, last: start, count: 1 });
  }
  return result;
}

/** Position after the brace that closes the first object opened in [start, last]; -1: none, or not closed soon. Braces in strings do not count. */
function endOfObject(text: string, start: number, last: number): number {
  const brace = text.indexOf("{", start);
  if (brace < 0 || brace > last + 30) return -1;
  let depth = 0;
  let isString = false;
  for (let i = brace; i < Math.min(text.length, brace + 2500); i++) {
    if (text[i] === '"') isString = !isString;
    else if (isString) continue;
    else if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

const BREAKOUT =
  /["'`]\s{0,3}[}\]](?=\s{0,3}(?:[,\]{};\n]|["'`]\s?,|<|\/\/|$))|(?:^|(?<=\s))["'],\s?["'][a-z_ ]{1,40}["']\s?:/gm;

/** Adjacent JSON punctuation: as far as it continues, a line is code. */
const JOINT = /["'`]\s?[:,]\s?["'`{[]|["'`]\s?[:,}\]]|[:,{[(]\s?["'`{[]|[}\]>]\s?["'`]?/g;
const LONGEST_CODE = 1000;

/** Quotation marks with a bracket or comma that break out of the JSON object around the content. */
function breakouts(text: string): Form[] {
  const forms: Form[] = [];
  let open = 0;
  let counted = 0;
  for (const { 0: sign, index } of text.matchAll(BREAKOUT)) {
    if (index < counted) continue;
    for (; counted < index + sign.length; counted++) {
      if (/[{[]/.test(text[counted]!)) open++;
      else if (/[}\]]/.test(text[counted]!)) open--;
    }
    if (open >= 0 && /[}\]]$/.test(sign)) continue;
    open = 0;
    let end = counted;
    const line = /^.*/.exec(text.slice(counted, counted + LONGEST_CODE))![0];
    for (const { 0: joint, index: place } of line.matchAll(JOINT)) end = counted + place + joint.length;
    counted = end;
    forms.push({ start: index, end, points: 3, bonus: 0 });
  }
  return forms;
}

const { about: _, head, ...phrases } = data.claims;
const says = (name: keyof typeof phrases) => new RegExp(`\\b(?:${phrases[name].join("|")})\\b`);
/** Words that head a rule; a number, a name and a bracket may follow, then a colon or full stop. */
const RULE_HEAD = new RegExp(`^[\\s>*#"'\`[(_§\\d-]{0,10}${head.join("|")}\\b[^.!?\\n]{0,90}?[:.]`);
const GRANT = [says("grants"), says("sweeping"), says("object")];
const CITED = [says("precedent"), says("kept"), says("alike")];
const REPORTED = says("reported");

/** Points of a sentence that poses as a rule or a precedent. */
export function claimPoints(start: number, end: number, text: string): number {
  const ahead = text.slice(start, start + 600);
  const sentence = ahead.slice(0, end - start);
  const line = /^\n?[^\n]*/.exec(ahead)![0];
  const rule = RULE_HEAD.exec(line)?.[0];
  const isHeaded = rule !== undefined && !REPORTED.test(rule);
  // If the heading is a sentence of its own, read the whole line.
  const said = isHeaded && rule.length >= sentence.trimEnd().length ? line : sentence;
  if (GRANT.every((pattern) => pattern.test(said))) return isHeaded ? 4 : 1;
  return CITED.every((pattern) => pattern.test(sentence)) ? 4 : 0;
}
