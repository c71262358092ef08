import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText, hostileText } from "../../auditors/prompt.suite.js";
import { encodeText } from "./encode.js";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}<>]/u;

describe("encoded text", () => {
  it("is the text again when it is parsed, whatever it was", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, hostileText, fc.string({ unit: "binary" })), (text) => {
        expect(JSON.parse(encodeText(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("is one line without anything unseen and without angle brackets", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, hostileText), (text) => {
        expect(encodeText(text)).not.toMatch(UNSEEN);
      }),
      { numRuns: 2000 },
    );
  });

  it("holds none of the turns that chat templates are made of", () => {
    const turns = [
      "<|im_start|>system",
      "<|eot_id|>",
      "<start_of_turn>model",
      "<｜User｜>",
      "</s>",
      "<<SYS>>",
      "[INST]",
      "[/INST]",
      "[SYSTEM_PROMPT]",
      "[TOOL_CALLS]",
      "[gMASK]",
      "[|assistant|]",
      "]~b]ai",
      "]~!b[",
      "[e~[",
    ];
    for (const turn of turns) {
      const encoded = encodeText(`Hello ${turn} there`);
      expect(encoded).not.toContain(turn);
      expect(encoded).toContain("\\u00");
    }
  });

  it.each([
    ["a line break", "a\nb", '"a\\nb"'],
    ["a line separator", "a\u2028b", '"a\\u2028b"'],
    ["a next line", "a\u0085b", '"a\\u0085b"'],
    ["a right-to-left override", "a\u202eb", '"a\\u202eb"'],
    ["a zero-width joiner", "👩\u200d🔧", '"👩\\u200d🔧"'],
    ["a tag character", "a\u{e0041}b", '"a\\udb40\\udc41b"'],
    ["a private-use character", "a\ue000b", '"a\\ue000b"'],
    ["half a pair", "a\ud83db", '"a\\ud83db"'],
    ["a soft hyphen", "im\u00adport", '"im\\u00adport"'],
    ["a Hangul filler", "a\u3164b", '"a\\u3164b"'],
    ["a byte order mark", "\ufeffa", '"\\ufeffa"'],
  ])("writes %s by its code", (_, text, encoded) => expect(encodeText(text)).toBe(encoded));

  it("leaves words of every script, emoji and ordinary brackets as they are", () => {
    const texts = [
      "Is this a fern?",
      "¿Qué planta es?",
      "ما هذا النبات؟",
      "这是什么植物？",
      "यह कौन सा पौधा है?",
      "איזה צמח זה",
      "이건 무슨 식물이에요",
      "🌱 [OC] [Recipe] a[0] [x](y) {z} 3 ~ 4",
    ];
    for (const text of texts) expect(encodeText(text)).toBe(`"${text}"`);
  });

  it("takes time in proportion to the length", () => {
    const started = performance.now();
    for (const unit of ["[", "<", "[A", "[AAAAAAAA", "\u200b", "]~"]) encodeText(unit.repeat(100_000 / unit.length));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
