import { describe, expect, it } from "vitest";
import type { FigureRow } from "../../core/figure.js";
import { figureColumns, figureCsv } from "./missing.js";

describe("a figure's data as CSV", () => {
  it("have every column of any row, and nothing where a row has no value", () => {
    const rows: FigureRow[] = [{ a: 1 }, { a: null, b: true }];
    expect(figureColumns(rows)).toEqual(["a", "b"]);
    expect(figureCsv({ rows })).toBe("a,b\n1,\n,true\n");
  });

  it("are no formula in a spreadsheet and no command on a terminal", () => {
    const rows = [{ community: "=HYPERLINK(1)" }, { community: "\u001b[31mred\u202e" }, { community: 'a "b", c' }];
    expect(figureCsv({ rows })).toBe(`community\n'=HYPERLINK(1)\n[U+001B][31mred[U+202E]\n"a ""b"", c"\n`);
  });
});
