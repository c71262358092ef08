import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuckJson, parseJson } from "./parse-json.js";

describe("parseJson", () => {
  it("keeps snowflake ids that a double would round", () => {
    expect(parseJson('{"id":1234567890123456789,"n":-1234567890123456789,"list":[12345678901234567890]}')).toEqual({
      id: "1234567890123456789",
      n: "-1234567890123456789",
      list: ["12345678901234567890"],
    });
  });

  it("leaves numbers alone that a double can hold, and digits inside text", () => {
    const quoted = JSON.stringify('x 1234567890123456789, "1234567890123456789" \\');
    const text = `{"a":9007199254740991,"b":0.12345678901234567,"c":1234567890123456789e2,"d":${quoted}}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("is JSON.parse for everything without such numbers", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (!/\d{16}/.test(text)) expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(parseDuckJson(text)).toEqual(parseJson(text));
      }),
    );
  });

  it("refuses what is not JSON", () => {
    for (const text of ["", "{", '{"a":NaN}', "undefined", '{"a":1234567890123456789'])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe("parseDuckJson", () => {
  it("reads NaN and infinities as null, and leaves them in text", () => {
    expect(parseDuckJson('{"a":NaN,"b":[-Infinity,Infinity],"c":"NaN","id":1234567890123456789}')).toEqual({
      a: null,
      b: [null, null],
      c: "NaN",
      id: "1234567890123456789",
    });
  });
});
