import { describe, expect, it } from "vitest";
import type { Compared } from "../../experiments/study/result.js";
import { differenceCell, referenceCell, valueCell } from "./experiment-words.js";
import { sentenceText } from "./sentence.js";

const row = (unit: Compared["unit"], value: number, difference: number): Compared =>
  ({
    unit,
    digits: 3,
    difference,
    paper: value - difference,
    ours: { value, lower: -Math.abs(value), upper: Math.abs(value) },
  }) as Compared;

describe("a value next to the paper's", () => {
  const rows = [row("share", 0.1234, -0.02), row("points", 0.05, 0.01), row("number", 0.5, -0.0001)];
  rows.push(row("count", 1234, -1234), row("count", -0.2, 0.2));
  const cells = (cell: (at: string, one: Compared) => ReturnType<typeof valueCell>) =>
    rows.map((one, i) => sentenceText({ rows }, [cell(`/rows/${i}`, one)]));

  it("has its unit; differences of rates are signed in points, and what rounds to zero has no sign", () => {
    expect(cells((at, one) => valueCell(`${at}/ours`, one))).toEqual([
      "12.3% (−12.3% to 12.3%)",
      "+5.0 pp (−5.0 to +5.0)",
      "0.500 (−0.500 to 0.500)",
      "1,234 (−1,234 to 1,234)",
      "0 (0 to 0)",
    ]);
    expect(cells(referenceCell)).toEqual(["14.3%", "+4.0 pp", "0.500", "2,468", "0"]);
    expect(cells(differenceCell)).toEqual(["−2.0 pp", "+1.0 pp", "0.000", "−1,234", "0"]);
  });

  it("is a dash where it is undefined, and its difference nothing; without an interval it is by itself", () => {
    const undefinedRow = { ...row("share", 0.1, 0.1), difference: null, ours: { value: null } };
    const text = (cell: ReturnType<typeof valueCell>) => sentenceText({ a: undefinedRow, b: { value: 0.25 } }, [cell]);
    expect(text(valueCell("/a/ours", undefinedRow))).toBe("–");
    expect(text(differenceCell("/a", undefinedRow))).toBe("");
    expect(text(valueCell("/b", { unit: "share", digits: 4 }))).toBe("25.00%");
  });
});
