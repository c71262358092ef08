import { describe, expect, it } from "vitest";
import { evaluateScore } from "./evaluate-score.js";
import { paperLikeColumns } from "./paper-columns.suite.js";
import { defensibleTargets, paperScores } from "./paper-scores.js";
import { temperatureTable } from "./temperature-table.js";

const PAPER = { alpha: 0.6289, beta: 0.0113, gamma: 0.3598, component: "h_w" } as const;

describe("temperatureTable", () => {
  const columns = paperLikeColumns(900, 2);
  columns.pds.set(paperScores(columns, PAPER));
  columns.temperature = Float64Array.from({ length: 900 }, (_, i) => [0.7, 0.1, Number.NaN][i % 3]!);
  for (let i = 0; i < 90; i += 3) columns.pds[i] = Number.NaN;

  it("has a line for each temperature, ascending, rows that do not say last", () => {
    const table = temperatureTable(columns, { seed: 1, draws: 20 });
    expect(table.map(({ temperature, n, skipped }) => [temperature, n, skipped])).toEqual([
      [0.1, 300, 0],
      [0.7, 270, 30],
      [null, 300, 0],
    ]);
    expect(table[1]!.extracted).toMatchObject({ estimate: 0.9, k: 270, n: 300 });
  });

  it("is the evaluation of the rows of that temperature, means adding up as in the paper", () => {
    const [row] = temperatureTable(columns, { seed: 1, draws: 20 });
    const at = columns.temperature.map((temperature) => (temperature === 0.1 ? 1 : 0));
    const pick = <T extends Float64Array | Uint8Array>(values: T) => values.filter((_, i) => at[i] === 1) as T;
    const want = evaluateScore(pick(columns.pds), defensibleTargets(pick(columns.level)), { seed: 1, draws: 20 });
    expect(row).toMatchObject({
      ece: want.ece.equal_frequency,
      ece_tie_averaged: want.ece.tie_averaged,
      mean_score: want.mean_score,
      defensible: { k: want.n_defensible, n: 300 },
    });
    const share = row!.defensible.estimate!;
    const { all, defensible, indefensible } = row!.mean_score;
    expect(share * defensible! + (1 - share) * indefensible!).toBeCloseTo(all!, 12);
    expect(defensible! - indefensible!).toBeGreaterThan(0.1);
  });

  it("measures another score against another target where they are given", () => {
    const targetLevel = columns.level.map((level) => (level === 3 ? 0 : level));
    const score = new Float64Array(900).fill(0.9);
    const table = temperatureTable(
      { ...columns, targetLevel },
      { seed: 1, draws: 0, score, target: "target", bins: 5 },
    );
    for (const row of table) {
      expect(row.defensible.estimate).toBe(1);
      expect(row.ece.value).toBeCloseTo(0.1, 12);
      expect(row.ece.null_95).toBeNull();
    }
  });

  it("is empty for no rows", () => {
    expect(temperatureTable({ ...columns, n: 0, temperature: new Float64Array(0) }, { seed: 1 })).toEqual([]);
  });
});
