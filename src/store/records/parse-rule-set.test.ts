import { describe, expect, it } from "vitest";
import { parseRuleSet } from "./parse-rule-set.js";

const set = {
  scope: "community",
  community: "plants",
  version: "1.10",
  effective_from: null,
  rules: [{ title: "No links", id: "R1", detail: 'Quoted "so", and 5 % more.\nSecond line.' }],
};
const written = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe("keys that nothing reads", () => {
  const rule = (key: string) =>
    `scope: platform\nversion: 1\nrules:\n  - id: R1\n    title: No insults\n    ${key}: x\n`;

  it.each([
    ["text", "did you mean description?"],
    ["descripton", "did you mean description?"],
    ["Title", "did you mean title?"],
    ["name", "did you mean title?"],
    [
      "severity",
      "expected id, title, description, detail, kind, url, never_automate, or a key of your own that begins with x_",
    ],
  ])("are refused: %s", (key, hint) => {
    expect(() => parseRuleSet(rule(key), "r.yaml")).toThrow(
      `r.yaml:6:${key.length + 7}: rule 1 (R1): ${key}: unknown key; ${hint}`,
    );
    const json = JSON.stringify(
      { scope: "platform", version: "1", rules: [{ id: "R1", title: "x", [key]: "x" }] },
      null,
      2,
    );
    expect(() => parseRuleSet(`${json}\n`, "r.json")).toThrow(`${key}: unknown key; ${hint}`);
  });

  it("are refused in the set too, and kept where they are one's own", () => {
    expect(() => parseRuleSet(rule("url").replace("version", "valid_from: 2026-01-01\nversion"), "r.yaml")).toThrow(
      "r.yaml:2:13: valid_from: unknown key; did you mean effective_from?",
    );
    expect(parseRuleSet(rule("x_owner"), "r.yaml").rules[0]).toMatchObject({ x_owner: "x" });
    expect(parseRuleSet(rule("url").replace("version", "x-team: trust\nversion"), "r.yaml")).toMatchObject({
      "x-team": "trust",
    });
  });
});

describe("a rule set in JSON as this program writes it", () => {
  it("is the same as by the long way, down to the order of its keys", () => {
    const long = parseRuleSet(JSON.stringify(set), "a.json");
    expect(JSON.stringify(parseRuleSet(written(set), "a.json"))).toBe(JSON.stringify(long));
  });

  it("goes the long way where that can tell more: a key twice, a number as text, something wrong", () => {
    const twice = written(set).replace('"version": "1.10"', '"version": "1.10",\n  "version": "2"');
    expect(() => parseRuleSet(twice, "a.json")).toThrow(/a\.json:/);
    expect(parseRuleSet(written(set).replace('"1.10"', "1.10"), "a.json").version).toBe("1.10");
    expect(parseRuleSet(written({ ...set, version: 7 }), "a.json").version).toBe("7");
    const blank = { ...set, rules: [{ id: "R1", title: "  " }] };
    expect(() => parseRuleSet(written(blank), "a.json")).toThrow(/a\.json:\d+:\d+: rule 1 \(R1\): title: is empty/);
  });
});
