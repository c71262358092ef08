import { describe, expect, it } from "vitest";
import { type CalibrationChoice, chooseCalibration } from "./choose-calibration.js";
import { scoreParts, unseenParts } from "./feature-worth.js";
import { syntheticColumns } from "./synthetic.suite.js";

const COLUMNS = syntheticColumns(300, 3);
const IDS = Array.from({ length: COLUMNS.n }, (_, i) => `d${i}`);
const CHOICE = chooseCalibration(COLUMNS, { seed: 1, methods: ["multinomial"] }) as CalibrationChoice;

const scored = (fitted: string[] | null, ids: string[] | null) => {
  const { parts, overlap } = unseenParts(CHOICE, fitted, { n: COLUMNS.n, ids });
  return { ...scoreParts(parts, COLUMNS), overlap };
};

describe("rows scored by a model that did not see their decision", () => {
  it("have the out-of-fold score where the decision was fitted", () => {
    const { score, overlap } = scored(IDS, IDS);
    expect(score).toEqual(CHOICE.outOfFold);
    expect(overlap).toBe(300);
  });

  it("have the model's own score where it was not, or where nobody knows", () => {
    const own = scoreParts([{ model: CHOICE.model, rows: Int32Array.from(IDS.keys()) }], COLUMNS);
    const others = IDS.map((id) => `other ${id}`);
    expect(scored(IDS, others)).toEqual({ ...own, overlap: 0 });
    expect(scored(null, IDS)).toEqual({ ...own, overlap: null });
    expect(scored(IDS, null)).toEqual({ ...own, overlap: null });
    expect(own.score).not.toEqual(CHOICE.outOfFold);
  });

  it("have none where every model has seen the decision", () => {
    // Two rows of different folds under one name.
    const other = CHOICE.rowFold.findIndex((fold) => fold !== CHOICE.rowFold[0]);
    const fitted = IDS.with(other, "d0");
    const { score } = scored(fitted, IDS);
    expect(score[0]).toBeNaN();
    expect(score.filter((value) => Number.isNaN(value))).toHaveLength(1);
  });

  it("have level probabilities that belong to the score", () => {
    const { score, levels } = scored(IDS, IDS);
    for (const i of [0, 7, 299]) expect(levels[3 * i]! + levels[3 * i + 1]!).toBeCloseTo(score[i]!, 12);
  });
});
