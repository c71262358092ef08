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
