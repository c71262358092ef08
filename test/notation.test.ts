import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

interface Row {
  symbol: string;
  file: string;
  name: string;
  test: string;
}

/** Rows of the tables `symbol | meaning | equation | file and export | test`; symbols that the paper does not have lack the equation. */
function rowsOf(markdown: string): Row[] {
  const tables = [...markdown.matchAll(/^\|.*(?:\n\|.*)+/gm)].map(([text]) => text.split("\n"));
  expect(tables.map(([head = ""]) => cells(head))).toEqual([
    ["symbol", "meaning", "equation", "file and export", "test"],
    ["symbol", "meaning", "file and export", "test"],
  ]);
  return tables.flatMap(([head = "", ruler = "", ...body]) => {
    expect(ruler).toMatch(/^\|(-+\|)+$/);
    return body.map((line) => {
      const all = cells(line);
      const [symbol = "", code = "", test = ""] = [all[0], ...all.slice(-2)];
      const match = /^`([^`]+)` `(\w+)`$/.exec(code);
      const file = /^`([^`]+)`$/.exec(test);
      if (!match || !file || all.length !== cells(head).length) throw new Error(`notation.md: not a row: ${line}`);
      return { symbol, file: match[1]!, name: match[2]!, test: file[1]! };
    });
  });
}

function cells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim());
}

/** What does not hold of a row, in words. */
async function faults({ file, name, test }: Row): Promise<string[]> {
  const found: string[] = [];
  if (!existsSync(join(ROOT, file))) found.push(`there is no ${file}`);
  else if (!(name in (await import(join(ROOT, file))))) found.push(`${file} does not export ${name}`);
  if (!existsSync(join(ROOT, test))) return [...found, `there is no ${test}`];
  const text = readFileSync(join(ROOT, test), "utf8");
  const mentioned = new RegExp(`\\b${name}\\b`).test(text) || text.includes(basename(file, ".ts"));
  return mentioned ? found : [...found, `${test} does not mention ${name}`];
}

describe("docs/notation.md", () => {
  const rows = rowsOf(readFileSync(join(ROOT, "docs", "notation.md"), "utf8"));

  for (const row of rows) {
    it(`resolves ${row.symbol}: ${row.name}`, async () => expect(await faults(row)).toEqual([]));
  }

  it("has at least 25 rows, each symbol once", () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
    expect(new Set(rows.map((row) => row.symbol)).size).toBe(rows.length);
  });

  it("would be caught if a row were wrong", async () => {
    const right = rows[0]!;
    expect(await faults({ ...right, name: "noSuchExport" })).toContain(`${right.file} does not export noSuchExport`);
    expect(await faults({ ...right, file: "src/no-such-file.ts" })).toEqual(["there is no src/no-such-file.ts"]);
    expect(await faults({ ...right, test: "src/no-such.test.ts" })).toEqual(["there is no src/no-such.test.ts"]);
    const elsewhere = "src/stats/random/shuffle.test.ts";
    expect(await faults({ ...right, test: elsewhere })).toEqual([`${elsewhere} does not mention ${right.name}`]);
  });
});
