import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CELLS, cellIndex, emptyTally, type Tally } from "../../measures/metrics/tally.js";
import { gapExperiment, gapFigures } from "./experiment.js";
import { causeTable, classImbalance, gapColumn } from "./gap-column.js";
import { gapExperimentSchema } from "./result.js";

const SOURCE = { name: "all", run_id: null, auditor: "baseline", cohort: null };

/** A tally from counts of (restricts, human restricts, level, inverse). */
function tally(cluster: string, rows: [boolean, boolean | null, 1 | 2 | 3, boolean, number][]): Tally {
  const result = emptyTally(cluster);
  for (const [positive, humanPositive, level, inverse, n] of rows) {
    result.cells[cellIndex({ positive, humanPositive, level, inverse, scope: "unknown" })]! += n;
  }
  return result;
}

/** 1,000 labelled decisions, 5% of them removals by people; decider and people differ on 8%; 7.7% are at level 3. */
const RARE = [
  tally("a", [
    [true, true, 1, false, 20],
    [true, false, 1, false, 25],
    [true, false, 3, true, 5],
    [false, true, 2, true, 15],
    [false, true, 1, false, 8],
    [false, true, 3, true, 7],
    [false, false, 1, false, 420],
  ]),
  tally("b", [
    [false, false, 1, false, 435],
    [false, false, 3, true, 65],
  ]),
];

describe("classImbalance", () => {
  it("splits the gap to F1 into two parts that add up to it", () => {
    const { arithmetic, disagreement, f1_at_di, human_positive, explains } = classImbalance(RARE);
    const f1 = 40 / (40 + 30 + 30);
    const index = 923 / 1000;
    const at = (2 * 0.05 * index) / (2 * 0.05 * index + 1 - index);
    expect(f1_at_di).toBeCloseTo(at, 12);
    expect(human_positive.estimate).toBe(0.05);
    expect(arithmetic.estimate).toBeCloseTo(index - at, 12);
    expect(disagreement.estimate).toBeCloseTo(at - f1, 12);
    expect(explains).toBe(true);
  });

  it("has nothing to explain where both actions are as frequent and errors fall on both alike", () => {
    const { arithmetic, f1_if_balanced, f1_at_di, explains } = classImbalance([
      tally("a", [
        [true, true, 1, false, 45],
        [false, false, 1, false, 45],
        [true, false, 3, false, 5],
        [false, true, 3, false, 5],
      ]),
    ]);
    expect(f1_at_di).toBeCloseTo(0.9, 12);
    expect(f1_if_balanced).toBeCloseTo(0.9, 12);
    expect(arithmetic.estimate).toBeCloseTo(0, 12);
    expect(explains).toBe(false);
  });

  it("has intervals as wide as leaving out one row at a time says", () => {
    const value = (tallies: Tally[]) => classImbalance(tallies).arithmetic.estimate!;
    const n = 1000;
    let squares = 0;
    for (const at of RARE) {
      for (let j = 0; j < CELLS.length; j++) {
        const count = at.cells[j]!;
        if (count === 0) continue;
        at.cells[j]! -= 1;
        const without = value(RARE);
        at.cells[j]! += 1;
        squares += count * (without - value(RARE)) ** 2;
      }
    }
    const { lower, estimate } = classImbalance(RARE).arithmetic as { lower: number; estimate: number };
    expect((estimate - lower) / 1.959964).toBeCloseTo(Math.sqrt((squares * (n - 1)) / n), 3);
  });

  it("has intervals with width where every decision is alike", () => {
    const half = (communities: number) =>
      Array.from({ length: communities }, (_, i) =>
        tally(`c${i}`, [
          [true, true, 1, false, 10],
          [false, false, 1, false, 30],
        ]),
      );
    const { arithmetic, disagreement } = classImbalance(half(3));
    for (const part of [arithmetic, disagreement]) {
      if (part.estimate === null) throw new Error(part.reason);
      expect(part.estimate).toBeCloseTo(0, 12);
      for (const { lower, upper } of [part, part.cluster!]) {
        expect(lower).toBeLessThanOrEqual(0);
        expect(upper).toBeGreaterThanOrEqual(0);
        expect(upper - lower).toBeGreaterThan(0.01);
      }
    }
    // By hand: D from 0.969 (120 of 120), π 0.25 (0.181 to 0.334); D − F(D, 0.181) turns at D = (1 − √0.362)/(1 − 0.362) = 0.625, below.
    const score = (d: number, p: number) => (2 * p * d) / (2 * p * d + 1 - d);
    expect(arithmetic).toMatchObject({ upper: expect.closeTo(0.96898 - score(0.96898, 0.18104), 4), lower: 0 });
  });

  it("is undefined without labels, and says why", () => {
    const bare = classImbalance([tally("a", [[true, null, 1, false, 10]])]);
    expect(bare.arithmetic).toMatchObject({ estimate: null, reason: "no verdict has a human label" });
    expect(bare).toMatchObject({ f1_at_di: null, f1_if_balanced: null, explains: false });
    expect(classImbalance([]).disagreement.estimate).toBeNull();
  });

  it("adds up whatever the counts", () => {
    const count = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(fc.array(count, { minLength: 8, maxLength: 8 }), (counts) => {
        const rows = counts.map((n, i): [boolean, boolean, 1 | 3, boolean, number] => [
          i % 2 === 0,
          i % 4 < 2,
          i < 4 ? 1 : 3,
          false,
          n,
        ]);
        const column = gapColumn(SOURCE, { tallies: [tally("a", rows)], matched: [], truth: [], causes: [] }, null);
        const { arithmetic, disagreement } = column.imbalance;
        const gap = column.gap.di_minus_f1.estimate;
        if (arithmetic.estimate === null || disagreement.estimate === null || gap === null) return;
        expect(arithmetic.estimate + disagreement.estimate).toBeCloseTo(gap, 10);
      }),
    );
  });
});

