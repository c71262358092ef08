import { describe, expect, it } from "vitest";
import { Quotes } from "./quotes.js";

const TEXT = 'Selling my "old" mower <cheap> & as good as new, grüße\nCall me any time after six in the evening';
const quotesOf = (own: string[], around: string[] = []) => {
  const made = new Quotes();
  made.add("d1", { own, around });
  return made;
};
const quotes = quotesOf([TEXT, "short of cash"]);

describe("quotations", () => {
  it("are found in any spelling, in part, and inside JSON inside JSON", () => {
    const part = "mower <cheap> & as good as new, grüße";
    const html = TEXT.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replaceAll('"', "&#34;");
    const csv = `"${TEXT.replaceAll('"', '""')}"`;
    const ascii = JSON.stringify(part).replace("ü", "\\u00fc").replace("ß", "\\u00df");
    for (const text of [part, html, csv, ascii, JSON.stringify(TEXT), JSON.stringify(JSON.stringify({ TEXT }))])
      expect(quotes.in(`He wrote ${text}!`), text).toBe(true);
    expect(quotes.in("after six in the evening")).toBe(true);
  });

  it("of a short text are whole values alone", () => {
    expect([quotes.in('{"a":"short of cash"}'), quotes.in("I am short of cash")]).toEqual([true, false]);
  });

  it("of a text of short lines are found, because line breaks are spelled in many ways", () => {
    const lines = quotesOf(["SECRETA lives here\nHauptstr. 5\n0171-2345678\nin town"]);
    for (const text of ["SECRETA lives here\\nHauptstr. 5\\n0171-2345678", "> SECRETA lives here\r\n> Hauptstr. 5"])
      expect(lines.in(text), text).toBe(true);
  });

  it("of a word are found in a record of the decision alone", () => {
    const word = quotesOf(["No"]);
    expect(word.in('{"inverse_check":"No"}')).toBe(false);
    expect([word.isRecord({ id: "d1", content: "No" }), word.isRecord({ id: "d2", content: "No" })]).toEqual([
      true,
      false,
    ]);
    expect(word.isRecord({ decision_id: "d1", level: 1 })).toBe(false);
    const documents = [{ decision_id: "d1", quote: "No" }, { inverse_check: "No" }];
    expect(word.without(documents, "erased")).toEqual([{ decision_id: "d1", quote: "erased" }, documents[1]]);
  });

  it("of what was written about a decision are longer, and are not stock phrases", () => {
    const note = "A dead animal is described in detail and the title does not say so, as rule six asks for";
    const notes = quotesOf([], [note]);
    expect(notes.in("The dead animal is described in detail here")).toBe(false);
    expect(notes.in(`He says: ${note.slice(2, 60)}`)).toBe(true);
    notes.except(`Another one: ${note}`, "around");
    expect(notes.in(note)).toBe(false);
  });

  it("of an author stay quotations where others quote them, and not where others wrote the same", () => {
    const text = "Call me any time after six in the evening, or come to the old mill by the river";
    const own = quotesOf([text]);
    own.except(text, "around");
    expect(own.quotedBy({ id: "d2", content: { body: "Agreed", context: [text] } })).toBe(true);
    expect(own.quotedBy({ id: "d2", content: "Call me any time after six" })).toBe(false);
    own.except(text);
    expect(own.quotedBy({ id: "d2", content: text })).toBe(false);
    expect(own.isRecord({ id: "d1", content: text })).toBe(true);
  });

  it("of an author stay quotations where a reply has the whole text, and the reply stays", () => {
    const text = "Call me any time after six in the evening, or come to the old mill by the river";
    const reply = `> ${text}\nI disagree`;
    const own = quotesOf([text]);
    own.exceptAuthor(reply);
    expect(own.in(`He said: ${text}`, "long")).toBe(true);
    const other = { id: "d2", content: reply, rationale: `A reply to: ${text}` };
    expect(own.without(other, "erased", "long")).toEqual({ ...other, rationale: "erased" });
    expect([own.leftIn(other), own.quotedBy({ content: reply })]).toEqual([true, true]);
    own.except(text);
    expect(own.leftIn(other)).toBe(false);
    const part = quotesOf([text]);
    part.exceptAuthor(`I like ${text.slice(44)}`);
    expect([part.in(text.slice(44)), part.in(text, "long")]).toEqual([false, true]);
  });

  it("of a part that one or two other authors have too stay, and their places are known", () => {
    const text = "Call me any time after six in the evening, or come to the old mill by the river";
    const part = text.slice(0, 52);
    const quotes = quotesOf([text], [`He wrote about ${"the mill by the river and its old owner"}`]);
    for (const one of ["I agree", "No"]) {
      // The same text again counts once.
      for (const again of ["", ""]) quotes.exceptAuthor(`${one}: ${part}, ${part}${again}`);
      expect(quotes.in(`He said: ${part}`, "long")).toBe(false);
      expect(quotes.leftIn({ content: { body: `${one}: ${part}` }, rationale: null })).toBe(true);
    }
    expect(quotes.leftIn({ content: "the mill by the river and its old owner" })).toBe(false);
    quotes.exceptAuthor(`A third: ${part}`);
    expect(quotes.leftIn({ content: `No: ${part}` })).toBe(false);
    expect(quotes.isRecord({ id: "d1", content: part })).toBe(true);
  });

  it("name a decision by its id as a whole value alone", () => {
    const named = (id: string, text: string) => {
      const made = new Quotes();
      made.add(id, { own: ["No"], around: [] });
      return made.namedIn(text);
    };
    for (const text of [
      '{"id":"5"}',
      '{"id": 5}',
      '"{\\"id\\":\\"5\\"}"',
      "id,level\n5,1\n",
      "<h1>5</h1>",
      '["4","5"]',
    ])
      expect(named("5", text), text).toBe(true);
    for (const text of [
      '{"p":0.5,"n":5}',
      '{"text":"at most 5 posts"}',
      '{"5":1}',
      '{"at":"2026-05-05"}',
      "<p>5 of 7</p>",
    ])
      expect(named("5", text), text).toBe(false);
    expect([named("2026", '"2026-06-02"'), named("rule", '{"rule":"R1"}'), named("rule", '"a rule of"')]).toEqual([
      ...[false, false, false],
    ]);
    for (const id of ["t3_ab-1", "a, b", 'say "x"', "(1)", "größe"])
      for (const text of [JSON.stringify({ id }), `id\n"${id.replaceAll('"', '""')}"\n`, `<td>${id}</td>`])
        expect(named(id, text), text).toBe(true);
  });

  it("are not what is shorter, or what others say too", () => {
    expect(quotes.in("as good as new")).toBe(false);
    const less = quotesOf(["Rule 1: posts that offer goods for sale are removed. Silly!"]);
    less.except("Posts that offer goods: posts that offer goods for sale are removed.");
    expect(less.in("posts that offer goods for sale are removed")).toBe(false);
    expect(less.in("goods for sale are removed. Silly!")).toBe(true);
    expect(quotes.in("after six in the evening", "long")).toBe(false);
  });

  it("are replaced in values, and the rest stays the same object", () => {
    const value = { id: "d2", quotes: [TEXT, "other"], n: 1, deep: { a: "b" } };
    const without = quotes.without(value, "erased");
    expect(without).toEqual({ id: "d2", quotes: ["erased", "other"], n: 1, deep: { a: "b" } });
    expect(without.deep).toBe(value.deep);
    expect(quotes.without(value.deep, "erased")).toBe(value.deep);
  });
});
