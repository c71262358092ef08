import { describe, expect, it } from "vitest";
import { lowess } from "../../stats/optimise/lowess.js";
import { smoothed } from "./case-figures.js";
import type { CaseRow } from "./result.js";

/** Nearly all cases always get the same level: local lines at the few others run away. */
const points = [
  [0.5, 0.03],
  [0.6, 0.2],
  [0.97, 0.1],
  [0.98, 0.04],
  ...Array.from({ length: 28 }, (_, i) => [1, i / 28_000] as const),
] as const;
const cases = points.map(
  ([dominant_share, sd]) => ({ temperature: 0.1, dominant_share, sd_pds: sd, sd_p_defensible: sd }) as CaseRow,
);

describe("the smoothed curves of spread", () => {
  it("hold no value that no case has: neither a spread below 0 nor one of 2.9", () => {
    const [x, y] = [points.map((one) => one[0]), points.map((one) => one[1])];
    expect(Math.max(...lowess(x, y).y)).toBeGreaterThan(1);
    const values = smoothed(cases).rows.map(({ value }) => Number(value));
    expect(values.length).toBeGreaterThan(2);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThanOrEqual(0.2);
  });
});
