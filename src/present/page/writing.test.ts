import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText } from "./writing.js";

describe("a text cut short", () => {
  it("is the beginning of the whole, no longer than asked for, and never ends inside a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 12 }), fc.nat(20), (text, most) => {
        const cut = cutText(text, most);
        const shortest = Math.min(most - 1, text.length);
        return text.startsWith(cut) && cut.length <= most && cut.length >= shortest && cut.isWellFormed();
      }),
    );
  });

  it("leaves a pair of surrogates out as a whole", () => {
    expect(cutText("ab😀", 3)).toBe("ab");
    expect(cutText("ab😀", 4)).toBe("ab😀");
    expect(cutText("😀", 0)).toBe("");
  });
});
