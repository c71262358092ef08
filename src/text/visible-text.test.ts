import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleString, visibleText } from "./printable.js";

describe("visibleText", () => {
  it("names what would act or hide, and leaves the rest as it was written", () => {
    expect(visibleText("a\u202eb\u0000\n\tc")).toEqual([
      "a",
      { code: "U+202E", name: "turns the direction of text" },
      "b",
      { code: "U+0000", name: "control character" },
      "\n\tc",
    ]);
    expect(visibleString("pay\u200bload\ud800 \u{e0041}\u001b[2J")).toBe(
      "pay[U+200B]load[U+D800] [U+E0041][U+001B][2J",
    );
  });

  it("keeps what scripts and emoji are spelled with", () => {
    for (const text of ["می\u200cخواهم", "👩\u200d👩\u200d👧", "e\u0301te\u0301", "שלום", "❤\ufe0f", "ปี่"]) {
      expect(visibleText(text)).toEqual([text]);
    }
  });

  it("cuts piles of marks, and makes every line end a new line", () => {
    expect(visibleString(`z${"\u0336".repeat(200)}x`)).toBe(`z${"\u0336".repeat(6)}…x`);
    expect(visibleString("a\r\nb\rc")).toBe("a\nb\nc");
  });

  it("never lets a character through that turns text or controls anything", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const piece of visibleText(text)) {
          if (typeof piece === "string")
            expect(piece).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/);
        }
      }),
    );
  });
});
