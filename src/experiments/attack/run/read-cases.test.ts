import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readAttackCases } from "./read-cases.js";

const folder = mkdtempSync(join(tmpdir(), "defensible-attack-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ACTIONS = { positive: "remove", negative: "approve" };
const CASE = { id: "a", kind: "penumbra", community: "pottery", content: "Mugs", decision: "approve" };

function read(lines: readonly unknown[]) {
  const file = join(folder, "cases.jsonl");
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, `${text.join("\n")}\n`);
  return readAttackCases(file, ACTIONS);
}

describe("readAttackCases", () => {
  it("takes as little as five fields, and keeps what it does not know", async () => {
    expect(await read([{ ...CASE, source: "ours" }])).toEqual([
      { ...CASE, source: "ours", target: "input", archetype: "other" },
    ]);
  });

  it.each([
    ["not JSON", "{", /line 2: not JSON/],
    ["a kind nobody knows", { ...CASE, id: "b", kind: "magic" }, /line 2: kind: /],
    ["no content", { ...CASE, id: "b", content: undefined }, /line 2: content: /],
    ["an action nobody knows", { ...CASE, id: "b", decision: "ban" }, /got "ban", expected remove or approve/],
    ["an id twice", CASE, /id "a" is in line 1 already/],
    ["a trace attack without a citation", { ...CASE, id: "b", target: "trace" }, /attack\.text/],
    [
      "a clean trace",
      { ...CASE, id: "b", kind: "clean", target: "trace", attack: { what: "", text: "x" } },
      /clean case/,
    ],
  ])("tells the line of %s", async (_, line, message) => {
    await expect(read([CASE, line])).rejects.toThrow(message);
  });

  it("tells the line of a trace attack whose base case is misspelt, or is of another decision", async () => {
    const attack = { what: "", text: "R4" };
    const clean = { ...CASE, id: "clean:1", kind: "clean" };
    const trace = { ...CASE, id: "t", kind: "citation_splice", target: "trace", attack, base_case: "clean:1" };
    expect(await read([trace, clean])).toHaveLength(2);
    await expect(read([clean, { ...trace, base_case: "clean:I" }])).rejects.toThrow(
      /line 2: base_case: the file has no case "clean:I"; fix it, or leave it out/,
    );
    await expect(read([clean, CASE, { ...trace, decision: "remove" }])).rejects.toThrow(
      /line 3: base_case: case "clean:1" is not an input of the same community and decision/,
    );
    expect(await read([{ ...trace, base_case: null }])).toHaveLength(1);
  });

  it("tells five faults and how many more there are", async () => {
    await expect(read(Array.from({ length: 8 }, () => "no"))).rejects.toThrow(/line 5: not JSON; and 3 more/);
  });

  it("refuses an empty file and one that is not there", async () => {
    await expect(read([])).rejects.toMatchObject({ code: "empty_attack_file" });
    await expect(readAttackCases(join(folder, "none.jsonl"), ACTIONS)).rejects.toMatchObject({ code: "no_file" });
  });
});
