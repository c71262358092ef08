import { describe, expect, it } from "vitest";
import { twoProportionTest } from "../../stats/tests/two-proportion-test.js";
import { type SliceCounts, sliceReport } from "./slices.js";

const slice = (
  value: string,
  n: number,
  indefensible: number,
  automated: number,
  both: number,
  name = "language",
): SliceCounts => ({
  slice: name,
  value,
  n,
  indefensible,
  inverse_yes: 0,
  automated,
  automated_indefensible: both,
});

describe("sliceReport", () => {
  const even = [slice("en", 500, 20, 400, 10), slice("de", 300, 12, 240, 6), slice("fr", 200, 8, 160, 4)];

  it("has rates with intervals, each value tested against the rest", () => {
    const { rows, tests } = sliceReport(even);
    expect(tests).toBe(9);
    expect(rows[0]).toMatchObject({ di: { estimate: 0.96, k: 480, n: 500 }, automation_rate: { estimate: 0.8 } });
    // As the fleet's: of the automated decisions.
    expect(rows[0]!.automated_indefensible_rate).toMatchObject({ estimate: 0.025, k: 10, n: 400 });
    expect(sliceReport([slice("en", 500, 20, 0, 0)]).rows[0]!.automated_indefensible_rate).toEqual({
      estimate: null,
      reason: "no decision is automated",
      n: 0,
    });
    expect(rows[1]!.tests.indefensible.p).toBe(twoProportionTest(12, 300, 28, 700).p);
    expect(rows[1]!.tests.automated.difference).toBeCloseTo(0, 12);
  });

  it("is silent where all are alike, and warns where automation falls harder on one", () => {
    expect(sliceReport(even).warnings).toEqual([]);
    const { warnings } = sliceReport([...even.slice(0, 2), slice("fr", 200, 60, 160, 40)]);
    expect(warnings.map(({ value, measure }) => [value, measure])).toEqual([
      ["fr", "indefensible"],
      ["fr", "automated_indefensible"],
    ]);
    expect(warnings[1]!.text).toBe(
      "language = fr: 20.0% of 200 decisions are automated and indefensible, 2.0% elsewhere.",
    );
  });

  it("warns of an automation rate that differs in either direction, of two values once", () => {
    const { warnings } = sliceReport([slice("en", 500, 20, 400, 10), slice("de", 500, 20, 100, 3)]);
    expect(warnings.map(({ value, measure }) => [value, measure])).toEqual([["en", "automated"]]);
    const three = sliceReport([...even.slice(0, 2), slice("fr", 200, 8, 20, 1)]);
    expect(three.warnings.map(({ value, measure }) => [value, measure])).toContainEqual(["fr", "automated"]);
  });

  it("tests a property with two values once, and pays for all slices together", () => {
    const two = sliceReport([slice("en", 500, 20, 400, 10), slice("de", 100, 9, 80, 5)]);
    expect(two.tests).toBe(3);
    expect(two.rows[0]!.tests.indefensible.adjusted_p).toBe(two.rows[1]!.tests.indefensible.adjusted_p);
    const more = sliceReport([
      slice("en", 500, 20, 400, 10),
      slice("de", 100, 9, 80, 5),
      ...["x", "y", "z"].map((value) => slice(value, 200, 10, 160, 5, "kind")),
    ]);
    expect(more.tests).toBe(12);
    expect(more.rows[1]!.tests.indefensible.adjusted_p!).toBeGreaterThan(two.rows[1]!.tests.indefensible.adjusted_p!);
  });

  it("compares with what it is told to where values overlap", () => {
    const rest = { n: 900, indefensible: 30, automated: 700, automated_indefensible: 15 };
    const { rows } = sliceReport([{ ...slice("spam", 100, 20, 80, 15, "tag"), rest }]);
    expect(rows[0]!.tests.indefensible.p).toBe(twoProportionTest(20, 100, 30, 900).p);
  });

  it("leaves out tests without a rest, and knows no slices at all", () => {
    const alone = sliceReport([slice("en", 50, 2, 40, 1)]);
    expect(alone.tests).toBe(0);
    expect(alone.rows[0]!.tests.automated).toMatchObject({ p: null, adjusted_p: null, difference: null });
    expect(sliceReport([slice("en", 50, 2, 40, 1), slice("de", 0, 0, 0, 0)]).rows[1]!.di.estimate).toBeNull();
    expect(sliceReport([])).toMatchObject({ rows: [], tests: 0, warnings: [] });
    expect(() => sliceReport([], 0)).toThrow(RangeError);
  });
});
