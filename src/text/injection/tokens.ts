import { CUE } from "./cues.js";
import type { Folded } from "./fold.js";
import { DOUBLE_QUOTE, EMOJI, kindOf, NEW_LINE, QUOTE, STOP, WORD } from "./hidden.js";
import { cuesOf, cuesOfPair, unspacedCueAt } from "./lexicon.js";

/** A word of a folded text, or a cue in a script without spaces. */
export interface Token {
  word: string;
  cues: number;
  start: number;
  end: number;
  /** Between quotation marks that are closed again in the same line. */
  quoted: boolean;
  /** Its first letter is a capital. */
  capital: boolean;
  /** It was not written as it is read. */
  disguised: boolean;
}

/** A sentence or line: the unit that is judged. */
export interface Segment {
  start: number;
  end: number;
  tokens: Token[];
  /** It begins a line. */
  newLine: boolean;
}

/** Cuts a folded text into segments, at the ends of sentences and lines and at the places in `borders`. */
export function segmentsOf(folded: Folded, original: string, borders: readonly number[]): Segment[] {
  return new Segmenter(folded, original, borders).cut();
}

const RULES_AND_SPACE = /[\s.`=~*_#<>|-]/;
/** Lines of so few words are read on: an order may be spread over them. */
const SHORT_LINE = 3;
/** What may begin an attempt in the middle of a line, without a stop before it. */
const OPENERS = CUE.override | CUE.skip | CUE.follow | CUE.say | CUE.rules | CUE.address | CUE.role | CUE.you;
/** The same, if a comma or colon follows: "Auditor, …". */
const CALLED = CUE.auditor | CUE.machine;
const MIXED_CASE = /\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}/u;
/** Latin words before another script that make it a new sentence. */
const LATIN_WORDS = 3;
/** Words of a sentence before a new one can begin without a stop. */
const LEAST_BEFORE = 2;
const APOSTROPHE = 39;
const UNSPACED_FROM = 0x3040;

class Segmenter {
  private readonly segments: Segment[] = [];
  private current: Segment = { start: 0, end: 0, tokens: [], newLine: true };
  private nextBorder = 0;
  private openQuote = -1;
  /** Something other than a word that a person may have meant: an emoji, an emoticon, question marks. */
  private hasPicture = false;
  private nextDisguise = 0;
  private readonly text: string;
  private readonly disguised: readonly number[];

  constructor(
    private readonly folded: Folded,
    private readonly original: string,
    private readonly borders: readonly number[],
  ) {
    this.text = folded.text;
    this.disguised = folded.disguised.length > 1 ? [...folded.disguised].sort((a, b) => a - b) : folded.disguised;
  }

  cut(): Segment[] {
    const { text } = this;
    for (let at = 0; at < text.length; ) {
      const kind = kindOf(text.charCodeAt(at));
      if (kind !== 0) this.passBorders(at);
      if (kind === WORD) at = this.readWord(at);
      else {
        this.hasPicture ||= kind === EMOJI || !RULES_AND_SPACE.test(text[at]!);
        if (kind === QUOTE || kind === DOUBLE_QUOTE) this.readQuote(at, kind === DOUBLE_QUOTE);
        else if (kind === NEW_LINE) this.readNewLine(at);
        else if (kind === EMOJI) this.readEmoji(at + 1);
        else if (kind === STOP && this.endsSentence(at)) this.close(this.endOfStop(at), false);
        at++;
      }
    }
    this.passBorders(text.length);
    this.cutAt(text.length, false);
    return this.segments;
  }

  private passBorders(at: number): void {
    for (; this.nextBorder < this.borders.length && this.borders[this.nextBorder]! <= at; this.nextBorder++) {
      if (this.borders[this.nextBorder]! > this.current.start) this.cutAt(this.borders[this.nextBorder]!, false);
    }
  }

  /** Ends a segment, unless it has no word yet and says nothing either: rules, dots and space go with what follows. */
  private close(end: number, newLine: boolean): void {
    if (this.current.tokens.length > 0 || (newLine && this.hasPicture)) this.cutAt(end, newLine);
    else if (newLine) this.current.newLine = true;
  }

  private cutAt(end: number, newLine: boolean): void {
    const { current } = this;
    current.end = end;
    const isEmpty = current.tokens.length === 0 && !/\S/.test(this.text.slice(current.start, end));
    if (!isEmpty) this.segments.push(current);
    this.current = { start: end, end, tokens: [], newLine: newLine || (isEmpty && current.newLine) };
    this.openQuote = -1;
    this.hasPicture = false;
  }

  private readNewLine(at: number): void {
    const { tokens, start } = this.current;
    const isBlank = /\n[^\S\n]*$/.test(this.text.slice(Math.max(start, at - 80), at));
    if (isBlank || tokens.length > SHORT_LINE || tokens.length === 0) this.close(at + 1, true);
  }

  /** A picture before a capital ends a sentence as well as a stop. */
  private readEmoji(end: number): void {
    let next = end;
    while (next < this.text.length && next < end + 8 && kindOf(this.text.charCodeAt(next)) !== WORD) next++;
    if (next < end + 8 && this.isCapital(next)) this.close(end, false);
  }

  /** A stop between letters or digits ("1.5", "a.s.a.p") ends nothing. */
  private endsSentence(at: number): boolean {
    if (at + 1 >= this.text.length || this.text.charCodeAt(at) > 0xff) return true;
    const next = this.text.charCodeAt(at + 1);
    return kindOf(next) !== WORD && next !== 95;
  }

  /** Further stops, closing quotation marks and brackets belong to the sentence. */
  private endOfStop(at: number): number {
    let end = at + 1;
    while (end < this.text.length && end - at < 8 && /[.!?"')\]]/.test(this.text[end]!)) end++;
    return end;
  }

  /** Reads the word that begins at a place and returns where it ends. */
  private readWord(start: number): number {
    const { text } = this;
    let end = start + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (kindOf(code) === WORD) continue;
      if (code !== APOSTROPHE || end + 1 >= text.length || kindOf(text.charCodeAt(end + 1)) !== WORD) break;
    }
    const word = text.slice(start, end);
    if ((word === "http" || word === "https") && text.startsWith("://", end)) return this.readAddress(end);
    const isLatin = text.charCodeAt(start) < 0x250;
    if (!isLatin && this.endsLatin()) this.close(start, false);
    if (word.charCodeAt(0) >= UNSPACED_FROM) this.addUnspaced(word, start);
    else this.addWord(word, start);
    return end;
  }

  /** The words of an address are nobody's, and a sentence ends with it. */
  private readAddress(from: number): number {
    let end = from;
    while (end < this.text.length && end - from < 2000 && !/[\s"'<>)\]]/.test(this.text[end]!)) end++;
    this.cutAt(end, false);
    return end;
  }

  private addUnspaced(word: string, start: number): void {
    for (let k = 0; k < word.length; ) {
      const found = unspacedCueAt(word, k);
      const length = found?.length ?? 1;
      if (found) this.addToken(word.slice(k, k + length), found.cues, start + k, false, false);
      k += length;
    }
  }

  private addWord(word: string, start: number): void {
    const { folded, original } = this;
    const from = folded.at[start]!;
    const to = folded.at[start + word.length]!;
    const cues = cuesOf(word);
    const disguised = this.isDisguised(from, to) || (cues !== 0 && MIXED_CASE.test(original.slice(from, to)));
    const capital = this.isCapital(start);
    if (this.beginsAnew(word, start, cues, capital, disguised)) this.close(start, false);
    const before = this.current.tokens.at(-1);
    if (before) before.cues |= cuesOfPair(before.word, word);
    this.addToken(word, cues, start, capital, disguised);
  }

  private addToken(word: string, cues: number, start: number, capital: boolean, disguised: boolean): void {
    this.current.tokens.push({ word, cues, start, end: start + word.length, quoted: false, capital, disguised });
  }

  private isCapital(at: number): boolean {
    const code = this.original.codePointAt(this.folded.at[at]!) ?? 32;
    return code < 128 ? code >= 65 && code <= 90 : /\p{Lu}/u.test(String.fromCodePoint(code));
  }

  /** Some Latin words came last. */
  private endsLatin(): boolean {
    const last = this.current.tokens.slice(-LATIN_WORDS);
    return last.length === LATIN_WORDS && last.every(({ word }) => word.charCodeAt(0) < 0x250);
  }

  private isDisguised(from: number, to: number): boolean {
    const { disguised } = this;
    while (this.nextDisguise < disguised.length && disguised[this.nextDisguise]! < from) this.nextDisguise++;
    return this.nextDisguise < disguised.length && disguised[this.nextDisguise]! < to;
  }

  /** A capital that opens an order, or the first disguised word, begins a sentence even where no stop is. */
  private beginsAnew(word: string, start: number, cues: number, capital: boolean, disguised: boolean): boolean {
    const { tokens } = this.current;
    const last = tokens.at(-1);
    if (last === undefined || tokens.length < LEAST_BEFORE) return false;
    if (disguised && tokens.slice(-3).every((token) => !token.disguised)) return true;
    if (!capital || (cues === 0 && word !== "stop")) return false;
    if (last.capital && tokens.at(-2)?.capital !== false) return false;
    const opens =
      (cues & OPENERS) !== 0 || word === "stop" || ((cues & CALLED) !== 0 && this.isCalled(start + word.length));
    return opens && /^\s+$/.test(this.text.slice(last.end, start));
  }

  private isCalled(end: number): boolean {
    const next = this.text[end];
    if (next !== "," && next !== ":") return false;
    return !this.current.tokens.slice(-5).some(({ cues, word }) => (cues & CUE.address) !== 0 || word === "the");
  }

  /** Notes where a quotation opens; marks its words when it closes. */
  private readQuote(at: number, isDouble: boolean): void {
    const { tokens } = this.current;
    const opens = !/[\p{L}\p{N}.,!?]/u.test(this.text[at - 1] ?? " ");
    if (this.openQuote < 0) this.openQuote = opens || isDouble ? tokens.length : -1;
    else if (!opens || isDouble) {
      for (let k = this.openQuote; k < tokens.length; k++) tokens[k]!.quoted = true;
      this.openQuote = -1;
    }
  }
}
