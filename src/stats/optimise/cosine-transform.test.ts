import { describe, expect, it } from "vitest";
import { createRng } from "../random/create-rng.js";
import { cosineTransform } from "./cosine-transform.js";

describe("cosineTransform", () => {
  it.each([2, 4, 16, 256])("is its definition in both directions for %i points", (m) => {
    const rng = createRng(m);
    const values = Float64Array.from({ length: m }, () => rng.next() - 0.5);
    const { forward, backward } = cosineTransform(m);
    const coefficients = new Float64Array(m);
    forward(values, coefficients);
    for (let k = 0; k < m; k += 1) {
      const sum = values.reduce((total, value, j) => total + value * Math.cos((Math.PI * k * (j + 0.5)) / m), 0);
      expect(coefficients[k]).toBeCloseTo(sum, 12);
    }
    const back = new Float64Array(m);
    backward(coefficients, back);
    for (let j = 0; j < m; j += 1) expect(back[j]! / m).toBeCloseTo(values[j]!, 13);
  });

  it("refuses a size that is no power of two", () => {
    for (const size of [0, 1, 3, 12, 2.5]) expect(() => cosineTransform(size)).toThrow("not a power of two");
  });
});
