import { describe, expect, it } from "vitest";
import { chooseCalibration } from "./choose-calibration.js";
import { evaluateScore } from "./errors/evaluate-score.js";
import { usableRows } from "./features.js";
import { CALIBRATION_METHODS, fitMethod } from "./fit/methods.js";
import { type ScoreColumns, selectRows } from "./score-columns.js";
import { syntheticColumns } from "./synthetic.suite.js";

/** Whole weights, and the same rows as often as these say. */
function weighted(n: number): { columns: ScoreColumns; repeated: ScoreColumns } {
  const plain = syntheticColumns(n, 3);
  const copies = Float64Array.from({ length: n }, (_, i) => 1 + (i % 3));
  const columns = { ...plain, targetWeight: copies };
  const rows = Int32Array.from(copies).reduce<number[]>((all, count, i) => {
    for (let c = 0; c < count; c += 1) all.push(i);
    return all;
  }, []);
  return { columns, repeated: selectRows(plain, Int32Array.from(rows)) };
}

describe("rows with weights", () => {
  const { columns, repeated } = weighted(2600);

  it.each(CALIBRATION_METHODS)("are fitted by %s as if they were there as often as they count", (method) => {
    const fitted = (of: ScoreColumns) => {
      const { rows, features, dropped } = usableRows(of);
      return fitMethod(method, of, rows, { target: "levels", features, dropped });
    };
    const numbers = (model: object) =>
      JSON.stringify(model, (_, value) => (typeof value === "number" ? Number(value.toPrecision(5)) : value));
    expect(numbers(fitted(columns))).toBe(numbers(fitted(repeated)));
  });

  it("are measured as if they were there as often as they count", () => {
    const of = (all: ScoreColumns, weights?: Float64Array) =>
      evaluateScore(
        all.pDefensible,
        all.targetLevel!.map((level) => (level === 0 ? 2 : level <= 2 ? 1 : 0)),
        { seed: 1, draws: 20, weights },
      );
    const [got, want] = [of(columns, columns.targetWeight), of(repeated)];
    expect(got.log_loss.value).toBeCloseTo(want.log_loss.value!, 10);
    expect(got.log_loss.base_rate).toBeCloseTo(want.log_loss.base_rate!, 10);
    expect(got.auroc.estimate).toBeCloseTo(want.auroc.estimate!, 10);
    expect(got.brier.value).toBeCloseTo(want.brier.value!, 10);
    expect(got.ece.equal_width.value).toBeCloseTo(want.ece.equal_width.value!, 8);
    // Edges of bins fall between rows, of repeated rows also between copies.
    expect(got.ece.equal_frequency.value).toBeCloseTo(want.ece.equal_frequency.value!, 2);
    expect(got.mean_score.all).toBeCloseTo(want.mean_score.all!, 10);
    expect(got.ece.debiased_rms).toMatchObject({ value: null, reason: "not defined for weighted rows" });
    for (const bin of got.reliability) expect(bin.n).toBeGreaterThan(0);
  });

  it("are refused where they say as much as fewer than 30", () => {
    const targetWeight = columns.targetWeight!.map((_, i) => (i < 20 ? 1000 : 1));
    expect(chooseCalibration({ ...columns, targetWeight }, { seed: 1 })).toMatchObject({
      refused: true,
      reason: expect.stringContaining("count the same"),
    });
    const chosen = chooseCalibration(columns, { seed: 1, methods: ["platt"] });
    expect(chosen.refused ? 0 : chosen.effective_rows).toBeCloseTo((2600 * 4) / (14 / 3), -1);
  });
});
