import { describe, expect, it } from "vitest";
import { decimal, pCell, points, pointsInterval, pText, signed } from "./numbers.js";

describe("decimal", () => {
  it("writes a true minus, and no sign before a zero", () => {
    expect([-0.4, -0.001, 0, 0.004, null].map((value) => decimal(value))).toEqual([
      "−0.40",
      "0.00",
      "0.00",
      "0.00",
      "–",
    ]);
    expect(decimal(-0.0004, 3)).toBe("0.000");
    expect(decimal(-0.3, 0)).toBe("0");
    expect(decimal(-10, 0)).toBe("−10");
  });
});

describe("signed", () => {
  it("tells above from below, and gives no sign to what rounds to zero", () => {
    const values = [0.4, -0.4, 0.04, -0.04, 0, -0];
    expect(values.map((value) => signed(value, 1))).toEqual(["+0.4", "−0.4", "0.0", "0.0", "0.0", "0.0"]);
    expect([0.321, -0.0001, 0.0001].map(points)).toEqual(["+32.1 pp", "0.0 pp", "0.0 pp"]);
    expect(pointsInterval({ lower: -0.0004, upper: 0.02 })).toBe("0.0 to +2.0");
    expect(pointsInterval(null)).toBe("–");
  });
});

describe("p-values", () => {
  it("are told apart down to 0.001, with and without their name", () => {
    expect([0.0311, 0.001, 0.00099, null].map(pText)).toEqual(["p = 0.031", "p = 0.001", "p < 0.001", "p undefined"]);
    expect([0.0311, 0.00099, null, undefined].map(pCell)).toEqual(["0.031", "< 0.001", "–", "–"]);
  });
});
