import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortScores } from "./calibration-error.js";
import { evaluateScore } from "./evaluate-score.js";
import { weightedError } from "./evaluation-intervals.js";

const rows = fc.array(
  fc.record({
    score: fc.integer({ min: 0, max: 12 }).map((s) => s / 12),
    target: fc.integer({ min: 0, max: 1 }),
    cluster: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 40 },
);

describe("a resample by weights", () => {
  it("has the ECE of the sample with every row copied as often as its community was drawn", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }), (list, drawn) => {
        const of = (all: typeof list) => ({
          score: Float64Array.from(all, (row) => row.score),
          target: Uint8Array.from(all, (row) => row.target),
        });
        // Copies stand side by side, so that equal scores keep their order.
        const copied = of(list.flatMap((row) => new Array<typeof row>(drawn[row.cluster]!).fill(row)));
        const want = evaluateScore(copied.score, copied.target, { seed: 1, draws: 0 });
        const { score, target } = of(list);
        const sorted = sortScores(score, target);
        const cluster = Int32Array.from(sorted.rows, (row) => list[row]!.cluster);
        const sizes = Float64Array.from([0, 1, 2, 3], (c) => list.filter((row) => row.cluster === c).length);
        const weights = Float64Array.from(drawn);
        const error = weightedError(sorted, cluster, weights, sizes, 10);
        if (want.n === 0) expect(error).toBeNull();
        else expect(error).toBeCloseTo(want.ece.equal_frequency.value!, 12);
      }),
    );
  });
});
