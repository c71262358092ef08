import { describe, expect, it } from "vitest";
import { sampleRows } from "./folds.js";
import { syntheticColumns, takeRows } from "./synthetic.suite.js";

describe("sampleRows", () => {
  it("takes as many of rows that are all alike as of others", () => {
    const alike = takeRows(
      syntheticColumns(10, 50),
      Array.from({ length: 20_000 }, (_, i) => (i % 4 === 0 ? i % 10 : 3)),
    );
    const taken = sampleRows(
      alike,
      Int32Array.from({ length: 20_000 }, (_, i) => i),
      4000,
      9,
    );
    expect(taken.length).toBeGreaterThan(3990);
    const same = taken.filter((i) => i % 4 !== 0).length / taken.length;
    expect(Math.abs(same - 0.75)).toBeLessThan(0.03);
  });

  it("takes all where there are few", () => {
    const rows = Int32Array.of(2, 5, 7);
    expect(sampleRows(syntheticColumns(10, 50), rows, 3, 9)).toBe(rows);
  });
});
