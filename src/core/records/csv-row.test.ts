import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnName, columnPath, csvCells, sniffDelimiter } from "../../store/formats/csv-table.js";
import { looseCell, readLooseCell } from "../../store/formats/parse-json.js";
import { csvHeader, csvRow, unguardCell } from "./csv-row.js";

describe("csvRow", () => {
  it("guards text that a spreadsheet would take for a formula, and nothing else", () => {
    expect(csvRow(["=1+1", "+1", "-1", "@x", "\tx", "'=1", "''-", "a=b", "'a", " a=1"])).toBe(
      "'=1+1,'+1,'-1,'@x,\"'\tx\",''=1,'''-,a=b,'a,\" a=1\"\n",
    );
  });

  it("guards behind blank space, line breaks and invisible characters, and signs in their wide forms", () => {
    const hidden = [
      " =1",
      "\n=1",
      "\r\n @x",
      "\u00a0+1",
      "\u3000=1",
      "\u200b=1",
      "\ufeff-1",
      "\u202e=1",
      "\u0000=1",
      " '=1",
    ];
    for (const text of [...hidden, "＝1", "　＋1", "﹣1", "＠x"]) {
      const [cell] = csvCells(csvRow([text]).slice(0, -1), ",") as string[];
      expect(cell, JSON.stringify(text)).toBe(`'${text}`);
      expect(unguardCell(cell!)).toBe(text);
    }
  });

  it("never touches numbers and booleans", () => {
    expect(csvRow([-1, -0.5, 1e21, true, false, 0])).toBe("-1,-0.5,1e+21,true,false,0\n");
  });

  it("quotes as RFC 4180 says, writes lists as JSON and null as nothing", () => {
    expect(csvRow(['say "hi"', "a,b", "a\nb", "a\r\nb", null, undefined, "", ["x", 'y"'], {}])).toBe(
      '"say ""hi""","a,b","a\nb","a\r\nb",,,"","[""x"",""y\\""""]",{}\n',
    );
  });

  it("guards column names too", () => {
    expect(csvHeader(["id", "=cmd"])).toBe("id,'=cmd\n");
  });
});

describe("csvCells", () => {
  it("reads back what csvRow wrote, whatever it is, once the guard is taken away", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^['=+\-@\t\r\n", ;]{0,6}$/),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (cells) => {
        const line = csvRow(cells).slice(0, -1);
        const read = csvCells(line, ",") as (string | null)[];
        expect(read.map((cell) => (cell === null ? null : unguardCell(cell)))).toEqual(cells);
      }),
      { numRuns: 1000 },
    );
  });

  it("tells an empty cell from a pair of quotes, and reads a quote inside a plain cell as it is", () => {
    expect(csvCells('a,,"",5" pipe,', ",")).toEqual(["a", null, "", '5" pipe', null]);
  });

  it("tells what is wrong with a record", () => {
    expect(csvCells('a,"b', ",")).toBe("a quote is opened and never closed");
    expect(csvCells('a,"b"c,d', ",")).toBe("there is text after a closing quote");
  });
});

describe("sniffDelimiter", () => {
  it("finds comma, semicolon and tab in the first line, outside quotes", () => {
    expect(sniffDelimiter("id,content\n1;2;3;4")).toBe(",");
    expect(sniffDelimiter('id;"a,b,c";content\r\n')).toBe(";");
    expect(sniffDelimiter("id\tcontent\tdecision")).toBe("\t");
    expect(sniffDelimiter("id")).toBe(",");
  });
});

describe("columnName", () => {
  it("has a way back for every path", () => {
    const key = fc.oneof(fc.string(), fc.stringMatching(/^[.\\0a]{0,4}$/));
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 3 }), (path) => {
        expect(columnPath(columnName(path))).toEqual(path);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes a foreign name with an empty part for a plain name", () => {
    expect(["No.", ".x", "a..b", "content.body", "a"].map(columnPath)).toEqual([
      ["No."],
      [".x"],
      ["a..b"],
      ["content", "body"],
      ["a"],
    ]);
  });
});

describe("looseCell", () => {
  it("has a way back for every value, type and all", () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^["[{\]}\d.truefalsn-]{0,6}$/),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    const value = fc.oneof(
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }),
      fc.boolean(),
      fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null))),
    );
    fc.assert(
      fc.property(value, (original) => {
        const cell = looseCell(original);
        const read = readLooseCell(typeof cell === "string" ? cell : String(cell));
        expect(JSON.stringify(read)).toBe(JSON.stringify(original));
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves alone what a number would change: leading zeros, trailing zeros, long ids", () => {
    for (const cell of ["007", "1.10", "1234567890123456789", "1e5", "+1", '"quoted"', "hello", ""]) {
      expect(readLooseCell(cell)).toBe(cell);
    }
  });
});
