import { describe, expect, it } from "vitest";
import type { CaseFrame } from "../../core/records/case.js";
import { rulesInText } from "./rules-in-text.js";

const rule = (scope: "platform" | "community", id: string, title: string, text = title) => ({
  ...{ scope, id, title, text, kind: null },
});

const FRAME: CaseFrame = {
  community: "good",
  rulesetVersion: "1+1",
  tier: "wiki",
  rules: [
    rule("platform", "P1", "Respect people"),
    rule("platform", "P2", "Personal data"),
    rule("community", "1", "Be on topic", "Be on topic\nA post needs at least 2 sentences."),
    rule("community", "2", "No medical advice"),
    rule("community", "3", "Spam"),
    rule("community", "4", "Advertising", "Advertising\nNo adverts and no spam"),
    rule("community", "threats", "Threats of violence"),
    rule("community", "7.2", "Self harm"),
    rule("community", "é1", "Été"),
  ],
  precedents: [],
  actions: { positive: "remove", negative: "approve" },
};

const read = (text: string) => {
  const { named, perhaps } = rulesInText(text, FRAME);
  return { named: named.map((one) => one.rule_id), perhaps: perhaps.map((one) => one.rule_id) };
};
const either = (text: string) => {
  const { named, perhaps } = read(text);
  return [...named, ...perhaps];
};

describe("rules in a text", () => {
  it.each([
    ["Rules 1 and 2", ["1", "2"]],
    ["community rules 1, 2 and 3", ["1", "2", "3"]],
    ["rule 1/2", ["1", "2"]],
    ["1: Be on topic; 2: No medical advice", ["1", "2"]],
    ["rule 1 and P2", ["1", "P2"]],
    ["Be on topic; also No medical advice applies", ["1", "2"]],
    ["medical advice", ["2"]],
  ])("%s are all named", (text, ids) => expect(read(text).named.sort()).toEqual(ids));

  it.each([
    ...[
      "rules 1, 2",
      "1, 2",
      "2, 3",
      "2 and 3",
      "(2)",
      "§2",
      "no. 2",
      "2; see wiki",
      "2 because medical",
      "2 (medical)",
    ],
    ...[
      "1+2",
      "Rule 1 (also 2)",
      "Rules: 1; 2",
      "rule2",
      "R2",
      "Regel 2",
      "rule 02",
      '["1","2"]',
      "2 - No medical advice",
    ],
    ...["rules 1 to 3", "1–3", "1-3", "rule 1 … 3"],
  ])("%s may be about rule 2", (text) => expect(either(text)).toContain("2"));

  it.each([
    ["P-2", "P2"],
    ["P 2", "P2"],
    ["P\u200b2", "P2"],
    ["Ｐ２", "P2"],
    ["P1–P3", "P2"],
    ["7-2", "7.2"],
    ["para 7, 2", "7.2"],
    ["these are threats", "threats"],
    ["e\u03011", "é1"],
  ])("%s may be about %s", (text, id) => expect(either(text)).toContain(id));

  it("are those that are quoted no more than once: a number in the text of a named rule is no id", () => {
    expect(read("Rule 1: a post needs at least 2 sentences")).toEqual({ named: ["1"], perhaps: [] });
    expect(read("Rule 1: see 2 below").perhaps).toEqual(["2"]);
  });

  it("are all that have as many of the words, where none is named", () => {
    expect(read("spam").named.sort()).toEqual(["3", "4"]);
    expect(read("spam people").named.sort()).toEqual(["3", "4", "P1"]);
    expect(read("no adverts people").perhaps).toEqual([]);
  });

  it("are none, and it is not resolved, where nothing is like a rule", () => {
    for (const text of ["", "…", "because I say so", "none", "rule two"]) {
      expect(rulesInText(text, FRAME), text).toEqual({ named: [], perhaps: [], resolved: false });
    }
  });

  it("are read in a long text without delay", () => {
    const started = performance.now();
    for (const text of ["a".repeat(100_000), "rule 2 ".repeat(15_000), "2 ".repeat(50_000), "1-".repeat(50_000)]) {
      rulesInText(text, FRAME);
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
