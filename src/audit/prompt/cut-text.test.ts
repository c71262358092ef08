import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byLength } from "../../auditors/prompt.suite.js";
import { cutText, encodedTokens, encodeText } from "./encode.js";
import { createTokenCounter } from "./token-counter.js";

const unit = fc.constantFrom("a", "word ", "\u200b", "🌱", "漢", "\n", "\ud83c", "\udf31", "<");
const text = fc
  .array(fc.tuple(unit, fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 8 })
  .map((runs) => runs.map(([one, times]) => one.repeat(times)).join(""));

describe("a text that was cut", () => {
  it.each(["o200k", "estimated"])("fits, is whole at its ends, and knows what is missing (%s)", async (name) => {
    const counter = await createTokenCounter(name);
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 300 }), fc.boolean(), (whole, limit, keepTail) => {
        const size = encodedTokens(whole, limit, counter);
        fc.pre(size > limit);
        const { head, tail, left } = cutText(whole, { limit, size, keepTail, counter });
        expect(counter.count(encodeText(head)) + (tail ? counter.count(encodeText(tail)) : 0)).toBeLessThanOrEqual(
          limit,
        );
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThan(whole.length);
        const missing = whole.slice(head.length, whole.length - tail.length);
        expect(left).toBe([...missing].length);
        expect([...head, ...missing, ...tail].join("|")).toBe([...whole].join("|"));
        if (!keepTail) expect(tail).toBe("");
      }),
      { numRuns: 400 },
    );
  });

  it("keeps nearly as much as there is room for, also where its beginning is denser than the rest", () => {
    for (const whole of [
      "word ".repeat(5000),
      "\u200b".repeat(2000) + "a".repeat(40_000),
      `${"a".repeat(40_000)}${"\u200b".repeat(9000)}`,
    ]) {
      const size = encodedTokens(whole, 2000, byLength);
      const { head } = cutText(whole, { limit: 1000, size, keepTail: false, counter: byLength });
      expect(byLength.count(encodeText(head))).toBeGreaterThan(800);
    }
  });
});
