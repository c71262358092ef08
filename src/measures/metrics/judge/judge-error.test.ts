import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Level } from "../../../core/records/level.js";
import { drawnProportion } from "../../../stats/intervals/drawn-proportion.js";
import { roganGladen } from "../../../stats/intervals/judge-correction.js";
import { predictionPoweredMean } from "../../../stats/intervals/prediction-powered-mean.js";
import { clopperPearsonBound, proportion } from "../../../stats/intervals/proportion.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { boundedUpperBound } from "../../../stats/tests/bounded-e-value.js";
import { correctRate } from "./correct-rate.js";
import {
  auditedIndex,
  type DrawnCounts,
  emptyJudgeCounts,
  humanIndex,
  JUDGE_QUANTITIES,
  type JudgeCounts,
  judgeIndex,
  quantityStrata,
} from "./counts.js";
import { judgeError, LEAST_LABELS } from "./judge-error.js";

type Verdict = [Level, boolean];
type Label = [Level, boolean | null];

/** Counts of one community from rows (auditor, person or null, how many). */
function counts(key: string, rows: [Verdict, Label | null, number][]): JudgeCounts {
  const result = emptyJudgeCounts(key);
  for (const [verdict, label, n] of rows) {
    const audited = auditedIndex(...verdict);
    if (label) result.labelled[judgeIndex(audited, humanIndex(...label))]! += n;
    else result.rest[audited]! += n;
  }
  return result;
}

const community = counts("a", [
  [[1, false], [1, false], 60],
  [[2, true], [2, true], 12],
  [[2, true], [2, null], 4],
  [[1, false], [3, true], 3],
  [[3, true], [3, true], 15],
  [[3, true], [1, false], 6],
  [[1, false], null, 620],
  [[2, true], null, 150],
  [[3, true], null, 130],
]);

/** Labels of one chance: [auditor, person, how many]. */
function drawn(cell: string, inclusion: number, rows: [Verdict, Label, number][]): DrawnCounts {
  return { cell, inclusion, labelled: counts("", rows).labelled };
}

/** A community of 1,100 verdicts, whose labels were drawn with these chances. */
function drawnCommunity(...cells: DrawnCounts[]): JudgeCounts {
  const community = counts("a", [
    [[1, false], null, 900],
    [[3, false], null, 200],
  ]);
  for (const { labelled } of cells) for (const [i, n] of labelled.entries()) community.labelled[i]! += n;
  return { ...community, drawn: cells };
}

