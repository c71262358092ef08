import { describe, expect, it } from "vitest";
import { sentenceRanges, splitClauses } from "./split-clauses.js";

const texts = (text: string) => splitClauses(text).map((clause) => clause.text);

describe("splitClauses", () => {
  it("cuts at line ends, sentences and semicolons", () => {
    expect(texts("No links\nDo not post links. Pictures are fine; videos too.")).toEqual([
      "No links",
      "Do not post links",
      "Pictures are fine",
      "videos too",
    ]);
  });

  it("cuts between two language versions", () => {
    expect(texts("No sales / Sin ventas\nNo selling. // No se vende.")).toEqual([
      "No sales / Sin ventas",
      "No selling",
      "No se vende",
    ]);
  });

  it("does not cut inside quotation marks or brackets", () => {
    expect(texts('"Any keys? Send me one." is begging (see R3. It covers swaps; too).')).toHaveLength(1);
  });

  it("does not cut after initials and abbreviations", () => {
    expect(texts("Ask Mr. Oduya or J. Smith first. Then post.")).toEqual([
      "Ask Mr. Oduya or J. Smith first",
      "Then post",
    ]);
  });

  it("cuts after a possessive at the end of a sentence", () => {
    expect(texts("Even when it is the author's. Allowed: gifts.")).toHaveLength(2);
  });

  it("carries a heading through the semicolons of its sentence and no further", () => {
    expect(splitClauses("Allowed: gifts; swaps. Sales are removed.").map(({ lead }) => lead)).toEqual([
      "allowed",
      "allowed",
      null,
    ]);
  });

  it("finds nothing in nothing", () => expect(splitClauses(" \n ... \n")).toEqual([]));
});

describe("sentenceRanges", () => {
  const sentences = (text: string) => sentenceRanges(text).map(([start, end]) => text.slice(start, end));

  it("are the sentences as they are written, without the marks of lists", () => {
    expect(
      sentences('Name a price. "Offer me" and "PM. Now." are none.\n- No (e.g. Free.) gifts\n\n禁止。可。'),
    ).toEqual(["Name a price.", '"Offer me" and "PM. Now." are none.', "No (e.g. Free.) gifts", "禁止。", "可。"]);
    expect(sentences(" \n- \n")).toEqual([]);
  });
});
