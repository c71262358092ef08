import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrokenJson, JsonCursor } from "./json-cursor.js";
import { layouts, writeJson } from "./scan-body.suite.js";

const at = (text: string) => new JsonCursor(Buffer.from(text));

describe("JsonCursor", () => {
  it("passes any value exactly", () => {
    fc.assert(
      fc.property(fc.jsonValue(), layouts, (value, layout) => {
        const text = writeJson(value, layout);
        const cursor = at(`  ${text} ,1`);
        cursor.skip();
        expect(cursor.at).toBe(2 + Buffer.byteLength(text));
      }),
    );
  });

  it("reads any string as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), layouts, (value, layout) => {
        expect(at(writeJson(value, layout)).string()).toBe(value);
      }),
    );
  });

  it("reads any number as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(at(JSON.stringify(value)).number()).toBe(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect([at("-0.0").number(), at("1e-05").number(), at("-1E+2").number()]).toEqual([-0, 1e-5, -100]);
    expect([at("NaN").number(), at("-Infinity").number(), at("Infinity").number()]).toEqual([NaN, -Infinity, Infinity]);
  });

  it("says null to what is not of the kind asked for, and passes it", () => {
    for (const text of ["null", "true", '"1"', "{}", "[1]"]) {
      const cursor = at(`${text},`);
      expect(cursor.number()).toBeNull();
      expect(cursor.at).toBe(text.length);
    }
    for (const text of ["null", "true", "1", "{}", '["a"]']) {
      const cursor = at(`${text},`);
      expect(cursor.string()).toBeNull();
      expect(cursor.at).toBe(text.length);
    }
  });

  it("goes through objects and lists", () => {
    const cursor = at(' { "a" : [ 1 , 2 ] , "b\\u0021" : { } , "c" : [ ] } ');
    const seen: unknown[] = [];
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      seen.push(key);
      if (cursor.isList()) {
        for (let more = cursor.firstItem(); more; more = cursor.nextItem()) seen.push(cursor.number());
      } else seen.push(cursor.firstKey());
    }
    expect(seen).toEqual(["a", 1, 2, "b!", null, "c"]);
    expect(cursor.peek()).toBe(-1);
  });

  it("tells an object inside what it passes", () => {
    expect(at('[{"a":[1,2],"b":"}]{"},{}]').skipNested()).toBe(true);
    expect(at('[{"a":[{}]}]').skipNested()).toBe(false);
    expect(at('[{"a":{}}]').skipNested()).toBe(false);
  });

  it.each([
    "",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    "[",
    "[1",
    "[1,",
    '"a',
    '"a\\',
    "{1:2}",
    '{"a" 1}',
    "[1 2]",
    '"\\x"',
    ",",
    "}",
  ])("calls %j broken", (text) => {
    const read = () => {
      const cursor = at(text);
      if (cursor.isObject()) {
        for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) cursor.skip();
      } else if (cursor.isList()) {
        for (let more = cursor.firstItem(); more; more = cursor.nextItem()) cursor.skip();
      } else cursor.string();
    };
    expect(read).toThrow(BrokenJson);
  });
});