describe("labels with unequal chances", () => {
  const a = drawn("a", 0.8, [
    [[1, false], [1, false], 76],
    [[3, false], [3, false], 4],
  ]);
  const b = drawn("b", 0.1, [
    [[1, false], [1, false], 9],
    [[1, false], [3, false], 6],
    [[3, false], [3, false], 5],
  ]);
  const sample = { weighted: "by_stratum" as const, frame: null, designs: [], flags: [] };

  it("of this run are weighted, in estimate, bound and certificate", () => {
    const report = judgeError([drawnCommunity(a, b)], { sample });
    expect(report.design).toBe("by_stratum");
    const { indefensible_rate: rate, confirmed } = report.fleet;
    // The auditor says so of 209 of all 1,200 verdicts, and of (4/0.8 + 5/0.1) / 300 by the labels.
    const cell = (name: string, inclusion: number, yes: boolean, predicted: boolean, count: number) => {
      return { cell: name, inclusion, yes, predicted, count };
    };
    const labels = [
      cell("a", 0.8, false, false, 76),
      cell("a", 0.8, true, true, 4),
      cell("b", 0.1, false, false, 9),
      cell("b", 0.1, true, false, 6),
      cell("b", 0.1, true, true, 5),
    ];
    const powered = drawnProportion(labels, { predicted: { n: 1200, mean: 209 / 1200 } });
    expect(rate.prediction_powered).toEqual(powered);
    if (powered.estimate === null) throw new Error(powered.reason);
    // (4/0.8 + 11/0.1) / (80/0.8 + 20/0.1), and as much of the auditor's difference as it is trusted.
    expect(powered.lambda).toBeGreaterThan(0);
    expect(powered.estimate).toBeCloseTo(115 / 300 + powered.lambda * (209 / 1200 - 55 / 300), 12);
    expect(rate.upper_bound.prediction_powered).toBe(powered.upper_bound);
    expect(rate.sensitivity.estimate).toBeCloseTo(55 / 115, 12);
    expect(rate.specificity.estimate).toBe(1);
    expect(rate.rogan_gladen.estimate).toBeNull();
    expect(confirmed.estimate).toBeCloseTo(1, 12);
    const units = [
      { weight: 0.125, value: 0, count: 76 },
      { weight: 0.125, value: 1, count: 4 },
      { weight: 1, value: 0, count: 9 },
      { weight: 1, value: 1, count: 11 },
    ];
    expect(rate.upper_bound.exact).toBeCloseTo(boundedUpperBound(units, 0.05), 10);
    expect(report.communities[0]!.label_cells).toEqual([
      { weight: 0.125, labels: 80, indefensible: 4 },
      { weight: 1, labels: 20, indefensible: 11 },
    ]);
  });

  it("from elsewhere give weighted error rates, whose intervals are those of a random sample where chances are equal", () => {
    const elsewhere = { ...sample, frame: "other", flags: ["other_frame" as const] };
    const { indefensible_rate: rate } = judgeError([drawnCommunity(a, b)], { sample: elsewhere }).fleet;
    expect(rate.sensitivity.estimate).toBeCloseTo(55 / 115, 12);
    const [audited, se] = [rate.audited.estimate!, 55 / 115];
    expect(rate.rogan_gladen.estimate).toBeCloseTo(audited / se, 12);
    expect(rate.prediction_powered.estimate).toBeNull();
    expect(rate.upper_bound.exact).toBeNull();
    const one = drawn("a", 0.5, [
      [[1, false], [1, false], 560],
      [[1, false], [3, false], 60],
      [[3, false], [1, false], 40],
      [[3, false], [3, false], 140],
    ]);
    const { sensitivity } = judgeError([drawnCommunity(one)], { sample: elsewhere }).fleet.indefensible_rate;
    const want = proportion(140, 200);
    if (sensitivity.estimate === null || want.estimate === null) throw new Error("undefined");
    expect(sensitivity.lower).toBeCloseTo(want.lower, 2);
    expect(sensitivity.upper).toBeCloseTo(want.upper, 2);
  });
});

