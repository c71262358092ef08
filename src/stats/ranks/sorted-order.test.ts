import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../random/create-rng.js";
import { firstWhere, sortedOrder } from "./sorted-order.js";

/** The definition: by value, then by row. −0 and 0 are equal. */
const expected = (values: Float64Array) =>
  Array.from(values.keys()).sort((i, j) => (values[i]! < values[j]! ? -1 : values[i]! > values[j]! ? 1 : i - j));

describe("sortedOrder", () => {
  it("is a stable sort of any numbers, few or many", () => {
    const value = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(0, -0, 1, -1, Infinity, -Infinity, Number.MIN_VALUE, -Number.MIN_VALUE, 0.5),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (list, copies) => {
        const values = Float64Array.from(Array.from({ length: copies }, () => list).flat());
        expect([...sortedOrder(values)]).toEqual(expected(values));
      }),
    );
  });

  it.each([
    ["scores", (u: number) => u ** 0.1],
    ["rounded scores", (u: number) => Math.round(100 * u) / 100],
    ["scores that differ in their lower half only", (u: number) => 1 - 1e-9 * u],
    ["numbers of both signs and all sizes", (u: number) => (u - 0.5) * 10 ** (300 * (u - 0.5))],
    ["one value", () => 0.25],
    ["numbers in order", (_: number, i: number) => i],
    ["numbers in the other order", (_: number, i: number) => -i],
  ])("sorts 20,000 %s", (_, law) => {
    const rng = createRng(8);
    const values = Float64Array.from({ length: 20_000 }, (_, i) => law(rng.next(), i));
    expect([...sortedOrder(values)]).toEqual(expected(values));
  });

  it("leaves its argument alone and refuses NaN", () => {
    const values = Float64Array.of(2, 1);
    sortedOrder(values);
    expect([...values]).toEqual([2, 1]);
    expect(() => sortedOrder(Float64Array.of(1, Number.NaN))).toThrow("values: not comparable");
    expect([...sortedOrder(new Float64Array(0))]).toEqual([]);
  });
});

describe("firstWhere", () => {
  it("is the first number that holds, and the end where none does", () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.nat(100), fc.nat(120), (from, length, place) => {
        const first = from + Math.min(place, length);
        expect(firstWhere(from, from + length, (at) => at >= from + place)).toBe(first);
      }),
    );
  });
});
