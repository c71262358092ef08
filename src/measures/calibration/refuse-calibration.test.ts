import { describe, expect, it } from "vitest";
import {
  type CalibrationChoice,
  type ChooseOptions,
  chooseCalibration,
  MINIMUM_OF_CLASS,
  MINIMUM_ROWS,
} from "./choose-calibration.js";
import type { ScoreColumns } from "./score-columns.js";
import { emptyColumns, syntheticColumns } from "./synthetic.suite.js";

function chosen(columns: ScoreColumns, options: Partial<ChooseOptions> = {}): CalibrationChoice {
  const choice = chooseCalibration(columns, { seed: 1, ...options });
  if (choice.refused) throw new Error(choice.reason);
  return choice;
}

const candidate = (choice: CalibrationChoice, method: string) =>
  choice.candidates.find((entry) => entry.method === method)!;

/** n rows, of which the first `bad` are of level 3 and the next `second` of level 2. */
function rowsOf(n: number, bad: number, second = 0): ScoreColumns {
  const columns = syntheticColumns(n, 31, 4);
  for (let i = 0; i < n; i += 1) columns.targetLevel![i] = i < bad ? 3 : i < bad + second ? 2 : 1;
  return columns;
}

describe("chooseCalibration, where rows are few,", () => {
  it("refuses with a reason", () => {
    const reason = (columns: ScoreColumns, options: Partial<ChooseOptions> = {}) => {
      const choice = chooseCalibration(columns, { seed: 1, ...options });
      return choice.refused ? choice.reason : "not refused";
    };
    const { targetLevel: _, ...without } = rowsOf(50, 20);
    expect(reason(without)).toBe("no row has a target");
    expect(reason({ ...rowsOf(50, 20), targetLevel: new Uint8Array(50) })).toBe("no row has a target");
    expect(reason(emptyColumns(0))).toBe("no row has a target");
    expect(reason(rowsOf(50, 0))).toBe("one class: all 50 rows are defensible");
    expect(reason(rowsOf(50, 50))).toBe("one class: all 50 rows are indefensible");
    expect(reason(rowsOf(MINIMUM_ROWS - 1, 10))).toBe("29 rows, at least 30 are needed");
    expect(reason(rowsOf(MINIMUM_ROWS, 10))).toBe("not refused");
    expect(reason(rowsOf(50, MINIMUM_OF_CLASS - 1))).toMatch(/^46 defensible and 4 indefensible rows, at least 5/);
    expect(reason(rowsOf(50, MINIMUM_OF_CLASS))).toBe("not refused");
    const silent = rowsOf(50, 20);
    silent.p1.fill(Number.NaN);
    expect(reason(silent)).toBe("no row with a target has level probabilities");
    expect(reason(rowsOf(50, 20), { methods: ["isotonic"] })).toMatch(/none of the methods.*isotonic needs 1000 rows/);
    expect(() => chooseCalibration(rowsOf(50, 20), { seed: 1, folds: 1 })).toThrow("folds");
    expect(() => chooseCalibration(rowsOf(50, 20), { seed: 1, methods: [] })).toThrow("methods");
  });

  it("falls back to two classes where a level is rare", () => {
    const choice = chosen(rowsOf(80, 20, MINIMUM_OF_CLASS - 1));
    expect(choice.target).toBe("binary");
    expect(candidate(choice, "vector").reason).toBe("needs rows of all three levels");
    expect(choice.candidates.every((entry) => entry.level_log_loss === null)).toBe(true);
    expect(choice.warnings.join()).toContain("rows of levels 1, 2, 3: 56, 4, 20");
    expect(chosen(rowsOf(80, 20, MINIMUM_OF_CLASS)).target).toBe("levels");
  });

  it("offers isotonic regression from 1,000 rows of each class on", () => {
    const enough = chosen(rowsOf(2000, 1000), { methods: ["isotonic"] });
    expect(enough.chosen).toBe("isotonic");
    const short = chosen(rowsOf(2000, 999), { methods: ["platt", "isotonic"] });
    expect(candidate(short, "isotonic").reason).toBe(
      "needs 1000 rows of each class; there are 1001 defensible and 999 indefensible",
    );
    expect(candidate(short, "isotonic").auroc.estimate).toBeNull();
  });
});
