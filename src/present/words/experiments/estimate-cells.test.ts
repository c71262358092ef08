import { describe, expect, it } from "vitest";
import type { Compared } from "../../../experiments/study/result.js";
import { differenceCell, intervalCell, valueText } from "./estimate-cells.js";

const row = (unit: Compared["unit"], value: number, difference: number): Compared =>
  ({ unit, digits: 3, difference, ours: { value, lower: -Math.abs(value), upper: Math.abs(value) } }) as Compared;

describe("a value beside the paper's", () => {
  it("has its unit; differences of rates are signed in points, and what rounds to zero has no sign", () => {
    const rows = [row("share", 0.1234, -0.02), row("points", 0.05, 0.01), row("number", 0.5, -0.0001)];
    rows.push(row("count", 1234, -1234), row("count", -0.2, 0.2));
    expect(rows.map((one) => valueText(one.ours.value, one))).toEqual(["12.3%", "+5.0 pp", "0.500", "1,234", "0"]);
    expect(rows.map(differenceCell)).toEqual(["−2.0 pp", "+1.0 pp", "0.000", "−1,234", "0"]);
    expect(rows.map(intervalCell)).toEqual([
      "−12.3 to 12.3",
      "−5.0 to 5.0",
      "−0.500 to 0.500",
      "−1,234 to 1,234",
      "0 to 0",
    ]);
  });

  it("is a dash where it is undefined, and its difference nothing", () => {
    expect(valueText(null, { unit: "share", digits: 3 })).toBe("–");
    expect(differenceCell({ ...row("share", 0.1, 0.1), difference: null })).toBe("");
  });
});
