import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_HASH, hashLetter, lexemes } from "./lexemes.js";
import { scanWords, wordAt } from "./scan-words.js";
import { saying } from "./word-traits.js";

function numberOf(word: string): number {
  const letters = Uint16Array.from(word, (letter) => letter.charCodeAt(0));
  return lexemes.numberOf(letters, word.length, letters.reduce(hashLetter, EMPTY_HASH));
}

describe("lexemes", () => {
  it("give the same word the same number and different words different ones", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z'-]{1,12}$/), { maxLength: 200 }), (words) => {
        const numbers = words.map(numberOf);
        expect(new Set(numbers).size).toBe(words.length);
        expect(words.map(numberOf)).toEqual(numbers);
        expect(numbers.map((number) => lexemes.text(number))).toEqual(words);
      }),
    );
  });

  it("start anew when they are full, between texts", () => {
    const before = lexemes.generation;
    for (let text = 0; text < 80; text++) {
      const written = Array.from({ length: 1000 }, (_, i) => (text * 1000 + i).toString(36));
      const { words } = scanWords(written.join(" "), 0);
      expect(Array.from(written, (_, i) => wordAt(words, i))).toEqual(written);
    }
    expect(lexemes.generation).toBeGreaterThan(before);
  });
});

describe("saying", () => {
  const BROKEN = saying(/\b(?:broken|torn)\b/iu, /\b(?:is|was) (?:broken|torn)\b/iu);
  const parts = ["is", "was", "broken", "torn", "BROKEN", "bro\u212aen", " ", "\n", ".", "-", "_", "'", "x", "a.", "é"];
  it("finds what its pattern finds", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const { words } = scanWords(text, 0);
        expect(BROKEN.find({ text, words })).toBe(/\b(?:is|was) (?:broken|torn)\b/iu.exec(text)?.[0] ?? null);
      }),
      { numRuns: 1000 },
    );
  });
});
