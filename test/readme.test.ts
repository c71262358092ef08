import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordedDemo } from "./support/recorded-demo.js";

const README = join(import.meta.dirname, "..", "README.md");

describe("the README", () => {
  it("has the two commands", () => {
    const text = readFileSync(README, "utf8");
    expect(text).toContain("\nnpm ci && npm run demo\n");
    expect(text).toContain("\nnpm ci && npm test\n");
  });

  it("shows what the demo prints", async () => {
    const { stdout, folder } = await recordedDemo();
    const shown = /<!-- demo -->\s*```\n([\s\S]*?)\n```/.exec(readFileSync(README, "utf8"))?.[1] ?? "";
    expect(shown.trim()).toBe(stdout.trim().replace(folder, "…"));
  });

  it("describes its picture by numbers that the demo prints", () => {
    const text = readFileSync(README, "utf8");
    const [, alt = ""] = /^!\[([^\]]+)\]\([^)]+\.png\)$/m.exec(text) ?? [];
    const numbers = alt.match(/\d[\d,]*/g) ?? [];
    expect(numbers.length).toBeGreaterThan(2);
    for (const number of numbers) expect(text.split("<!-- demo -->")[1]).toMatch(new RegExp(`\\b${number}\\b`));
  });

  it("begins with a picture that is in the repository, sharp and small", () => {
    const [, path = ""] = /^!\[[^\]]+\]\(([^)]+\.png)\)$/m.exec(readFileSync(README, "utf8")) ?? [];
    const picture = readFileSync(join(README, "..", path));
    expect(picture.length).toBeLessThan(400_000);
    // Width of a PNG; twice that of the page.
    expect(picture.readUInt32BE(16)).toBe(2560);
  });
});
