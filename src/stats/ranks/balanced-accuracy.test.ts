import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/stats.js";
import { expectClose, expectDefined } from "../estimate.suite.js";
import { balancedAccuracy } from "./detection.js";

const table = (size: number) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: size, maxLength: size }), {
    minLength: size,
    maxLength: size,
  });

describe("balancedAccuracy", () => {
  it.each(reference.balanced_accuracy)("agrees with scikit-learn and numpy on $table", (want) => {
    expectClose(balancedAccuracy(want.table), want);
  });

  it("is unchanged when classes change places", () => {
    fc.assert(
      fc.property(table(3), (counts) => {
        const want = balancedAccuracy(counts);
        fc.pre(want.estimate !== null);
        expectClose(balancedAccuracy(counts.toReversed().map((row) => row.toReversed())), expectDefined(want));
      }),
    );
  });

  it("keeps its value when one class has ten times the rows", () => {
    expect(
      expectDefined(
        balancedAccuracy([
          [400, 100],
          [5, 95],
        ]),
      ).estimate,
    ).toBeCloseTo(0.875, 12);
  });

  it("has an interval with width when every answer is right", () => {
    const perfect = expectDefined(
      balancedAccuracy([
        [9, 0],
        [0, 30],
      ]),
    );
    expect(perfect).toMatchObject({ estimate: 1, upper: 1, n: 39 });
    expect(perfect.lower).toBeLessThan(0.95);
    expect(perfect).not.toHaveProperty("warnings");
  });

  it("leaves out an absent class and says so", () => {
    const got = expectDefined(
      balancedAccuracy([
        [8, 2, 0],
        [0, 0, 0],
        [1, 0, 3],
      ]),
    );
    expect(got.estimate).toBeCloseTo((0.8 + 0.75) / 2, 12);
    expect(got.warnings).toEqual(["class 2 of 3 has no rows and is left out"]);
  });

  it("is undefined without rows and refuses a table that is not square", () => {
    expect(
      balancedAccuracy([
        [0, 0],
        [0, 0],
      ]),
    ).toEqual({ estimate: null, reason: "no rows", n: 0 });
    expect(() =>
      balancedAccuracy([
        [1, 2, 3],
        [1, 2, 3],
      ]),
    ).toThrow(RangeError);
  });
});
