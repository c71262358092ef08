import { describe, expect, it } from "vitest";
import { Quotes } from "./quotes.js";

const TEXT = 'Selling my "old" mower <cheap> & as good as new, grüße\nCall me any time after six in the evening';
const quotes = new Quotes([TEXT, "short"]);

describe("quotations", () => {
  it("are found in any spelling, in part, and inside JSON inside JSON", () => {
    const part = "mower <cheap> & as good as new, grüße";
    const html = part.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    const ascii = JSON.stringify(part).replace("ü", "\\u00fc").replace("ß", "\\u00df");
    for (const text of [part, html, ascii, JSON.stringify(TEXT), JSON.stringify(JSON.stringify({ TEXT }))])
      expect(quotes.in(`He wrote ${text}!`), text).toBe(true);
    expect(quotes.in("after six in the evening")).toBe(true);
  });

  it("of a short text are whole values alone", () => {
    expect([quotes.in('{"a":"short"}'), quotes.in("in short, no")]).toEqual([true, false]);
  });

  it("are not what is shorter, or what others say too", () => {
    expect(quotes.in("as good as new")).toBe(false);
    const less = new Quotes(["Rule 1: posts that offer goods for sale are removed. Silly!"]);
    less.except("Posts that offer goods: posts that offer goods for sale are removed.");
    expect(less.in("posts that offer goods for sale are removed")).toBe(false);
    expect(less.in("goods for sale are removed. Silly!")).toBe(true);
    expect(quotes.in("after six in the evening", 48)).toBe(false);
  });

  it("are replaced in values, and the rest stays the same object", () => {
    const value = { id: "d1", quotes: [TEXT, "other"], n: 1, deep: { a: "b" } };
    const without = quotes.without(value, "erased");
    expect(without).toEqual({ id: "d1", quotes: ["erased", "other"], n: 1, deep: { a: "b" } });
    expect(without.deep).toBe(value.deep);
    expect(quotes.without(value.deep, "erased")).toBe(value.deep);
  });
});
