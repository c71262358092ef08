import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameText } from "./vocabulary.js";

describe("nameText", () => {
  it("shows names apart that differ in what cannot be seen", () => {
    const names = [
      "",
      "\u200b",
      "\u00ad",
      "\u200d",
      "\u2060",
      "\u034f",
      "\ufe0f",
      "\u061c",
      "\u115f",
      "\u{e0041}",
      "\ud800",
    ];
    const shown = names.map((hidden) => nameText(`film${hidden}club`));
    expect(new Set(shown).size).toBe(names.length);
    expect(shown.slice(0, 2)).toEqual(["filmclub", "film[U+200B]club"]);
    expect(nameText("film ")).not.toBe(nameText("film"));
  });

  it("is never empty unless the name is", () => {
    expect(nameText("\u200b\u202e\u00ad")).toBe("[U+200B][U+202E][U+00AD]");
    expect(nameText("  ")).toBe("[U+0020][U+0020]");
    expect(nameText("\n")).toBe("[U+0020]");
    expect(nameText("\u3000")).toBe("[U+3000]");
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
        expect(nameText(name).trim()).not.toBe("");
      }),
    );
  });

  it("is as long as it may be, and whole where it fits", () => {
    expect(nameText("Größe 日本語 مرحبا 🙂")).toBe("Größe 日本語 مرحبا 🙂");
    expect(nameText("C".repeat(200_000), 60)).toBe(`${"C".repeat(59)}…`);
    expect(nameText(`${"x".repeat(54)}\u200b and more`, 60)).toBe(`${"x".repeat(54)}…`);
    expect(nameText("🙂".repeat(50), 10)).toBe("🙂🙂🙂🙂…");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 10, max: 30 }), (name, most) => {
        expect(nameText(name, most).length).toBeLessThanOrEqual(most);
        expect(nameText(name, most).isWellFormed()).toBe(true);
      }),
    );
  });

  it("is cut after a word where one ends near", () => {
    expect(nameText("Keep it about gardening / Hablemos de jardín", 40)).toBe("Keep it about gardening / Hablemos de…");
    expect(nameText("One averylongwordthatdoesnotendanywhere near", 30)).toBe("One averylongwordthatdoesnote…");
  });

  it("has no pile of marks, whatever stands between them", () => {
    const marks = (text: string) => text.match(/\p{M}/gu)?.length ?? 0;
    expect(marks(nameText(`b${"\u0301".repeat(400)}`))).toBe(6);
    expect(marks(nameText(`b${`${"\u0301".repeat(6)}\u200d`.repeat(60)}`))).toBe(6);
  });
});
