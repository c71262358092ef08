import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { KEY_TERMS } from "./vocabulary.js";

it("explains only symbols that docs/notation.md defines, each once", () => {
  const notation = readFileSync(new URL("../../../docs/notation.md", import.meta.url), "utf8");
  for (const { symbol, plain } of KEY_TERMS) {
    expect(notation).toContain(`\n| ${symbol} |`);
    expect(plain).toMatch(/^[A-Z].*\.$/);
  }
  expect(new Set(KEY_TERMS.map(({ symbol }) => symbol)).size).toBe(KEY_TERMS.length);
});
