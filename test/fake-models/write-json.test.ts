import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { float, Literal, writeJson } from "./write-json.js";

describe("writeJson", () => {
  it("is JSON that means the same in every layout and every way to escape", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom("compact" as const, "spaced" as const, "pretty" as const),
        fc.constantFrom("raw" as const, "ascii" as const, "html" as const),
        (value, layout, habit) => {
          const text = writeJson(value, { layout, escape: habit });
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });

  it("writes numbers as the servers do", () => {
    const texts = [0, -0, -9999, -2.4e-7, -1.2676506e30, -0.5].map((value) => float(value).characters);
    expect(texts).toEqual(["0.0", "-0.0", "-9999.0", "-2.4e-07", "-1.2676506e+30", "-0.5"]);
  });

  it("keeps the order of a map's number-like keys, and escapes as asked", () => {
    const map = new Map([
      ["2", new Literal("-0.1")],
      ["1", new Literal("-3.0")],
    ]);
    expect(writeJson(map, { layout: "compact", escape: "raw" })).toBe('{"2":-0.1,"1":-3.0}');
    expect(writeJson(["é<"], { layout: "compact", escape: "ascii" })).toBe('["\\u00e9<"]');
    expect(writeJson(["é<"], { layout: "spaced", escape: "html" })).toBe('["é\\u003c"]');
  });
});
