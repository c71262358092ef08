import { describe, expect, it } from "vitest";
import { fitPaper } from "../../measures/calibration/paper/fit-paper.js";
import { emptyColumns, paperLikeColumns } from "../../measures/calibration/paper-columns.suite.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import { createRng } from "../../stats/random/create-rng.js";
import { heldOutRow, paperCalibration, weightIntervals } from "./calibration-table.js";

const COMMUNITIES = 20;

/** Rows spread over communities, one after the other. */
function inCommunities(columns: ScoreColumns): ScoreColumns {
  return {
    ...columns,
    community: Int32Array.from({ length: columns.n }, (_, i) => i % COMMUNITIES),
    communities: Array.from({ length: COMMUNITIES }, (_, i) => `c${i}`),
  };
}

const columns = inCommunities(paperLikeColumns(1200, 5));
const settings = { seed: 1, draws: 100 };

describe("weightIntervals", () => {
  it("is the fit of all rows, within its interval", () => {
    const { weights, loss } = fitPaper(columns);
    const found = weightIntervals(columns, "h_w", { rng: createRng(1), draws: 100 });
    for (const name of ["alpha", "beta", "gamma"] as const) {
      const one = found[name];
      expect(one.estimate).toBeCloseTo(weights[name], 9);
      expect(one.estimate !== null && one.lower <= one.estimate && one.estimate <= one.upper).toBe(true);
    }
    expect(found.loss.estimate).toBeCloseTo(loss!, 9);
    expect(found.gamma.estimate !== null && found.gamma.upper - found.gamma.lower).toBeGreaterThan(0.01);
  });

  it("does not depend on the order of rows", () => {
    const order = Int32Array.from({ length: columns.n }, (_, i) => columns.n - 1 - i);
    const reversed = {
      ...columns,
      level: Uint8Array.from(order, (i) => columns.level[i]!),
      lambdaNats: Float64Array.from(order, (i) => columns.lambdaNats[i]!),
      weightBits: Float64Array.from(order, (i) => columns.weightBits[i]!),
      inverseYesProb: Float64Array.from(order, (i) => columns.inverseYesProb[i]!),
      community: Int32Array.from(order, (i) => columns.community[i]!),
    };
    const draw = (of: ScoreColumns) => weightIntervals(of, "h_w", { rng: createRng(7), draws: 50 }).gamma;
    const [a, b] = [draw(columns), draw(reversed)];
    expect(a.estimate !== null && b.estimate !== null && Math.abs(a.upper - b.upper)).toBeLessThan(1e-6);
  });
});

describe("paperCalibration", () => {
  it("gives weights that are ready to be used, and the error on the same rows", () => {
    const { weights, reason, ece } = paperCalibration(columns, settings);
    expect(reason).toBeNull();
    expect(weights).toMatchObject({ component: "h_w", calibrated: true, n_samples: 1200 });
    expect(ece).toMatchObject({ method: "jackknife of communities, t", n: 1200 });
  });

  it("has an error without interval in a single community", () => {
    expect(paperCalibration(paperLikeColumns(300, 5), settings).ece).toMatchObject({
      n: 300,
      plain: expect.any(Number),
    });
  });

  it("says why nothing is fitted", () => {
    const one = paperCalibration({ ...columns, level: new Uint8Array(columns.n).fill(1) }, settings);
    expect(one).toMatchObject({ weights: null, reason: "all 1200 rows are of one class" });
    const none = paperCalibration(emptyColumns(0), settings);
    expect(none).toMatchObject({ weights: null, reason: "no rows", ece: { estimate: null } });
  });
});

describe("heldOutRow", () => {
  it("counts what has S among all audits, and parts S by level", () => {
    const row = heldOutRow(
      { arm: "t=0.7", temperature: 0.7, attempted: 1500, verdicts: 1200, columns } as never,
      EQUAL_WEIGHTS,
      settings,
    );
    expect(row.extracted).toMatchObject({ k: 1200, n: 1500 });
    const level3 = columns.level.reduce((sum, level) => sum + (level === 3 ? 1 : 0), 0);
    expect(row.di).toMatchObject({ k: 1200 - level3, n: 1200 });
    expect(row.s_indefensible.n).toBe(level3);
    expect(row.s_defensible.estimate).toBeGreaterThan(row.s_indefensible.estimate!);
  });
});
