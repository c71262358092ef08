import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "src", "auditors", "baseline");
const MOST_LINES = 1800;

it("the baseline auditor has at most 1,800 lines without tests", () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/\.(?:test|suite)\.ts$/.test(name),
  );
  const lines = files.map((name) => readFileSync(join(FOLDER, name), "utf8").split("\n").length - 1);
  expect(files).toContain("baseline-auditor.ts");
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MOST_LINES);
});
