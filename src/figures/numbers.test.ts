import { describe, expect, it } from "vitest";
import { decimal } from "./numbers.js";

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