describe("judgeError", () => {
  const { fleet } = judgeError([community]);

  it("counts verdicts and labels, and audits as the report does", () => {
    expect(fleet).toMatchObject({ verdicts: 1000, labels: 100 });
    expect(fleet.indefensible_rate.audited).toMatchObject({ k: 151, n: 1000, estimate: 0.151 });
    expect(fleet.defensibility_index.audited).toMatchObject({ k: 849, n: 1000, estimate: 1 - 0.151 });
    // 21 labelled verdicts of level 3, of which people confirm 15.
    expect(fleet.confirmed).toMatchObject({ k: 15, n: 21 });
    expect(fleet.ambiguity_index.audited).toMatchObject({ k: 317, n: 1000 });
    expect(fleet.ambiguity_pure.audited).toMatchObject({ k: 166, n: 1000 });
  });

  it("hands the right table to each correction", () => {
    const label = (yes: boolean, predicted: boolean, count: number) => {
      return { cell: "one", inclusion: 0.1, yes, predicted, count };
    };
    const labels = [label(true, true, 15), label(true, false, 3), label(false, true, 6), label(false, false, 76)];
    const want = drawnProportion(labels, { predicted: { n: 1000, mean: 0.151 }, of: "process" });
    const got = fleet.indefensible_rate.prediction_powered;
    if (got.estimate === null || want.estimate === null) throw new Error("undefined");
    for (const field of ["estimate", "lambda", "standard_error", "lower", "upper", "upper_bound"] as const) {
      expect(got[field]).toBeCloseTo(want[field], 12);
    }
    expect(got).toMatchObject({ n: 100, n_predicted: 1000, method: want.method });
    // The same tuning as PPI++ has with the labelled rows among the predicted ones, up to half a label in each class.
    const plain = predictionPoweredMean(
      [
        { label: 1, prediction: 1, count: 15 },
        { label: 1, prediction: 0, count: 3 },
        { label: 0, prediction: 1, count: 6 },
        { label: 0, prediction: 0, count: 76 },
      ],
      { n: 1000, mean: 0.151, variance: 0.151 * 0.849 },
      { form: "nested" },
    );
    if (plain.estimate === null) throw new Error(plain.reason);
    expect(Math.abs(got.estimate - plain.estimate)).toBeLessThan(0.005);
    expect(Math.abs(got.standard_error - plain.standard_error)).toBeLessThan(0.005);
    expect(fleet.indefensible_rate.rogan_gladen).toEqual(
      roganGladen({ k: 151, n: 1000 }, { k: 15, n: 18 }, { k: 76, n: 82 }),
    );
    expect(fleet.indefensible_rate.sensitivity).toMatchObject({ k: 15, n: 18 });
    expect(fleet.indefensible_rate.specificity).toMatchObject({ k: 76, n: 82 });
    // The inverse check was not answered in 4 labels: they count as rows without one.
    expect(fleet.ambiguity_index.labels).toBe(96);
    expect(fleet.ambiguity_index.sensitivity).toMatchObject({ k: 27, n: 30 });
    // Level 3 is not open both ways, where the person answered the inverse check.
    expect(fleet.ambiguity_pure.labels).toBe(96);
    expect(fleet.ambiguity_pure.specificity).toMatchObject({ k: 84, n: 84 });
  });

  it("says nothing of ambiguity where labels leave the inverse check out, also at level 3", () => {
    const silent = counts("s", [
      [[1, false], [1, null], 40],
      [[3, true], [3, null], 7],
      [[2, true], null, 100],
    ]);
    const { fleet: told } = judgeError([silent]);
    const reason = "0 of 47 labels answer the inverse check; at least 30 are needed";
    for (const rate of [told.ambiguity_index, told.ambiguity_pure]) {
      expect(rate).toMatchObject({ labels: 0, prediction_powered: { estimate: null, reason } });
      expect(rate.rogan_gladen).toMatchObject({ estimate: null, reason });
      expect(rate.upper_bound.exact).toBeNull();
    }
    expect(told.ambiguity_pure.audited).toMatchObject({ k: 100, n: 147 });
    expect(told.indefensible_rate.prediction_powered.estimate).not.toBeNull();
  });

  it("turns the rate of indefensible decisions into the Defensibility Index, interval and all", () => {
    const rate = fleet.indefensible_rate.prediction_powered;
    const index = fleet.defensibility_index.prediction_powered;
    if (rate.estimate === null || index.estimate === null) throw new Error("undefined");
    expect(index.estimate).toBe(1 - rate.estimate);
    expect([index.lower, index.upper]).toEqual([1 - rate.upper, 1 - rate.lower]);
  });

  it("corrects the three levels by their confusion matrix", () => {
    expect(fleet.levels!.n).toBe(1000);
    const shares = fleet.levels!.shares!.map((share) => share.estimate);
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    expect(shares[2]).toBeGreaterThan(0.1);
  });

  it("gives upper bounds above the estimates, the exact one above what the labels alone show", () => {
    const { upper_bound: bound, prediction_powered: powered } = fleet.indefensible_rate;
    if (powered.estimate === null) throw new Error("undefined");
    expect(bound.delta).toBe(0.05);
    expect(bound.prediction_powered).toBeGreaterThan(powered.estimate);
    // 18 of 100 labels are indefensible.
    expect(bound.exact).toBe(clopperPearsonBound(18, 100, 0.05));
    expect(bound.rogan_gladen).toBeGreaterThan(0.1);
  });

  it("leaves communities with few labels uncorrected and says why", () => {
    const few = counts("b", [
      [[1, false], [1, false], LEAST_LABELS - 1],
      [[3, true], null, 10],
    ]);
    const report = judgeError([community, few]);
    expect(report.communities[0]!.corrected).toEqual(judgeError([community]).fleet);
    expect(report.communities[0]).toMatchObject({ labels: 100, indefensible_labels: 18 });
    expect(report.communities[1]).toEqual({
      key: "b",
      verdicts: 39,
      labels: 29,
      indefensible_labels: 0,
      corrected: null,
      reason: "29 labels; at least 30 are needed",
    });
    expect(judgeError([community, few], { leastLabels: 29 }).communities[1]!.corrected).not.toBeNull();
  });

  it("is undefined with reasons, not zero, without labels and without verdicts", () => {
    const none = judgeError([counts("c", [[[1, false], null, 5]])]).fleet;
    expect(none.indefensible_rate.prediction_powered).toEqual({
      estimate: null,
      reason: "fewer than two labels",
      n: 0,
    });
    expect(none.indefensible_rate.rogan_gladen.estimate).toBeNull();
    expect(none.indefensible_rate.upper_bound).toEqual({
      delta: 0.05,
      exact: null,
      prediction_powered: null,
      rogan_gladen: null,
    });
    const empty = judgeError([]).fleet;
    expect(empty).toMatchObject({ verdicts: 0, labels: 0 });
    expect(empty.indefensible_rate.audited).toEqual({ estimate: null, reason: "no rows", n: 0 });
    expect(JSON.stringify([none, empty])).not.toMatch(/NaN|Infinity/);
  });

  it("does not depend on the order of communities, and has an interval for clusters from two on", () => {
    const cell = fc.integer({ min: 1, max: 20 });
    const of = ([a, b, c, d, e, f]: readonly [number, number, number, number, number, number]) =>
      counts("x", [
        [[1, false], [1, false], a],
        [[1, true], [3, true], b],
        [[3, true], [3, true], c],
        [[3, true], [2, false], d],
        [[1, false], null, 10 * e],
        [[3, true], null, f],
      ]);
    const rows = fc.tuple(cell, cell, cell, cell, cell, cell).map(of);
    // Label and audit that are independent but for rounding.
    const independent = [
      [18, 2, 18, 1, 1, 1],
      [6, 2, 3, 16, 1, 13],
      [11, 19, 2, 18, 11, 8],
    ] as const;
    fc.assert(
      fc.property(rows, rows, rows, (a, b, c) => {
        const one = judgeError([a, b, c]).fleet.indefensible_rate.prediction_powered;
        const other = judgeError([c, a, b]).fleet.indefensible_rate.prediction_powered;
        if (one.estimate === null || other.estimate === null) throw new Error("undefined");
        expect(other.estimate).toBeCloseTo(one.estimate, 12);
        expect(other.cluster!.upper).toBeCloseTo(one.cluster!.upper, 10);
        expect(one.cluster!.clusters).toBe(3);
      }),
      { examples: [independent.map(of) as [JudgeCounts, JudgeCounts, JudgeCounts]] },
    );
  });

  it("has the interval that leaving out one community at a time gives, also if one is far larger than the others", () => {
    // Labels: both Yes, person only, auditor only, both No; then other rows, Yes and No.
    const sizes = [
      [40, 10, 20, 200, 300, 1700],
      [3, 4, 1, 12, 20, 80],
      [5, 0, 2, 23, 10, 140],
      [1, 3, 3, 13, 40, 60],
    ] as const;
    const fleet = sizes.map(([a, b, c, d, yes, no], i) =>
      counts(`c${i}`, [
        [[3, true], [3, true], a],
        [[1, true], [3, true], b],
        [[3, true], [1, false], c],
        [[1, false], [1, false], d],
        [[3, true], null, yes],
        [[1, false], null, no],
      ]),
    );
    const got = correctRate(quantityStrata(fleet, JUDGE_QUANTITIES.indefensible_rate)).prediction_powered;
    if (got.estimate === null) throw new Error(got.reason);
    const without = (left: number | null) => {
      const kept = sizes.filter((_, c) => c !== left);
      const sum = (of: (row: (typeof sizes)[number]) => number) => kept.reduce((total, row) => total + of(row), 0);
      const labels = sum(([a, b, c, d]) => a + b + c + d);
      const rows = labels + sum((row) => row[4] + row[5]);
      const predicted = sum(([a, , c, , yes]) => a + c + yes) / rows;
      return got.lambda * predicted + sum(([a, b, c]) => a + b - got.lambda * (a + c)) / labels;
    };
    expect(got.lambda).toBeGreaterThan(0);
    expect(without(null)).toBeCloseTo(got.estimate, 12);
    const variance = sizes.reduce((sum, _, c) => sum + (without(c) - got.estimate) ** 2, 0);
    const half = 12.706204736 * Math.sqrt(variance);
    expect(got.cluster).toMatchObject({ clusters: 4, method: "jackknife, t" });
    // Labels 270, 20, 30, 20 and rows 2270, 120, 180, 120: little more than one community, so one degree of freedom.
    expect(got.cluster!.effective_clusters).toBeCloseTo(2690 ** 2 / (2270 ** 2 + 120 ** 2 + 180 ** 2 + 120 ** 2), 10);
    expect(got.cluster!.upper).toBeCloseTo(Math.min(1, got.estimate + half), 6);
    expect(got.cluster!.lower).toBeCloseTo(Math.max(0, got.estimate - half), 6);
    const alone = counts("b", [[[1, false], null, 50]]);
    const one = correctRate(quantityStrata([fleet[0]!, alone], JUDGE_QUANTITIES.indefensible_rate)).prediction_powered;
    expect(one).not.toHaveProperty("cluster");
  });
});

