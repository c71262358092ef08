import { expect, it } from "vitest";
import { reference } from "../../../test/references/weighted-rows.js";
import { columnsOf } from "../../measures/calibration/paper-columns.suite.js";
import { type LoadedScores, temperatureRows } from "../report/choose-target.js";

it.each(reference.datasets)(
  "labels are weighted in the rows by temperature, as scipy and sklearn do: $name",
  (dataset) => {
    const { rows, temperature: expected } = dataset;
    const columns = columnsOf(rows);
    columns.targetLevel = columns.level;
    columns.targetWeight = Float64Array.from(rows.weight);
    const arm = { arm: "t=1", temperature: 1, attempted: columns.n, columns };
    const loaded = { main: { ...arm, arm: "", temperature: 0 }, temperatures: [arm] } as unknown as LoadedScores;
    const [alpha, beta, gamma] = expected.weights as [number, number, number];
    const score = Float64Array.from(rows.p, (row) => 1 - row[2]!);
    const found = temperatureRows(loaded, { alpha, beta, gamma, component: "h_w" }, () => score, {
      seed: 1,
      draws: 20,
    });
    expect(found).toHaveLength(2);
    for (const row of found) {
      expect(row.ece).toBeCloseTo(expected.ece, 12);
      expect(row.defensible_rate).toBeCloseTo(expected.defensible_rate, 12);
      for (const of of ["all", "defensible", "indefensible"] as const) {
        expect(row.mean_pds[of]).toBeCloseTo(expected.mean_pds[of], 12);
      }
      expect(row.calibrated!.ece).toBeCloseTo(expected.calibrated.ece, 12);
      expect(row.calibrated!.log_loss).toBeCloseTo(expected.calibrated.log_loss, 9);
      expect(row.n).toBe(rows.level.length);
    }
  },
);
