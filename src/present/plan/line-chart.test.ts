import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineChart } from "./plan-document.js";

const x = Array.from({ length: 21 }, (_, i) => i / 20);
const draw = (curves: { letter: string; values: number[] }[], mark?: number) =>
  lineChart({ x, curves, rows: 5, mark, xLabel: (value) => `${100 * value}%`, caption: ["what x is"] });

describe("lineChart", () => {
  it("draws a curve from top to bottom, with its axis and labels", () => {
    const down = x.map((value) => 1 - value);
    expect(draw([{ letter: "p", values: down }], 0.5)).toEqual([
      " 100% ┤ppp       ┊",
      "      │   ppppp  ┊",
      "  50% ┤        ppppp",
      "      │          ┊  ppppp",
      "   0% ┤          ┊       ppp",
      "      └─────────────────────",
      "       0%        50%       100%",
      "       what x is",
    ]);
  });

  it("fills steep pieces in and marks where curves meet", () => {
    const step = x.map((value) => (value < 0.5 ? 1 : 0));
    const lines = draw([
      { letter: "a", values: step },
      { letter: "b", values: x.map(() => 0) },
    ]);
    expect(lines[0]!.slice(7)).toBe("aaaaaaaaaa");
    expect(lines[1]!.slice(7)).toBe("          a");
    expect(lines[4]!.slice(7)).toBe("bbbbbbbbbb###########");
  });

  it("has every curve in every column and never leaves its frame", () => {
    const values = fc.array(fc.double({ min: -1, max: 2, noNaN: true }), { minLength: 21, maxLength: 21 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const lines = draw([
          { letter: "a", values: a },
          { letter: "b", values: b },
        ]).slice(0, 5);
        for (let column = 0; column < 21; column++) {
          const cells = lines.map((line) => line[7 + column] ?? " ").join("");
          expect(cells).toMatch(/a|#/);
          expect(cells).toMatch(/b|#/);
        }
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(28);
      }),
    );
  });
});
