import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import type { Figure } from "../core/figure.js";
import { tempFolder } from "../store/files/in-temp-folder.suite.js";
import { writeFigureData } from "./page.js";

afterEach(() => vi.restoreAllMocks());

it("writes one file a figure, and counts them as people do", () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const figureData = join(tempFolder(), "figures");
  const figure = (id: string) => ({ id, rows: [{ x: 1 }, { x: 2, y: "a,b" }] }) as unknown as Figure;
  writeFigureData([figure("one")], { figureData });
  writeFigureData([figure("one"), figure("two")], { figureData });
  expect(said.mock.calls.map(([text]) => String(text).split(" to ")[0])).toEqual([
    "Wrote the data of 1 figure",
    "Wrote the data of 2 figures",
  ]);
  expect(readFileSync(join(figureData, "two.csv"), "utf8")).toBe('x,y\n1,\n2,"a,b"\n');
});

it("writes nothing that a terminal would obey", () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const figureData = join(tempFolder(), "figures");
  const rows = [{ "x\u001b[2J": "a\u001b]0;pwned\u0007b", y: `${"long ".repeat(100)}\u202e` }];
  writeFigureData([{ id: "hostile", rows } as unknown as Figure], { figureData });
  const text = readFileSync(join(figureData, "hostile.csv"), "utf8");
  expect(text).not.toMatch(/[\u001b\u0007\u202e]/);
  // Whole, since these are data: only what is printed is cut.
  expect(text).toContain("long ".repeat(100).trim());
});
