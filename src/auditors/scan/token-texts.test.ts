import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonCursor } from "./json-cursor.js";
import { listsText, sharedBytes, sharedText, shortDecimal } from "./token-texts.js";

const ascii = fc.string({ unit: "binary-ascii", maxLength: 16 });

describe("texts of tokens", () => {
  it("are the bytes they are made of, whatever was read before", () => {
    fc.assert(
      fc.property(ascii, ascii, (before, text) => {
        const bytes = Buffer.from(before + text);
        expect(sharedText(bytes, 0, before.length)).toBe(before);
        expect(sharedText(bytes, before.length, bytes.length)).toBe(text);
        expect([...sharedBytes(text)]).toEqual([...Buffer.from(text)]);
      }),
      { numRuns: 5000 },
    );
  });

  it("are told from lists of other bytes as a reading of the list tells", () => {
    const gap = fc.constantFrom("", " ", "\n  ");
    const text = fc.oneof(ascii, fc.string({ unit: "binary", maxLength: 4 }));
    fc.assert(
      fc.property(text, fc.oneof(ascii, text), gap, fc.boolean(), (own, other, space, same) => {
        const listed = [...Buffer.from(same ? own : other)];
        const body = Buffer.from(`[${listed.map((byte) => `${space}${byte}`).join(",")}${space}],1`);
        const spelt = Buffer.from(new JsonCursor(body).byteList()!).toString("latin1");
        if (listsText(body, 0, own)) expect(spelt).toBe(own);
        else if (space === "" && own !== "" && /^[\0-\x7f]*$/.test(own)) expect(spelt).not.toBe(own);
      }),
      { numRuns: 5000 },
    );
    for (const torn of ["[", "[7", "[72", "[72,", "[72,105", "[72,105,1]", "[72,,105]", "[]", "[172,105]"]) {
      expect(listsText(Buffer.from(torn), 0, "Hi")).toBe(false);
    }
  });
});

describe("shortDecimal", () => {
  const read = (text: string) => shortDecimal(Buffer.from(text), 0, text.length);

  it("gives what Number gives, or nothing", () => {
    const decimal = fc
      .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 30 }))
      .map(([negative, digits, decimals]) => {
        const padded = String(digits).padStart(decimals + 1, "0");
        const point = padded.length - decimals;
        return `${negative ? "-" : ""}${padded.slice(0, point)}${decimals > 0 ? `.${padded.slice(point)}` : ""}`;
      });
    fc.assert(
      fc.property(decimal, (text) => {
        const value = read(text);
        if (!Number.isNaN(value)) expect(value).toBe(Number(text));
      }),
      { numRuns: 20_000 },
    );
    for (const text of ["0", "-0", "-0.0", "-0.69314718", "-12.5", "9007199254740991"])
      expect(read(text)).toBe(Number(text));
  });

  it("leaves everything else to others", () => {
    for (const text of ["", "-", ".", "1.2.3", "1e5", "NaN", "-Infinity", "9007199254740993", "0.12345678901234567890"])
      expect(read(text)).toBeNaN();
  });
});
