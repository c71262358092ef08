import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { stem } from "../../text/words.js";
import { harmless, jsonText, pieces } from "./citations.js";
import { draw } from "./write-trace.js";

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
    expect(draw([0.2, 0.5, 0.3], 0, createRng("x").next())).toBe(1);
    expect(draw([0.2, 0.5, 0.3], 1, null)).toBe(1);
  });
  it("draws with p^(1/T)", () => {
    const rng = createRng("draw");
    const counts = [0, 0];
    for (let i = 0; i < 20_000; i++) counts[draw([0.6, 0.4], 0.5, rng.next())]!++;
    // 0.6² / (0.6² + 0.4²) = 0.36 / 0.52 = 0.692
    expect(counts[0]! / 20_000).toBeCloseTo(0.692, 1);
  });
  it("does not underflow at a low temperature", () => expect(draw([1e-6, 2e-6], 0.001, createRng("y").next())).toBe(1));
});
