import { describe, expect, it } from "vitest";
import { decimal, pCell, points, pointsInterval, pText, signed, unbroken } from "./numbers.js";

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
  it("are told apart down to 0.001, with and without their name, and stay on one line", () => {
    expect([0.0311, 0.001, 0.00099, null].map(pText)).toEqual(["p = 0.031", "p = 0.001", "p < 0.001", "p undefined"]);
    expect([0.0311, 0.00099, null, undefined].map(pCell)).toEqual(["0.031", "< 0.001", "–", "–"]);
    expect(unbroken(pCell(0))).toBe("<\u00a00.001");
  });
});

describe("unbroken", () => {
  const ties = (text: string) => unbroken(text).replaceAll("\u00a0", "_");

  it("ties numbers to their unit and to the sign before them, and nothing else", () => {
    expect(ties("S ≥ 0.9 holds for 12 % (+1.5 pp to +2.0 pp), p < 0.001")).toBe(
      "S_≥_0.9 holds for 12_% (+1.5_pp to +2.0_pp), p_<_0.001",
    );
    expect(ties("12 decisions, 3 of 4")).toBe("12 decisions, 3 of 4");
  });

  it("ties what stands at its ends to what comes there, and is the same when done twice", () => {
    expect(ties("n = ")).toBe("n_=_");
    expect(ties(" % of them")).toBe("_% of them");
    expect(unbroken(unbroken("p = 0.5 %"))).toBe(unbroken("p = 0.5 %"));
  });
});