describe("labels that were not taken at random", () => {
  // 1,000 decisions: 900 audited fine, of which 20 are indefensible; 100 audited level 3, of which 60 are.
  const oversampled = counts("a", [
    [[1, false], [1, false], 88],
    [[1, false], [3, true], 2],
    [[3, true], [3, true], 48],
    [[3, true], [1, false], 32],
    [[1, false], null, 810],
    [[3, true], null, 20],
  ]);

  it("are weighted back when they were taken by level", () => {
    const { indefensible_rate: rate, levels } = judgeError([oversampled], { design: "by_level" }).fleet;
    expect(rate.prediction_powered.estimate).toBeCloseTo(0.08, 12);
    expect(rate.rogan_gladen).toMatchObject({ estimate: null, reason: expect.stringMatching(/not taken at random/) });
    expect(rate.upper_bound.exact).toBeGreaterThan(0.08);
    expect(rate.upper_bound.exact).toBeLessThan(0.17);
    expect(levels).toBeNull();
  });

  it("are noticed when they are called random", () => {
    const { warnings } = judgeError([oversampled]).fleet.indefensible_rate;
    expect(warnings).toEqual([expect.stringMatching(/47\.1% of the labelled .* 2\.4% of the others: .* not a random/)]);
    expect(judgeError([community]).fleet.indefensible_rate.warnings).toEqual([]);
  });

  it("are weighted back when they were taken by community, and communities without any are left out", () => {
    const make = (key: string, wrong: number, right: number, rest: number) =>
      counts(key, [
        [[1, false], [3, false], wrong],
        [[1, false], [1, false], right],
        [[1, false], null, rest],
      ]);
    const fleet = [make("small", 20, 20, 60), make("large", 0, 40, 860), make("none", 0, 0, 500)];
    const { indefensible_rate: rate } = judgeError(fleet, { design: "by_community" }).fleet;
    expect(rate.prediction_powered.estimate).toBeCloseTo(0.05, 12);
    expect(rate.warnings).toEqual([expect.stringMatching(/1 of 3 communities have no label/)]);
    expect(rate.upper_bound.exact).toBeNull();
    expect(judgeError(fleet).fleet.indefensible_rate.prediction_powered.estimate).toBeCloseTo(0.25, 12);
  });

  it("cannot be weighted back where a level has no label", () => {
    const lost = counts("a", [
      [[1, false], [1, false], 40],
      [[3, true], null, 10],
    ]);
    expect(judgeError([lost], { design: "by_level" }).fleet.indefensible_rate.prediction_powered).toMatchObject({
      estimate: null,
      reason: "no decision of audited level 3 is labelled",
    });
  });
});

describe("coverage with a fixed seed", () => {
  it("the exact bound holds, and so does the prediction-powered one where auditor and labels hardly ever differ", () => {
    const rng = createRng(11);
    const trials = 400;
    let exact = 0;
    let powered = 0;
    const truth = 0.04;
    for (let trial = 0; trial < trials; trial++) {
      const one = emptyJudgeCounts("x");
      for (let i = 0; i < 600; i++) {
        const bad = rng.next() < truth;
        const level: Level = rng.next() < (bad ? 0.8 : 0.01) ? 3 : 1;
        const audited = auditedIndex(level, false);
        if (i < 60) one.labelled[judgeIndex(audited, humanIndex(bad ? 3 : 1, false))]! += 1;
        else one.rest[audited]! += 1;
      }
      const { upper_bound: bound } = correctRate(quantityStrata([one], JUDGE_QUANTITIES.indefensible_rate));
      if (bound.exact! >= truth) exact++;
      if (bound.prediction_powered! >= truth) powered++;
    }
    expect(exact / trials).toBeGreaterThanOrEqual(0.95);
    expect(powered / trials).toBeGreaterThanOrEqual(0.95);
  });
});