describe("false negatives against other decisions", () => {
  it("are two groups without a decision in common", () => {
    const { fn_against_others: value } = gapColumn(SOURCE, { tallies: RARE, matched: [], truth: [], causes: [] }, null);
    // 23 of 30 misses are defensible, and 900 of the other 970.
    expect(value).toMatchObject({ estimate: expect.closeTo(23 / 30 - 900 / 970, 12), n: 1000 });
  });
});

describe("causeTable", () => {
  it("crosses audited with true causes, and counts a person's error as one that nobody names", () => {
    const table = causeTable([
      { audited: "model_error", true: "model_error", n: 8 },
      { audited: "implicit_norm", true: "implicit_norm", n: 5 },
      { audited: "implicit_norm", true: "human_error", n: 3 },
      { audited: "policy_ambiguity", true: "implicit_norm", n: 4 },
    ]);
    expect(table.true).toEqual(["model_error", "policy_ambiguity", "implicit_norm", "human_error"]);
    expect(table.counts).toEqual([
      [8, 0, 0, 0],
      [0, 0, 4, 0],
      [0, 0, 5, 3],
    ]);
    expect(table.accuracy).toMatchObject({ k: 13, n: 20, estimate: 0.65 });
    expect(table.kappa.estimate).toBeGreaterThan(0);
    expect(causeTable([]).accuracy).toMatchObject({ estimate: null, n: 0 });
  });
});

describe("gapExperiment", () => {
  it("is a whole result, with figures that carry every number and a word on the baseline", () => {
    const column = gapColumn(SOURCE, { tallies: RARE, matched: [], truth: [], causes: [] }, null);
    const result = gapExperiment([column, { ...column, name: "other", run_id: "r1" }]);
    expect(gapExperimentSchema.parse(result)).toEqual(result);
    expect(result.runs).toEqual(["r1"]);
    expect(result.figures.map(({ id, rows }) => [id, rows.length])).toEqual([
      ["gap", 8],
      ["gap-causes", 6],
    ]);
    expect(result.figures[0]!.rows[0]).toMatchObject({ cohort: "all", measure: "F1", value: 0.4 });
    expect(result.warnings).toContain("all: most of the gap to F1 is class imbalance");
    expect(result.warnings[0]).toMatch(/embedded baseline/);
  });

  it("has bars in the colours of what they measure, or of their cohorts where there are several", () => {
    const column = gapColumn(SOURCE, { tallies: RARE, matched: [], truth: [], causes: [] }, null);
    const series = (columns: (typeof column)[]) => gapExperiment(columns).figures.map((figure) => figure.series);
    expect(series([column])).toEqual(["measure", "cause"]);
    expect(series([column, { ...column, name: "other" }])).toEqual(["cohort", "cohort"]);
  });

  it("says what it lacks", () => {
    const bare = gapExperiment([gapColumn(SOURCE, { tallies: [], matched: [], truth: [], causes: [] }, null)]);
    expect(bare.warnings).toContain("all: no verdicts");
    expect(bare.figures[0]!.title).toMatch(/no gap to show/);
  });
});

describe("titles of the gap's figures", () => {
  const titles = (rows: Parameters<typeof tally>[1]) => {
    const found = { tallies: [tally("a", rows)], matched: [], truth: [], causes: [] };
    return gapFigures([gapColumn(SOURCE, found, null)]).map(({ title }) => title);
  };

  it("give differences as differences, and name no cause where two share the first place", () => {
    const [gap, causes] = titles([
      [true, true, 1, false, 40],
      [false, true, 3, false, 6],
      [false, true, 2, true, 6],
      [false, true, 1, false, 3],
    ]);
    expect(gap).toMatch(/^Defensibility − F1 is \+4\.9 pp and defensibility − accuracy \+16\.4 pp/);
    expect(causes).toBe(
      "By the auditor's verdicts no cause accounts for more of the disagreements in all than the others",
    );
  });

  it("name the commonest cause, whichever it is", () => {
    const [, causes] = titles([
      [true, true, 1, false, 40],
      [false, true, 2, true, 6],
      [false, true, 3, false, 2],
    ]);
    expect(causes).toBe("By the auditor's verdicts 75.0% of the disagreements in all come from ambiguous rules");
    expect(titles([[true, true, 1, false, 4]])[1]).toBe("There are no disagreements to explain");
  });
});
