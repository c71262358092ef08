import { describe, expect, it } from "vitest";
import { newcombeInterval } from "../../../stats/intervals/two-proportions.js";
import { chiSquareTest, exactTableTest } from "../../../stats/tests/table-tests.js";
import { columnsOf, emptyColumns } from "../paper-columns.suite.js";
import type { ScoreColumns } from "../score-columns.js";
import { extractionCheck } from "./extraction-check.js";

/** So many rows of each level, the first of each without σ(ρ). */
function withSkips(rows: [number, number, number], skipped: [number, number, number]): ScoreColumns {
  const level = rows.flatMap((count, l) => new Array<number>(count).fill(l + 1));
  const sigma = rows.flatMap((count, l) =>
    Array.from({ length: count }, (_, i) => (i < skipped[l]! ? Number.NaN : 0.2)),
  );
  const zero = level.map(() => 0);
  return columnsOf({ level, lambda: zero, entropy: zero, sigma });
}

describe("extractionCheck", () => {
  it("counts what was skipped by reason", () => {
    const columns = withSkips([6, 2, 2], [1, 0, 0]);
    columns.lambdaNats[1] = Number.NaN;
    columns.weightBits[2] = Number.NaN;
    columns.weightBits[3] = Number.NaN;
    columns.inverseYesProb[3] = Number.NaN;
    for (const column of [columns.lambdaNats, columns.weightBits, columns.inverseYesProb]) column[4] = Number.NaN;
    const got = extractionCheck(columns);
    expect(got.skipped).toEqual({ no_signal: 1, label_confidence: 1, entropy: 1, inverse_check: 1, several: 1 });
    expect(got.extracted).toMatchObject({ estimate: 0.5, k: 5, n: 10, method: "wilson" });
    expect(got.levels).toEqual({ extracted: [1, 2, 2], skipped: [5, 0, 0] });
    expect(extractionCheck(columns, "h_kappa").skipped).toMatchObject({ entropy: 0, several: 1, inverse_check: 2 });
  });

  it("tests by chi-square where every expected count is 5 or more, exactly below", () => {
    const many = extractionCheck(withSkips([900, 300, 120], [30, 10, 20]));
    const want = chiSquareTest([
      [870, 290, 100],
      [30, 10, 20],
    ]);
    expect(want.least_expected).toBeGreaterThan(5);
    expect(many.test).toEqual({ method: "chi-square", statistic: want.statistic, p: want.p });
    expect(many.level3_difference).toEqual({
      estimate: 20 / 60 - 100 / 1260,
      interval: newcombeInterval(20, 60, 100, 1260),
    });
    const few = extractionCheck(withSkips([90, 30, 12], [3, 1, 4]));
    expect(few.test).toEqual({ method: "exact", statistic: null, p: exactTableTest([3, 1, 4], [87, 29, 8]) });
  });

  it("says in plain words what it found", () => {
    const statement = (rows: [number, number, number], skipped: [number, number, number]) =>
      extractionCheck(withSkips(rows, skipped)).statement;
    expect(statement([900, 300, 120], [30, 10, 20])).toMatch(/indefensible more often/);
    expect(statement([900, 300, 300], [100, 30, 1])).toMatch(/indefensible less often/);
    expect(statement([900, 300, 120], [30, 10, 4])).toMatch(/^Nothing speaks against/);
    expect(statement([5, 5, 5], [0, 0, 0])).toBe("Every verdict has a full signal.");
    expect(statement([5, 5, 5], [5, 5, 5])).toBe("No verdict has a full signal.");
    expect(statement([10, 0, 0], [5, 0, 0])).toBe("Whether skipping depends on the level cannot be tested: one level.");
    expect(extractionCheck(emptyColumns(0))).toMatchObject({
      n: 0,
      extracted: { estimate: null, reason: "no rows" },
      test: { method: null, p: null },
      statement: "There are no verdicts.",
    });
  });
});
