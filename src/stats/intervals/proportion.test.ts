import { describe, expect, it } from "vitest";
import { expectDefined } from "../estimate.suite.js";
import { proportion, wilsonInterval } from "./proportion.js";

describe("proportion", () => {
  it("is k/n with Wilson's interval", () => {
    expect(proportion(27, 30)).toEqual({
      estimate: 0.9,
      ...wilsonInterval(27, 30),
      level: 0.95,
      method: "wilson",
      k: 27,
      n: 30,
    });
    expectDefined(proportion(0, 1, 0.5));
    expectDefined(proportion(12.25, 30));
  });

  it("is undefined without rows", () => {
    expect(proportion(0, 0)).toEqual({ estimate: null, reason: "no rows", n: 0 });
  });

  it("refuses a number of rows that is none", () => {
    expect(() => proportion(1, 2.5)).toThrow(RangeError);
    expect(() => proportion(3, 2)).toThrow(RangeError);
    expect(() => proportion(0, -1)).toThrow(RangeError);
  });
});
