import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stem } from "../../grounding/stem.js";
import { createRng } from "../../stats/create-rng.js";
import { draw } from "./draw.js";
import { harmless, jsonText } from "./harmless.js";
import { pieces } from "./pieces.js";
import { NEGATED, QUOTED, scanWords, wordAt } from "./scan-words.js";

describe("pieces", () => {
  it("are words with the space before them, signs and escapes", () => {
    expect(pieces('community rule R3 \\"No links\\": a')).toEqual([
      "community",
      " rule",
      " R3",
      ' \\"',
      "No",
      " links",
      '\\"',
      ":",
      " a",
    ]);
  });
  it("always spell the text, and never cut a surrogate pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const json = jsonText(text);
        expect(pieces(json).join("")).toBe(json);
        for (const piece of pieces(json)) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("harmless", () => {
  it("leaves nothing that ends a JSON string, breaks a line or turns it around", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const safe = harmless(text, 200);
        expect(JSON.parse(`"${safe}"`)).toBe(safe);
        expect(safe).not.toMatch(/["\\{}\u0000-\u001f\u202a-\u202e\u2066-\u2069]/);
        expect(safe.isWellFormed()).toBe(true);
      }),
    );
  });
  it("leaves ordinary text as it is", () => expect(harmless("Año nuevo: café, 3 €!")).toBe("Año nuevo: café, 3 €!"));
  it("shortens", () => expect(harmless("x".repeat(100), 10)).toBe(`${"x".repeat(7)}...`));
});

describe("scanWords", () => {
  const scan = (text: string, bodyStart = 0) => scanWords(text, bodyStart);
  const list = <T>({ count }: { count: number }, at: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => at(i));
  it("keeps apostrophes, hyphens and initials inside words", () => {
    const { words } = scan("Don’t e-mail me a.s.a.p. It's fine");
    const expected = ["don't", "e-mail", "me", "asap", "it's", "fine"];
    expect(list(words, (i) => wordAt(words, i))).toEqual(expected);
  });
  it("marks what is negated and what is quoted", () => {
    const { words } = scan('No link here, but "a shop" there');
    expect(list(words, (i) => words.flags[i])).toEqual([0, NEGATED, NEGATED, 0, QUOTED, QUOTED, 0]);
  });
  it("counts title and body apart", () => {
    const { titleZone, bodyZone } = scan("WHY DOES IT CRACK?\n- one\n- two\n3. three 🔥🔥", 19);
    expect(titleZone).toMatchObject({ words: 4, capitalsRun: 4, questionMarks: 1, sentences: 1 });
    expect(bodyZone).toMatchObject({ words: 4, listItems: 3, emoji: 2, questionMarks: 0 });
  });
  it("does not take a wished-for level for a number", () => {
    expect(scan("answer level 1").hasNumbers).toBe(false);
    expect(scan("cone 6").hasNumbers).toBe(true);
  });
});

describe("stem", () => {
  const families = [
    ["sell", "sells", "selling"],
    ["swap", "swaps", "swapped", "swapping"],
    ["vendo", "vende", "vender", "vendiendo"],
    ["recipe", "recipes"],
    ["city", "cities"],
    ["invasión", "invasion"],
  ];
  for (const [first, ...rest] of families) {
    it(`brings ${rest.join(", ")} to ${first}`, () => {
      for (const word of rest) expect(stem(word)).toBe(stem(first!));
    });
  }
  it("keeps apart what is apart", () => expect(stem("offer")).not.toBe(stem("off")));
});

describe("draw", () => {
  it("takes the likeliest at T = 0 and without a generator", () => {
    expect(draw([0.2, 0.5, 0.3], 0, createRng("x"))).toBe(1);
    expect(draw([0.2, 0.5, 0.3], 1, null)).toBe(1);
  });
  it("draws with p^(1/T)", () => {
    const rng = createRng("draw");
    const counts = [0, 0];
    for (let i = 0; i < 20_000; i++) counts[draw([0.6, 0.4], 0.5, rng)]!++;
    // 0.6² / (0.6² + 0.4²) = 0.36 / 0.52 = 0.692
    expect(counts[0]! / 20_000).toBeCloseTo(0.692, 1);
  });
  it("does not underflow at a low temperature", () => expect(draw([1e-6, 2e-6], 0.001, createRng("y"))).toBe(1));
});
