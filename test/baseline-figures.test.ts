import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { baselineTable } from "../bench/baseline.mjs";
import { cliOk, temporaryFolder } from "./support/cli.js";

describe("docs/baseline.md", () => {
  it("prints the figures that the baseline has", () => {
    const docs = readFileSync(join(import.meta.dirname, "..", "docs", "baseline.md"), "utf8");
    const printed = /<!-- figures -->\n([\s\S]*?)\n<!-- \/figures -->/.exec(docs)?.[1];
    expect(printed).toBe(baselineTable(join(temporaryFolder(), "ws"), (args) => cliOk(args)));
  });
});
