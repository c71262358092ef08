import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenise } from "../../text/words.js";
import { citedPassages, type TextRange } from "./cited-passages.js";
import { frameOf, POTTERY } from "./frame.suite.js";
import { groundCitation } from "./ground-citation.js";
import { locateTokens } from "./located-tokens.js";

const SHOPS = ["No links to shops", "Links to a shop, your own or another, are removed except on Fridays."];
const cut = (text: string, ranges: readonly TextRange[]) => ranges.map(([start, end]) => text.slice(start, end));

describe("citedPassages", () => {
  it("finds a quotation word for word, with the punctuation between its words", () => {
    const { passages, words, citation } = citedPassages("R3: links to a SHOP your own", SHOPS, POTTERY);
    expect(cut(SHOPS[1]!, passages[1]!)).toEqual(["Links to a shop, your own"]);
    // "links" stands in the title too; "to" is a word that any text has.
    expect(cut(SHOPS[0]!, words[0]!)).toEqual(["links"]);
    expect(citation.nowhere).toEqual([]);
    expect(cut("R3: links to a SHOP your own", citation.name)).toEqual(["R3"]);
  });

  it("says which words of the citation stand nowhere", () => {
    const text = "R3: links to a shop please the king";
    const { citation, passages } = citedPassages(text, SHOPS, POTTERY);
    expect(cut(SHOPS[1]!, passages[1]!)).toEqual(["Links to a shop"]);
    expect(cut(text, citation.nowhere)).toEqual(["please", "the", "king"]);
  });

  it("takes the longest passage first, and no passage of words that any text has", () => {
    const rule = ["On Fridays one may link. Links to a shop are removed except on Fridays in the title."];
    const { passages } = citedPassages("removed except on Fridays; it is in the title, on Fridays one", rule, POTTERY);
    expect(cut(rule[0]!, passages[0]!)).toEqual(["On Fridays one", "removed except on Fridays"]);
  });

  it("does not take the denial before a name for cited words", () => {
    const text = 'No rule prohibits this; nearest: R3 "No links to shops"';
    const { citation, passages } = citedPassages(text, SHOPS, POTTERY);
    expect(cut(SHOPS[0]!, passages[0]!)).toEqual(["No links to shops"]);
    expect(citation.nowhere).toEqual([]);
    expect(cut(text, citation.name).join(" ")).toBe("No rule prohibits this nearest R3");
  });

  it("counts what `overlap` counts, for every citation of one rule by its id", () => {
    const words = tokenise(`${SHOPS.join(" ")} king elephant purple the of Frïdays ﬁre`);
    const citations = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(citations, (list) => {
        const text = `R3: ${list.join(" ")}`;
        const { overlap } = groundCitation(text, POTTERY);
        const missing = new Set(tokenise(cut(text, citedPassages(text, SHOPS, POTTERY).citation.nowhere).join(" ")));
        const cited = new Set(tokenise(list.join(" ")));
        expect(1 - missing.size / cited.size).toBeCloseTo(overlap!, 12);
      }),
    );
  });

  it("marks the original text where folding changes its length, and in scripts without spaces", () => {
    const rule = ["Ａｌｌ ﬁrearms İSTANBUL e\u0301te\u0301 are banned", "広告宣伝は禁止です"];
    const frame = frameOf([["community", "R9", rule[0]!, rule[1]!]]);
    const found = citedPassages("all firearms i̇stanbul été 宣伝は禁", rule, frame);
    expect(cut(rule[0]!, found.passages[0]!)).toEqual(["Ａｌｌ ﬁrearms İSTANBUL e\u0301te\u0301"]);
    expect(cut(rule[1]!, found.passages[1]!)).toEqual(["宣伝は禁"]);
    expect(found.citation.nowhere).toEqual([]);
  });

  it("finds itself when everything is the same word", () => {
    const flood = "spam ".repeat(3000);
    const { passages, citation } = citedPassages(flood, [flood], POTTERY);
    expect(citation.nowhere).toEqual([]);
    expect(passages[0]!.length).toBeGreaterThan(0);
  });

  it("gives ranges in order, apart and inside their texts, whatever the texts", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(text, text, (citation, rule) => {
        const { passages, words, citation: own } = citedPassages(citation, [rule], POTTERY);
        for (const [ranges, length] of [
          [passages[0]!, rule.length],
          [words[0]!, rule.length],
          [own.nowhere, citation.length],
          [own.name, citation.length],
        ] as const) {
          let last = -1;
          for (const [start, end] of ranges) {
            if (start <= last || end <= start) return false;
            last = end;
          }
          if (last > length) return false;
        }
        return true;
      }),
    );
  });
});

describe("locateTokens", () => {
  it("has the tokens of `tokenise`, for any text", () => {
    // A sigma at the end of a word has its own letter where a whole text is lowered; both sides here are lowered piece by piece.
    const plain = (tokens: string[]) => tokens.map((token) => token.replaceAll("ς", "σ"));
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({
        unit: fc.constantFrom("a", "-", "_", "広", "告", "ー", "ﬁ", "Σ", "İ", "e\u0301", "3", " ", "𠮷", "한"),
      }),
    );
    fc.assert(
      fc.property(text, (some) => {
        expect(plain(locateTokens(some).tokens.map(({ token }) => token))).toEqual(plain(tokenise(some)));
      }),
    );
  });
});
