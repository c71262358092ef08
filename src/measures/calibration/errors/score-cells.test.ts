import { describe, expect, it } from "vitest";
import { groupedMean, levelLogLosses, logLosses } from "./score-cells.js";

describe("groupedMean", () => {
  it("counts communities, not rows, as units", () => {
    // Two communities of opposite values: however many rows, there are two units.
    const few = groupedMean(Float64Array.of(0, 0, 1, 1), Int32Array.of(0, 0, 1, 1));
    const many = groupedMean(
      Float64Array.from({ length: 100 }, (_, i) => i % 2),
      Int32Array.from({ length: 100 }, (_, i) => i % 2),
    );
    // Without either community the mean moves by a half.
    expect(few.standard_error).toBeCloseTo(Math.SQRT1_2, 12);
    expect(many.standard_error).toBeCloseTo(Math.SQRT1_2, 12);
  });

  it("knows that one large community among small ones says little more than itself", () => {
    // Shares 0.8, 0.1, 0.1 by weight: 1/0.66 communities of equal size, so one degree of freedom.
    const x = Float64Array.of(0, 1, 2);
    const uneven = groupedMean(x, Int32Array.of(0, 1, 2), Float64Array.of(8, 1, 1));
    const change = [1.5 - 0.3, 2 / 9 - 0.3, 1 / 9 - 0.3];
    const se = Math.hypot(...change);
    expect(uneven).toMatchObject({ estimate: 0.3, method: "jackknife, t over communities" });
    expect(uneven.standard_error).toBeCloseTo(se, 12);
    expect(uneven.estimate !== null && uneven.upper).toBeCloseTo(0.3 + 12.706204736 * se, 7);
  });

  it("takes rows as units in one community, and has no error for one row", () => {
    const one = groupedMean(Float64Array.of(1, 2, 3, 4), new Int32Array(4));
    expect(one.standard_error).toBeCloseTo(Math.sqrt(5) / 3, 12);
    expect(groupedMean(Float64Array.of(1, Number.NaN), new Int32Array(2)).estimate).toBeNull();
    expect(groupedMean(new Float64Array(0), new Int32Array(0))).toMatchObject({ estimate: null, reason: "no rows" });
  });
});

describe("losses", () => {
  it("are −ln of the probability of what happened, and finite for S = 1 with y = 0", () => {
    const losses = logLosses(Float64Array.of(0.5, 1, 1, Number.NaN), Uint8Array.of(0, 1, 0, 1));
    expect([...losses]).toEqual([Math.LN2, -0, -Math.log(1e-12), Number.NaN]);
    expect([...levelLogLosses(Float64Array.of(0.2, 0.3, 0.5, 1, 0, 0), Uint8Array.of(2, 3))]).toEqual([
      -Math.log(0.3),
      -Math.log(1e-12),
    ]);
  });
});
