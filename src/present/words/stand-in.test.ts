import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { standIn } from "./vocabulary.js";

describe("standIn", () => {
  it("keeps lines and lengths of words", () => {
    expect(standIn("Buy my mugs,\r\n  now!").replace(/\p{L}/gu, "x")).toBe("xxx xx xxxxx\n  xxxx");
    expect(standIn("広告 ok")).toMatch(/^口口 \p{L}{2}$/u);
  });

  it("depends on nothing but the shape: two texts of one shape have one stand-in", () => {
    const letters = fc.array(fc.constantFrom("a", "q", "Z", "3", "?", "é"), { minLength: 20, maxLength: 20 });
    fc.assert(fc.property(letters, letters, (one, other) => standIn(one.join("")) === standIn(other.join(""))));
  });

  it("lets nothing through that acts or hides", () => {
    expect(standIn("a\u202eb\u200bc\u0000d\ud800")).toMatch(/^\p{L}{5}$/u);
  });
});
