import { CUE, cuesOf, cuesOfPair, type Folded, unspacedCueAt } from "./fold.js";

/** A word of a folded text, or a cue in a script without spaces. */
export interface Token {
  word: string;
  cues: number;
  start: number;
  end: number;
  /** Between quotation marks that are closed again in the same sentence. */
  quoted: boolean;
  /** Its first letter is a capital. */
  capital: boolean;
}

/** A sentence or line: the unit that is judged. */
export interface Segment {
  start: number;
  end: number;
  tokens: Token[];
  /** It begins a line. */
  newLine: boolean;
}

/** Addresses, words, stops with what closes after them, line breaks, quotation marks, and emoji. */
const PIECE =
  /(https?:\/\/[^\s"'<>)\]]{0,2000})|([\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*)|([.!?;。！？؟।；][.!?"')\]]{0,7})|(\n)|(["'])|\p{Emoji_Presentation}/gu;
/** Lines of so few words are read on: an order may be spread over them. */
const SHORT_LINE = 3;
/** What may begin an attempt in the middle of a line, without a stop before it. */
const OPENERS = CUE.override | CUE.skip | CUE.follow | CUE.say | CUE.rules | CUE.address | CUE.role | CUE.you;
const CALLED = CUE.auditor | CUE.machine;
const UNSPACED_FROM = "\u3040";

/** Cuts a folded text into segments, at the ends of sentences and lines and at the places in `borders`. */
export function segmentsOf({ text, at }: Folded, original: string, borders: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  let current: Segment = { start: 0, end: 0, tokens: [], newLine: true };
  let openQuote = -1;
  let border = 0;
  const isBorder = new Set(borders);
  /** How far the current segment was looked through for more than space and lines, in vain. */
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
