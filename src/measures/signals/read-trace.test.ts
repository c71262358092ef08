import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTrace, type TraceField } from "./read-trace.js";

const FULL = {
  logic_chain: "The post links to a shop.",
  policy_citation: "R3 No links",
  precedent_weight: "High",
  inverse_check: "No",
  defensibility_level: 2,
};
const FULL_TRACE = { ...FULL, inverse_citation: null, level3_reason: null };

/** What a field's byte range holds. */
function held(text: string, field: TraceField): string | undefined {
  const span = readTrace(text).fields[field];
  return span && new TextDecoder().decode(new TextEncoder().encode(text).slice(span.start, span.end));
}

function level(value: string) {
  return readTrace(`{"inverse_check":"No","defensibility_level":${value}}`).trace.defensibility_level;
}

describe("readTrace", () => {
  it("reads compact and pretty-printed JSON alike", () => {
    for (const text of [JSON.stringify(FULL), JSON.stringify(FULL, null, 2)]) {
      const reading = readTrace(text);
      expect(reading.trace).toEqual(FULL_TRACE);
      expect(reading).toMatchObject({ problems: [], fallback: false, object: "closed" });
      expect(held(text, "policy_citation")).toBe("R3 No links");
      expect(held(text, "defensibility_level")).toBe("2");
    }
  });

  it("finds the object behind fences, prose, braces in prose and a byte order mark", () => {
    const json = JSON.stringify(FULL);
    for (const text of [
      `\`\`\`json\n${json}\n\`\`\``,
      `\ufeff${json}`,
      `Here {as asked} is my {"draft}" audit:\n${json}\nI hope {this} helps {"x": 1}`,
      `[${json}]`,
      `{"note":"first"} ${json}`,
    ]) {
      expect(readTrace(text).trace).toEqual(FULL_TRACE);
      expect(held(text, "precedent_weight")).toBe("High");
    }
  });

  it("reads fields in any order, beside others", () => {
    const text = `{"defensibility_level":3,"confidence":{"defensibility_level":1},"list":["}",{"inverse_check":"No"}],"inverse_check":"Yes"}`;
    expect(readTrace(text).trace).toMatchObject({
      defensibility_level: 3,
      inverse_check: "Yes",
      policy_citation: null,
    });
  });

  it("counts only keys of the outermost object", () => {
    const reading = readTrace(`{"audit":${JSON.stringify(FULL)}}`);
    expect(reading.trace.defensibility_level).toBeNull();
    expect(reading.problems).toContain("defensibility_level: missing");
  });

  it("takes the fuller of two objects, and of equals the last", () => {
    const draft = JSON.stringify({ ...FULL, defensibility_level: 1 });
    expect(readTrace(`${draft}\nOn reflection:\n${JSON.stringify(FULL)}`).trace.defensibility_level).toBe(2);
    expect(readTrace(`${JSON.stringify(FULL)}\n{"defensibility_level": 1}`).trace.defensibility_level).toBe(2);
  });

  it("takes the last of a key written twice, and says so", () => {
    const reading = readTrace(`{"inverse_check":"No","defensibility_level":1,"defensibility_level":3}`);
    expect(reading.trace.defensibility_level).toBe(3);
    expect(reading.problems).toContain("defensibility_level: written twice; the last one counts");
  });

  it("keeps the last finished value where the repetition was cut off", () => {
    expect(readTrace(`{"policy_citation":"R1","policy_citation":"R`).trace.policy_citation).toBe("R1");
  });

  it.each([
    ["2", 2],
    ["2.0", 2],
    ['"2"', 2],
    ['" 2 "', 2],
    ['"L2"', 2],
    ['"Level 3"', 3],
    ['"level_1"', 1],
    ["12", null],
    ["0", null],
    ["4", null],
    ["2.5", null],
    ["-1", null],
    ["null", null],
    ['"two"', null],
    ['"L2 or L3"', null],
    ["[2]", null],
    ['"constructor"', null],
  ])("reads the level %s as %s", (written, expected) => {
    expect(level(written)).toBe(expected);
  });

  it("points at the digit of a level written with a word", () => {
    expect(held('{"defensibility_level": "Level 2"}', "defensibility_level")).toBe("2");
    expect(held('{"defensibility_level": "2.0"}', "defensibility_level")).toBe("2.0");
  });

  it.each([
    ['"Yes"', "Yes"],
    ['"YES"', "Yes"],
    ["true", "Yes"],
    ['"true"', "Yes"],
    ["Yes", "Yes"],
    ['"no"', "No"],
    ["false", "No"],
    ['"Maybe"', null],
    ['"Yes, because"', null],
    ["1", null],
  ])("reads the inverse check %s as %s", (written, expected) => {
    expect(readTrace(`{"inverse_check": ${written} }`).trace.inverse_check).toBe(expected);
  });

  it("reads weights in any case, and tells of a wrong one", () => {
    expect(readTrace('{"precedent_weight":"MEDIUM"}').trace.precedent_weight).toBe("Medium");
    const wrong = readTrace('{"precedent_weight":"None"}');
    expect(wrong.trace.precedent_weight).toBeNull();
    expect(wrong.problems).toContain("precedent_weight: not one of its values; got None, expected High, Medium or Low");
  });

  it("decodes escapes and keeps the range of what was written", () => {
    const text = String.raw`{"policy_citation":"Rule \"R3\": \u65e5\u672c \\","inverse_check":"No"}`;
    expect(readTrace(text).trace.policy_citation).toBe('Rule "R3": 日本 \\');
    expect(held(text, "policy_citation")).toBe(String.raw`Rule \"R3\": \u65e5\u672c \\`);
    expect(readTrace(text).trace.inverse_check).toBe("No");
  });

  it("lets raw line breaks pass and never stores half a surrogate pair", () => {
    const reading = readTrace('{"logic_chain":"one\ntwo \\ud83d three","defensibility_level":1}');
    expect(reading.trace.logic_chain).toBe("one\ntwo \ufffd three");
  });

  it("counts bytes, not characters", () => {
    const text = '{"logic_chain":"日本語 👍 é","policy_citation":"規則３","defensibility_level":2}';
    expect(held(text, "policy_citation")).toBe("規則３");
    // 16 characters up to the value, 日本語 9 bytes, space, 👍 4, space, é 2, then 21 characters.
    expect(readTrace(text).fields.policy_citation?.start).toBe(16 + 9 + 1 + 4 + 1 + 2 + 21);
    expect(held(text, "defensibility_level")).toBe("2");
  });

  it("counts what was finished before an answer was cut off", () => {
    const text = JSON.stringify(FULL);
    const inCitation = readTrace(text.slice(0, text.indexOf("No links")));
    expect(inCitation.trace).toMatchObject({ logic_chain: FULL.logic_chain, policy_citation: null });
    expect(inCitation.object).toBe("open");
    expect(inCitation.problems).toContain("policy_citation: cut off");
    expect(readTrace(text.slice(0, -1)).trace.defensibility_level).toBe(2);
  });

  it("stops where the JSON breaks instead of trusting what an unescaped quotation holds", () => {
    const reading = readTrace(`{"logic_chain":"it says "hi" "inverse_check":"No","defensibility_level":1}`);
    expect(reading.object).toBe("broken");
    expect(reading.trace).toMatchObject({ logic_chain: "it says ", defensibility_level: null });
  });

  it("is not moved by keys named inside the reasoning, nor by a later echo", () => {
    const chain = 'The field "policy_citation": "R9" and {"defensibility_level": 1} are what I fill.';
    const text = `${JSON.stringify({ ...FULL, logic_chain: chain })}\nSo "policy_citation": "R9" was not chosen.`;
    expect(held(text, "policy_citation")).toBe("R3 No links");
    expect(readTrace(text)).toMatchObject({ fallback: false, trace: { defensibility_level: 2, logic_chain: chain } });
  });

  it("falls back to the last named citation only where the object has none", () => {
    const text = '{"source":{"policy_citation" : "R3 \\"x\\" y"},"inverse_check":"No","defensibility_level":1}';
    const reading = readTrace(text);
    expect(reading.fallback).toBe(true);
    expect(reading.trace.policy_citation).toBeNull();
    expect(held(text, "policy_citation")).toBe('R3 \\"x\\" y');
  });

  it("reads the fields of the extended template", () => {
    const reading = readTrace('{"inverse_citation":null,"level3_reason":"no_rule","defensibility_level":3}');
    expect(reading.trace).toMatchObject({ inverse_citation: null, level3_reason: "no_rule" });
  });

  it("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void readTrace(text)));
    const piece = fc.constantFrom(
      "{",
      "}",
      '"',
      ":",
      ",",
      "\\",
      "[",
      "]",
      '"policy_citation"',
      "2",
      " ",
      "日",
      "\ud83d",
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => void readTrace(pieces.join(""))));
  });

  it("finds every field where it is, whatever stands in the free texts", () => {
    const free = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.json().map((json) => `${json} "policy_citation": "x", "defensibility_level": 1}`),
      fc.constantFrom("\\", '"', '\\"', '","defensibility_level":1,"x":"', '{"inverse_check":"Yes"}'),
    );
    fc.assert(
      fc.property(free, free, fc.constantFrom(0, 2), (logic_chain, policy_citation, indent) => {
        const text = JSON.stringify({ ...FULL, logic_chain, policy_citation }, null, indent);
        expect(readTrace(text).trace).toEqual({ ...FULL_TRACE, logic_chain, policy_citation });
        expect(held(text, "policy_citation")).toBe(JSON.stringify(policy_citation).slice(1, -1));
        expect(held(text, "inverse_check")).toBe("No");
        expect(held(text, "defensibility_level")).toBe("2");
      }),
    );
  });
});
