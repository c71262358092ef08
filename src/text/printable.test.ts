import { describe, expect, it } from "vitest";
import { standIn } from "../present/words/vocabulary.js";
import { displayWidth } from "./printable.js";

describe("displayWidth", () => {
  it("counts two columns for wide letters and emoji, none for marks, one for all others", () => {
    const widths = ["abc ~", "é", "e\u0301", "−–…", "広告", "ｶ", "Ａ", "￥", "🙂", "✅", "🀄", "🈁", "\ufe8d"];
    expect(widths.map(displayWidth)).toEqual([5, 1, 1, 3, 4, 1, 2, 2, 2, 2, 2, 2, 1]);
    expect(displayWidth("\u{1f1e9}\u{1f1ea}")).toBe(2);
    expect(displayWidth("")).toBe(0);
  });

  it("is that of a text's stand-in", () => {
    for (const text of ["広告 ok", "ﻙﻝ", "🀄🙂 ✅", "Ａ￥"])
      expect(displayWidth(standIn(text)), text).toBe(displayWidth(text));
  });
});
