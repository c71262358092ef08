import { describe, expect, it } from "vitest";
import { openDuckDB } from "../store/files/duckdb.js";
import { COUNT, exactSums, type Grain, inParts, meanOfParts, PROBABILITY } from "./signal-counts.js";

async function meanOf(
  values: string,
  grain: Grain = PROBABILITY,
): Promise<{ mean: number; squaredDeviations: number }> {
  const db = await openDuckDB();
  const [row] = await db.rows<Record<`x_${"sum" | "coarse" | "squares"}`, bigint> & { n: number }>(
    `SELECT count(x)::INTEGER AS n, ${exactSums("parts", "x", grain).join(", ")} FROM (SELECT x, ${inParts("x", grain)} AS parts FROM (${values}))`,
  );
  db.close();
  const { n, x_sum: sum, x_coarse: coarse, x_squares: squares } = row!;
  return meanOfParts({ n, sum, coarse, squares }, grain);
}

describe("sums of parts", () => {
  it("have the mean and the deviations of the numbers", async () => {
    // Σ(x − 0.5)² of 0.1, 0.4, 1 is 0.16 + 0.01 + 0.25.
    const { mean, squaredDeviations } = await meanOf("SELECT unnest([0.1, 0.4, NULL, 1]) AS x");
    expect(mean).toBeCloseTo(0.5, 15);
    expect(squaredDeviations).toBeCloseTo(0.42, 13);
    expect(await meanOf("SELECT unnest([1, 2, 6]) AS x", COUNT)).toEqual({ mean: 3, squaredDeviations: 14 });
  });

  it("deviate by nothing where all are equal, and by what little they differ where they nearly are", async () => {
    for (const value of [0.97, 0.11920292202211755, 1, 0]) {
      const equal = await meanOf(`SELECT '${value}'::DOUBLE AS x FROM range(99991)`);
      expect(equal).toEqual({ mean: value, squaredDeviations: 0 });
    }
    // Half of them larger by 1e-9: 1000 · (0.5e-9)².
    const nearly = await meanOf("SELECT 0.97 + (i % 2) * 1e-9 AS x FROM range(1000) AS rows(i)");
    expect(nearly.squaredDeviations / 2.5e-16).toBeCloseTo(1, 5);
  });

  it("hold billions of the largest", () => {
    expect(2n ** 31n * (2n ** 48n) ** 2n).toBeLessThanOrEqual(2n ** 127n);
    // 2³⁰ ones and as many zeros.
    const n = 2 ** 31;
    const [sum, coarse, squares] = [62n, 48n, 96n].map((bits) => 2n ** (30n + bits)) as [bigint, bigint, bigint];
    expect(meanOfParts({ n, sum, coarse, squares }, PROBABILITY)).toEqual({ mean: 0.5, squaredDeviations: n / 4 });
  });

  it("are 0 of nothing", async () => {
    expect(await meanOf("SELECT NULL::DOUBLE AS x")).toEqual({ mean: 0, squaredDeviations: 0 });
  });
});
