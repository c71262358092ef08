import { describe, expect, it } from "vitest";
import { parseFilter } from "../cohorts.js";
import { decision, failure } from "../files/in-temp-folder.suite.js";

const subject = decision("7", {
  content: { body: "hola", language: "es", flair: "help" },
  decider: { kind: "model", confidence: 0.5 },
  human_label: "approve",
  tags: ["appeal", "spam"],
  rationale: "a=b",
  gold: { level: 2, inverse: true, rule_ids: [] },
});

describe("parseFilter", () => {
  it.each([
    ["community=garden", true],
    ["community!=garden", false],
    ["community = garden", true],
    ["community=Garden", false],
    ["content.language=es", true],
    ["content.language!=es", false],
    ["content.flair=help", true],
    ["decider.kind=model", true],
    ["decider.confidence=0.5", true],
    ["gold.inverse=true", true],
    ["gold.level!=3", true],
    ["tags=appeal", true],
    ["tags=ham", false],
    ["tags!=ham", true],
    ["tags!=spam", false],
    ["human_label=*", true],
    ["thread_id=*", false],
    ["thread_id!=*", true],
    ["gold.rule_ids=*", false],
    ["thread_id!=5", true],
    ["thread_id=5", false],
    ["rationale=a=b", true],
    ["content=hola", false],
  ])("%s is %j", (expression, expected) => {
    expect(parseFilter(expression)(subject)).toBe(expected);
  });

  it("reads plain content as text without parts", () => {
    expect(parseFilter("content=hello")(decision("1"))).toBe(true);
    expect(parseFilter("content.language!=*")(decision("1"))).toBe(true);
  });

  it("names the known fields beside an unknown one", async () => {
    const error = await failure(() => parseFilter("language=es"));
    expect(error.message).toBe('filter: decisions have no field "language"');
    expect(error.remedy).toContain("content");
  });

  it.each(["community", "=x", "", "!=", "constructor=x", "tags.x=1"])("refuses %j", async (expression) => {
    expect((await failure(() => parseFilter(expression))).code).toMatch(/bad_filter|unknown_field/);
  });
});
