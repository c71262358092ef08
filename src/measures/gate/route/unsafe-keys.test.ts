import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasDoubledKeys } from "./unsafe-keys.js";

const isDoubled = (text: string) => hasDoubledKeys(text, JSON.parse(text));

describe("a JSON text", () => {
  it("has a doubled key wherever one is repeated, however it is spelt", () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '{"x":[{"y":{"a":{"b":1},"a":null}}]}',
      '{"__proto__":1,"__proto__":2}',
      '{ "a" \t:\n1, "b": 2, "a" : 3 }',
      '{"a\\"":1,"a\\"":2}',
      '{"":0,"":0}',
      '{"a":":","a":1}',
      '{"a":1,"a":[":",":"]}',
      '{"a":"b\\":c","a":1}',
      '{"a" :1,"a":2}',
      '{"a":1,"a":"10:30, or 7 : 3"}',
    ])
      expect(isDoubled(text), text).toBe(true);
  });

  it("has none where every key of every object is written once", () => {
    for (const text of [
      '{"a":": \\"a\\":1","b":"\\\\"}',
      '[{"a":1},{"a":1}]',
      '{"a":{"a":[":","a\\\\\\":"]}}',
      '{"a":":","b":[":"," :",":"],"c":{":":": "},"d,":":\\":"}',
      '":"',
      "7",
      '"a"',
    ])
      expect(isDoubled(text), text).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, spaces) => {
        expect(isDoubled(JSON.stringify(value, null, spaces))).toBe(false);
      }),
      { numRuns: 2000 },
    );
    const awkward = fc.string({ unit: fc.constantFrom(...'":,[{\\\\ a') });
    fc.assert(
      fc.property(fc.array(fc.dictionary(awkward, fc.array(awkward))), fc.nat(1), (value, spaces) => {
        const text = JSON.stringify(value, null, spaces);
        expect(isDoubled(text), text).toBe(false);
        expect(isDoubled(`{"a\\\\":${text},"a\\\\" :7}`), text).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
