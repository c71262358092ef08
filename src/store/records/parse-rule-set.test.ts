import { describe, expect, it } from "vitest";
import { parseRuleSet, parseRuleSets } from "./parse-rule-set.js";

const set = {
  scope: "community",
  community: "plants",
  version: "1.10",
  effective_from: null,
  rules: [{ title: "No links", id: "R1", detail: 'Quoted "so", and 5% more.\nSecond line.' }],
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
      "expected id, title, description, detail, kind, url, never_automate, harm, statement, or a key of your own that begins with x_",
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

describe("files with several rule sets", () => {
  const platform = "scope: platform\nversion: 1\nrules:\n  - { id: 1, title: No spam }\n";
  const community =
    "# by Ana\nscope: community\ncommunities: [boats, 7, sails]\nversion: 1.10\nrules:\n  - { id: R1, title: Be kind }\n";
  const names = (text: string, file = "r.yaml") =>
    parseRuleSets(text, file).map(({ set }) => [set.scope, set.community ?? null, set.version]);

  it("are YAML with several documents; what is one set is kept to the letter", () => {
    const second = "# second\nscope: community\ncommunity: boats\nversion: 2\nrules: []\n";
    const found = parseRuleSets(`---\n${platform}---\n${second}---\n`, "r.yaml");
    expect(found.map(({ text }) => text)).toEqual([platform, second]);
    expect(found[1]!.set).toMatchObject({ community: "boats", version: "2" });
    expect(parseRuleSets(platform, "r.yaml")).toEqual([{ set: expect.anything(), text: platform }]);
  });

  it("are one set for many communities", () => {
    expect(names(`${platform}---\n${community}`)).toEqual([
      ["platform", null, "1"],
      ["community", "boats", "1.10"],
      ["community", "7", "1.10"],
      ["community", "sails", "1.10"],
    ]);
    expect(parseRuleSets(community, "r.yaml")[0]).toEqual({
      text: null,
      set: { scope: "community", community: "boats", version: "1.10", rules: [{ id: "R1", title: "Be kind" }] },
    });
  });

  it("are lists and lines of JSON", () => {
    const set = (community: string, version: unknown = "1") => ({ scope: "community", community, version, rules: [] });
    const lines = [set("a"), set("b", 2)].map((one) => JSON.stringify(one));
    expect(names(`${lines.join("\r\n")}\n\n`, "r.jsonl")).toEqual([
      ["community", "a", "1"],
      ["community", "b", "2"],
    ]);
    expect(names(`[${lines.join(",")}]`, "r.json")).toHaveLength(2);
    expect(names(JSON.stringify([set("a")], null, 2), "r.json")).toHaveLength(1);
  });

  it.each([
    [
      `${platform}---\nscope: platform\nversion: 2\nrules:\n  - { id: 1 }\n`,
      /^r:9:\d+: rule 1 \(1\): title: is missing/,
    ],
    ['{"scope":"platform","version":"1","rules":[]}\n{"scope":"platform","rules":[]}\n', /^r:2:1: version: is missing/],
    ['{"scope":"platform","version":"1","rules":[]}\n{"scope":\n', /^r:2:\d+: not valid YAML/],
    ['{"scope":"platform","version":"1","rules":[]}\n{"a":1}\n', /^r:2: not a rule set/],
    ['[{"scope":"platform","version":"1","rules":[]}, 7]', /^r: not a rule set/],
    [`${platform}---\nhello\n`, /^r: not a rule set/],
    [community.replace("[boats, 7, sails]", "[]"), /^r:3:\d+: communities: /],
    [community.replace("7", "boats"), /^r:3:\d+: communities: names a community twice$/],
    [
      community.replace("version", "community: x\nversion"),
      /^r:3:\d+: communities: got community too; expected one of the two$/,
    ],
    [platform.replace("version", "communities: [a]\nversion"), /^r:2:\d+: communities: the platform's rules hold/],
  ])("are told what is wrong, and where: %#", (text, message) => {
    expect(() => parseRuleSets(text, "r")).toThrow(message);
  });

  it("are more than a reader of one set takes", () => {
    expect(() => parseRuleSet(community, "r.yaml")).toThrow("r.yaml: holds 3 rule sets; expected one");
  });
});
