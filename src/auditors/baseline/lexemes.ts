import { traitsOf } from "./word-traits.js";

/**
 * Numbers for the words met in content, the same for every frame: a word is spelled out once, then known by its number, with the traits that
 * the checks ask for. A table of our own, since it is asked for every word of every text before a string of it exists.
 *
 * Emptied when full, so that odd input cannot grow it without end; `generation` then changes, and numbers kept elsewhere are void. Never
 * within a text: {@link makeRoom} is called between texts.
 */
class Lexemes {
  generation = 0;
  private count = 0;
  private readonly texts: string[] = [];
  private readonly traits = new Int32Array(MOST_WORDS);
  /** Where the letters of a word begin in {@link letters}; those of the next word follow. */
  private readonly starts = new Int32Array(MOST_WORDS + 1);
  private readonly letters = new Uint16Array(MOST_LETTERS);
  /** Pairs of a hash and a number + 1, which is 0 in an empty slot. Kept small: it is read at random. */
  private slots = new Int32Array(2 * FIRST_SLOTS);

  makeRoom(): void {
    const { count, starts } = this;
    if (count <= MOST_WORDS - WORDS_OF_A_TEXT && starts[count]! <= MOST_LETTERS - LETTERS_OF_A_TEXT) return;
    this.generation++;
    this.count = 0;
    this.texts.length = 0;
    this.slots.fill(0);
  }

  /** The number of a word given by its first `length` letters and their {@link hashLetter}. */
  numberOf(word: Uint16Array, length: number, hash: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = firstSlot(hash) & mask;
    for (let held = slots[slot + 1]!; held !== 0; held = slots[slot + 1]!) {
      if (slots[slot] === hash && this.isSpelled(held - 1, word, length)) return held - 1;
      slot = (slot + 2) & mask;
    }
    slots[slot] = hash;
    slots[slot + 1] = this.count + 1;
    const lexeme = this.add(word, length);
    if (this.count * 4 > slots.length) this.widen();
    return lexeme;
  }

  text(lexeme: number): string {
    return this.texts[lexeme]!;
  }

  traitsOf(lexeme: number): number {
    return this.traits[lexeme]!;
  }

  private isSpelled(lexeme: number, word: Uint16Array, length: number): boolean {
    const { letters, starts } = this;
    const start = starts[lexeme]!;
    if (starts[lexeme + 1]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (letters[start + i] !== word[i]) return false;
    return true;
  }

  private widen(): void {
    const wider = new Int32Array(2 * this.slots.length);
    const mask = wider.length - 1;
    for (let i = 0; i < this.slots.length; i += 2) {
      if (this.slots[i + 1] === 0) continue;
      let slot = firstSlot(this.slots[i]!) & mask;
      while (wider[slot + 1] !== 0) slot = (slot + 2) & mask;
      wider[slot] = this.slots[i]!;
      wider[slot + 1] = this.slots[i + 1]!;
    }
    this.slots = wider;
  }

  private add(word: Uint16Array, length: number): number {
    const lexeme = this.count++;
    const start = this.starts[lexeme]!;
    let text = "";
    for (let i = 0; i < length; i++) {
      this.letters[start + i] = word[i]!;
      text += String.fromCharCode(word[i]!);
    }
    this.starts[lexeme + 1] = start + length;
    this.texts[lexeme] = text;
    this.traits[lexeme] = traitsOf(text);
    return lexeme;
  }
}

const MOST_WORDS = 1 << 16;
const FIRST_SLOTS = 1 << 12;
const MOST_LETTERS = 1 << 20;
/** What one text can add at most; letters may double when they lose their case. */
const WORDS_OF_A_TEXT = 1 << 13;
export const LETTERS_OF_A_TEXT = 1 << 15;

/** The hash of a word so far, and of nothing at all. */
export const EMPTY_HASH = 0x2f0b4f27;
export function hashLetter(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x01000193);
}

function firstSlot(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}

export const lexemes = new Lexemes();
