import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../test/references/clusters.js";
import type { DefinedEstimate, Estimate } from "../core/estimate.js";
import { estimateSchema } from "../core/estimate-schema.js";
import { CELLS, type Cell, cellIndex, emptyTally, type Tally } from "../measures/metrics/tally.js";
import { hasWidth } from "../stats/intervals/proportion.js";
import { newcombeInterval } from "../stats/intervals/two-proportions.js";
import * as metrics from "./metrics.js";

/** Every rate of a report, so that none escapes the checks below. */
const RATES: Record<string, (tallies: readonly Tally[]) => Estimate> = {
  defensibilityIndex: metrics.defensibilityIndex,
  ambiguityIndex: metrics.ambiguityIndex,
  pureAmbiguity: metrics.pureAmbiguity,
  contradiction: metrics.contradiction,
  level1: (t) => metrics.levelShare(t, 1),
  level2: (t) => metrics.levelShare(t, 2),
  level3: (t) => metrics.levelShare(t, 3),
  platform: (t) => metrics.scopedAmbiguity(t, "platform"),
  community: (t) => metrics.scopedAmbiguity(t, "community"),
  mixed: (t) => metrics.scopedAmbiguity(t, "mixed"),
  none: (t) => metrics.scopedAmbiguity(t, "none"),
  accuracy: metrics.accuracy,
  precision: metrics.precision,
  recall: metrics.recall,
  f1: metrics.f1,
  falseNegativesDefensible: metrics.falseNegativesDefensible,
  falsePositivesDefensible: metrics.falsePositivesDefensible,
  disagreementsDefensible: metrics.disagreementsDefensible,
  accurateButIndefensible: metrics.accurateButIndefensible,
  indefensibleGivenAgreement: metrics.indefensibleGivenAgreement,
  modelError: (t) => metrics.rootCause(t, "model_error"),
  policyAmbiguity: (t) => metrics.rootCause(t, "policy_ambiguity"),
  implicitNorm: (t) => metrics.rootCause(t, "implicit_norm"),
};
const DIFFERENCES: typeof RATES = {
  defensibilityMinusF1: metrics.defensibilityMinusF1,
  defensibilityMinusAccuracy: metrics.defensibilityMinusAccuracy,
  kappa: metrics.kappa,
};
const ALL = { ...RATES, ...DIFFERENCES };

/** The same rates by counting single rows, written from the definitions and not from the code. */
const DEFINITIONS: Record<string, [(c: Cell) => boolean, (c: Cell) => boolean]> = {
  defensibilityIndex: [() => true, (c) => c.level < 3],
  ambiguityIndex: [() => true, (c) => c.inverse],
  pureAmbiguity: [() => true, (c) => c.inverse && c.level < 3],
  contradiction: [() => true, (c) => c.inverse && c.level === 3],
  level1: [() => true, (c) => c.level === 1],
  level2: [() => true, (c) => c.level === 2],
  level3: [() => true, (c) => c.level === 3],
  accuracy: [(c) => c.humanPositive !== null, (c) => c.positive === c.humanPositive],
  precision: [(c) => c.positive && c.humanPositive !== null, (c) => c.humanPositive === true],
  recall: [(c) => c.humanPositive === true, (c) => c.positive],
  falseNegativesDefensible: [(c) => !c.positive && c.humanPositive === true, (c) => c.level < 3],
  falsePositivesDefensible: [(c) => c.positive && c.humanPositive === false, (c) => c.level < 3],
  disagreementsDefensible: [(c) => c.humanPositive !== null && c.humanPositive !== c.positive, (c) => c.level < 3],
  accurateButIndefensible: [(c) => c.humanPositive !== null, (c) => c.humanPositive === c.positive && c.level === 3],
  indefensibleGivenAgreement: [(c) => c.humanPositive === c.positive, (c) => c.level === 3],
  modelError: [(c) => c.humanPositive !== null && c.humanPositive !== c.positive, (c) => c.level === 3],
  policyAmbiguity: [(c) => c.humanPositive !== null && c.humanPositive !== c.positive, (c) => c.level < 3 && c.inverse],
  implicitNorm: [(c) => c.humanPositive !== null && c.humanPositive !== c.positive, (c) => c.level < 3 && !c.inverse],
};

function tally(cluster: string, rows: readonly Cell[], unscored = 0, errors = 0): Tally {
  const result = { ...emptyTally(cluster), unscored, errors };
  for (const row of rows) result.cells[cellIndex(row)]!++;
  return result;
}

const row = fc.integer({ min: 0, max: CELLS.length - 1 }).map((index) => CELLS[index]!);
const fleet = fc.array(fc.record({ rows: fc.array(row, { maxLength: 40 }), unscored: fc.nat(3), errors: fc.nat(3) }), {
  maxLength: 30,
});
const tallies = fleet.map((list) => list.map((c, i) => tally(`c${i}`, c.rows, c.unscored, c.errors)));

const value = (estimate: Estimate) => estimate.estimate;

describe("every metric", () => {
  it("is registered here", () => {
    const notMetrics = [
      "cellIndex",
      "cellMask",
      "emptyTally",
      "cohortMetrics",
      "reportMetrics",
      "outcomeCounts",
      "confusion",
      "chooseLabels",
      "countOpenLabels",
      "labelsAlike",
      "compareAgainst",
      "labelNotes",
      "compareWithHumans",
      "meanOver",
      "targetStatus",
      "levelShare",
      "scopedAmbiguity",
      "rootCause",
      // Of labels and of pairs of runs, not of tallies; each has a suite of its own.
      "auditedIndex",
      "compareRuns",
      "dualAudit",
      "flipControl",
      "isJustificationProne",
      "mergePairs",
      "correctRate",
      "emptyJudgeCounts",
      "emptyPairs",
      "humanIndex",
      "judgeError",
      "judgeIndex",
      "pairIndex",
      "pairedCounts",
      // Of arms of one run; paired-change.test.ts and scope-ablation.test.ts.
      "ablationClass",
      "armPatterns",
      "pairedChange",
      "pairedDifference",
      "scopeAblation",
      "transitions",
      "underspecification",
      "worstCaseChange",
      "pairedIndex",
      // Of the reasons that decisions came with; stated-reason.test.ts.
      "auditedReason",
      "auditedReasons",
      "reasonAccuracy",
    ];
    const exported = Object.entries(metrics).filter(
      ([name, it]) => typeof it === "function" && !notMetrics.includes(name),
    );
    expect(exported.map(([name]) => name).filter((name) => !(name in ALL))).toEqual([]);
  });

  it("equals a count of single rows by its definition", () => {
    fc.assert(
      fc.property(fleet, (list) => {
        const made = list.map((c, i) => tally(`c${i}`, c.rows));
        const rows = list.flatMap((c) => c.rows);
        for (const [name, [counted, success]] of Object.entries(DEFINITIONS)) {
          const n = rows.filter(counted).length;
          const k = rows.filter((r) => counted(r) && success(r)).length;
          const estimate = RATES[name]!(made);
          expect(estimate.n, name).toBe(n);
          expect(value(estimate), name).toBe(n === 0 ? null : k / n);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("is a valid Estimate that survives JSON, and encloses its value in every interval", () => {
    fc.assert(
      fc.property(tallies, (made) => {
        for (const [name, metric] of Object.entries(ALL)) {
          const estimate = metric(made);
          expect(estimateSchema.parse(JSON.parse(JSON.stringify(estimate))), name).toEqual(estimate);
          if (estimate.estimate === null) {
            expect(estimate.reason, name).toBeTruthy();
            continue;
          }
          for (const interval of [estimate, estimate.cluster, estimate.worst_case]) {
            if (!interval) continue;
            expect(interval.lower, name).toBeLessThanOrEqual(estimate.estimate + 1e-12);
            expect(interval.upper, name).toBeGreaterThanOrEqual(estimate.estimate - 1e-12);
            expect(interval.lower, name).toBeGreaterThanOrEqual(name in DIFFERENCES ? -1 : 0);
            expect(interval.upper, name).toBeLessThanOrEqual(1);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("does not depend on the order of communities, and keeps its value when all rows are doubled or communities merged", () => {
    fc.assert(
      fc.property(tallies, (made) => {
        const doubled = made.map((t) => ({ ...t, cells: t.cells.map((count) => 2 * count) }));
        const merged = emptyTally("all");
        for (const t of made)
          t.cells.forEach((count, i) => {
            merged.cells[i] = merged.cells[i]! + count;
          });
        for (const [name, metric] of Object.entries(ALL)) {
          const estimate = value(metric(made));
          const same = (other: number | null) =>
            estimate === null ? expect(other, name).toBeNull() : expect(other, name).toBeCloseTo(estimate, 12);
          same(value(metric([...made].reverse())));
          // Twice one labelled row is two, and two have an interval.
          if (estimate !== null) same(value(metric(doubled)));
          same(value(metric([merged])));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is undefined with a reason on nothing at all", () => {
    for (const [name, metric] of Object.entries(ALL)) {
      for (const nothing of [[], [emptyTally("c")], [tally("c", [], 3, 2)]]) {
        const estimate = metric(nothing);
        expect(value(estimate), name).toBeNull();
        expect(estimate.estimate === null && estimate.reason, name).toBeTruthy();
      }
    }
  });

  it("would be caught if it were wrong: the definitions fail a metric that counts level 2 as indefensible", () => {
    const strict = (t: readonly Tally[]) => metrics.levelShare(t, 1);
    const rows = [CELLS[cellIndex({ positive: true, humanPositive: true, level: 2, inverse: true, scope: "none" })]!];
    expect(value(strict([tally("c", rows)]))).not.toBe(value(metrics.defensibilityIndex([tally("c", rows)])));
  });
});

describe("identities", () => {
  const close = (sum: number, whole: number) => expect(sum).toBeCloseTo(whole, 12);

  it("AI is pure ambiguity plus contradiction, and the sum of its scopes", () => {
    fc.assert(
      fc.property(tallies, (made) => {
        const index = value(metrics.ambiguityIndex(made));
        if (index === null) return;
        close(value(metrics.pureAmbiguity(made))! + value(metrics.contradiction(made))!, index);
        const scopes = (["platform", "community", "mixed", "none"] as const).map((s) =>
          value(metrics.scopedAmbiguity(made, s)),
        );
        if (scopes[0] !== null)
          close(
            scopes.reduce((sum: number, part) => sum + part!, 0),
            index,
          );
      }),
    );
  });

  it("levels add up to 1, the first two to DI; root causes add up to 1, the last two to defensible disagreements", () => {
    fc.assert(
      fc.property(tallies, (made) => {
        const levels = ([1, 2, 3] as const).map((level) => value(metrics.levelShare(made, level)));
        if (levels[0] === null) return;
        close(levels[0]! + levels[1]! + levels[2]!, 1);
        close(levels[0]! + levels[1]!, value(metrics.defensibilityIndex(made))!);
        const causes = (["model_error", "policy_ambiguity", "implicit_norm"] as const).map((c) =>
          value(metrics.rootCause(made, c)),
        );
        if (causes[0] === null) return;
        close(causes[0]! + causes[1]! + causes[2]!, 1);
        close(causes[1]! + causes[2]!, value(metrics.disagreementsDefensible(made))!);
      }),
    );
  });
});

describe("the paper's Balanced Sample", () => {
  // 6,760 disagreements of 19,899, 1,311 of them level 3; DI 87.3% (paper §5.2).
  const base = { positive: true, inverse: false, scope: "none" as const };
  const made = emptyTally("balanced");
  const set = (cell: Partial<Cell>, count: number) => {
    made.cells[cellIndex({ ...base, humanPositive: true, level: 1, ...cell })] = count;
  };
  set({ humanPositive: false, level: 3 }, 1311);
  set({ humanPositive: false, level: 1 }, 6760 - 1311);
  set({ level: 3 }, 1216);
  set({ level: 1 }, 19899 - 6760 - 1216);

  it("has 19.4% model errors among disagreements and 80.6% that are defensible", () => {
    expect(value(metrics.rootCause([made], "model_error"))).toBeCloseTo(0.194, 3);
    expect(value(metrics.disagreementsDefensible([made]))).toBeCloseTo(0.806, 3);
  });

  it("has DI 87.3%, accuracy 66.0%, a gap to accuracy of 21.3 points, and 6.1% or 9.3% agreed but indefensible", () => {
    expect(value(metrics.defensibilityIndex([made]))).toBeCloseTo(0.873, 3);
    expect(value(metrics.accuracy([made]))).toBeCloseTo(0.66, 3);
    expect(value(metrics.defensibilityMinusAccuracy([made]))).toBeCloseTo(0.213, 3);
    expect(value(metrics.accurateButIndefensible([made]))).toBeCloseTo(0.061, 3);
    expect(value(metrics.indefensibleGivenAgreement([made]))).toBeCloseTo(0.093, 3);
  });
});

describe("worst-case bounds", () => {
  it("count rows without a verdict against the rate and for it", () => {
    const cell = { positive: true, humanPositive: null, level: 1, inverse: false, scope: "none" } as const;
    const estimate = metrics.defensibilityIndex([tally("c", [cell, cell, { ...cell, level: 3 }], 1, 1)]);
    expect(estimate).toMatchObject({ k: 2, n: 3, worst_case: { lower: 2 / 5, upper: 4 / 5 } });
  });
});

describe("differences of verdicts that are all alike", () => {
  const agreed: Cell = { positive: true, humanPositive: true, level: 1, inverse: false, scope: "none" };
  const missed: Cell = { ...agreed, positive: false };
  const rows = (cell: Cell, n: number) => Array.from({ length: n }, () => cell);

  it("have the interval of two independent rates, not one without width", () => {
    const unlabelled = { ...agreed, humanPositive: null };
    const gap = metrics.defensibilityMinusAccuracy([tally("a", [...rows(agreed, 10), ...rows(unlabelled, 10)])]);
    expect(gap).toMatchObject({ estimate: 0, n: 10, method: "square-and-add", ...newcombeInterval(20, 20, 10, 10) });
    const apart = metrics.defensibilityMinusF1([tally("a", rows(missed, 2))]) as { lower: number; upper: number };
    // DI 2 of 2 is at least 0.342; F1 of two misses at most 2 · 0.658 / 1.658 = 0.793.
    expect(apart).toMatchObject({ estimate: 1, upper: 1, lower: expect.closeTo(1 - Math.hypot(0.6576, 0.7934), 3) });
  });

  it("have one over communities too, and more communities make it narrower", () => {
    const width = (communities: number) => {
      const made = Array.from({ length: communities }, (_, i) => tally(`c${i}`, rows(agreed, 5)));
      const { cluster } = metrics.defensibilityMinusF1(made) as { cluster: { lower: number; upper: number } };
      return cluster.upper - cluster.lower;
    };
    expect(width(2)).toBeGreaterThan(width(4));
    expect(width(4)).toBeGreaterThan(width(40));
    expect(width(40)).toBeGreaterThan(0.01);
    // Labels in one community alone: nothing is known over communities, and no interval says so.
    const unlabelled = rows({ ...agreed, humanPositive: null }, 5);
    const one = metrics.defensibilityMinusAccuracy([tally("a", rows(agreed, 5)), tally("b", unlabelled)]);
    expect(one).not.toHaveProperty("cluster");
    expect(one).toMatchObject({ warnings: [expect.stringContaining("no interval over communities")] });
  });

  it("never come without width, nor do F1 and κ", () => {
    const alike = fc
      .tuple(row, row, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 12 }))
      .map(([a, b, communities, n]) =>
        Array.from({ length: communities }, (_, i) => tally(`c${i}`, [...rows(a, n), ...rows(b, n)])),
      );
    fc.assert(
      fc.property(fc.oneof(tallies, alike), (made) => {
        for (const metric of [
          metrics.defensibilityMinusF1,
          metrics.defensibilityMinusAccuracy,
          metrics.f1,
          metrics.kappa,
        ]) {
          const estimate = metric(made);
          if (estimate.estimate === null) continue;
          expect(hasWidth(estimate)).toBe(true);
          if (estimate.cluster) expect(hasWidth(estimate.cluster)).toBe(true);
        }
      }),
    );
  });
});

describe("κ over communities", () => {
  const CONFUSED = [true, false].flatMap((positive) =>
    [true, false].map((humanPositive) => ({ positive, humanPositive })),
  );
  const of = (tables: readonly (readonly number[])[]) =>
    metrics.kappa(
      tables.map((table, c) =>
        tally(
          `c${c}`,
          table.flatMap((n, i) =>
            new Array<Cell>(n).fill({ ...CONFUSED[i]!, level: 1, inverse: false, scope: "none" }),
          ),
        ),
      ),
    ) as DefinedEstimate;

  it.each(reference.kappa)("is scikit-learn's without one community at a time: $tables", (want) => {
    const { estimate, cluster } = of(want.tables);
    expect(estimate).toBeCloseTo(want.kappa, 12);
    expect(cluster!.lower).toBeCloseTo(want.lower, 9);
    expect(cluster!.upper).toBeCloseTo(want.upper, 9);
    expect(cluster!.effective_clusters).toBeCloseTo(want.effective_clusters, 9);
  });

  it("has the design effect 1 where every decision is a community of its own", () => {
    const rows = reference.kappa[1]!.tables.flatMap((table) =>
      table.flatMap((n, i) => Array.from({ length: n }, () => [0, 1, 2, 3].map((j) => (i === j ? 1 : 0)))),
    );
    expect(of(rows).cluster!.design_effect).toBeCloseTo(1, 1);
  });

  it("knows how many communities agree where all do", () => {
    const lower = (communities: number) => of(Array.from({ length: communities }, () => [5, 0, 0, 5])).cluster!.lower;
    expect(lower(40)).toBeLessThan(1);
    expect(lower(4)).toBeLessThan(lower(40));
  });

  it("is not there, and says so, where κ is undefined without one community; nor is that of F1", () => {
    // Without the first, all decisions and labels are one action.
    const tables = [
      [3, 1, 1, 3],
      [0, 0, 0, 5],
      [0, 0, 0, 4],
    ];
    expect(of(tables)).not.toHaveProperty("cluster");
    expect(of(tables).warnings).toEqual([expect.stringContaining("undefined when one community is left out")]);
    const positives = metrics.f1([
      tally("a", [{ positive: true, humanPositive: true, level: 1, inverse: false, scope: "none" }]),
      tally("b", [{ positive: false, humanPositive: false, level: 1, inverse: false, scope: "none" }]),
    ]);
    expect(positives).toMatchObject({
      estimate: 1,
      warnings: [expect.stringContaining("no interval over communities")],
    });
    expect(of([[3, 1, 1, 3]])).not.toHaveProperty("warnings");
  });
});

describe("the mean of one value", () => {
  const meanOf = (mean: number, bounds: [number, number]) =>
    metrics.meanOver([{ cluster: "a", n: 1, mean, squaredDeviations: 0 }], bounds, "none") as DefinedEstimate;

  it("is there, with an interval that covers 95% of the draws from any population within the bounds", () => {
    expect(meanOf(0.8, [0, 1])).toMatchObject({
      estimate: 0.8,
      lower: expect.closeTo(0.04),
      upper: expect.closeTo(0.99),
      n: 1,
    });
    const weight = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(weight, weight), { minLength: 1, maxLength: 4 }), (law) => {
        const total = law.reduce((sum, [w]) => sum + w, 0);
        fc.pre(total > 0);
        const mean = law.reduce((sum, [w, x]) => sum + (w / total) * x, 0);
        const covered = law.reduce((sum, [w, x]) => {
          const { lower, upper } = meanOf(x, [0, 1]);
          return sum + (lower <= mean + 1e-12 && mean <= upper + 1e-12 ? w / total : 0);
        }, 0);
        expect(covered).toBeGreaterThan(0.95 - 1e-9);
      }),
    );
    // The worst case: one in twenty is at the other end.
    expect(meanOf(1, [0, 1]).lower).toBeCloseTo(0.05, 12);
  });

  it("has no interval where nothing bounds it", () => {
    expect(meanOf(12, [0, Number.MAX_VALUE])).toMatchObject({
      estimate: 12,
      lower: 12,
      upper: 12,
      warnings: ["one value has no interval"],
    });
  });
});

describe("targets", () => {
  it("are met by 27 of 30 at the point, but judged by the interval", () => {
    const exact = { estimate: 0.9, lower: 27 / 30, upper: 0.95, level: 0.95, method: "", n: 30 };
    expect(metrics.targetStatus(exact, 0.9, "at_least").status).toBe("met");
    expect(metrics.targetStatus({ ...exact, lower: 0.85 }, 0.9, "at_least").status).toBe("undecided");
    expect(metrics.targetStatus({ ...exact, lower: 0.8, upper: 0.89 }, 0.9, "at_least").status).toBe("not_met");
    expect(metrics.targetStatus({ estimate: null, reason: "no verdicts", n: 0 }, 0.9, "at_least").status).toBe(
      "undefined",
    );
  });

  const cluster = { lower: 0.7, upper: 0.95, method: "", clusters: 5, design_effect: 4 };
  const wide = { estimate: 0.92, lower: 0.91, upper: 0.93, level: 0.95, method: "", n: 3000, cluster };
  const status = (of: Partial<typeof cluster>) =>
    metrics.targetStatus({ ...wide, cluster: { ...cluster, ...of } }, 0.9, "at_least");

  it("are judged by the clustered interval where it is the wider one", () => {
    expect(status({})).toMatchObject({ status: "undecided", interval: "cluster" });
    // Communities that are more alike than chance would have them prove nothing.
    expect(status({ lower: 0.919, upper: 0.921 })).toMatchObject({ status: "met", interval: "independent" });
  });

  it("take fewer than five communities as they are: of two an interval for others would cover nearly everything", () => {
    expect(status({ clusters: 4 })).toMatchObject({ status: "met", interval: "independent" });
    const verdicts = (level: 1 | 3, n: number) => new Array<Cell>(n).fill(CELLS.find((cell) => cell.level === level)!);
    const two = [180, 100].map((n, i) => tally(`c${i}`, [...verdicts(1, n), ...verdicts(3, 200 - n)]));
    const index = metrics.defensibilityIndex(two) as DefinedEstimate;
    expect(index.cluster!.upper - index.cluster!.lower).toBeGreaterThan(0.9);
    expect(metrics.targetStatus(index, 0.9, "at_least")).toMatchObject({ status: "not_met", interval: "independent" });
  });
});

describe("model and humans side by side", () => {
  it("is a paired difference", () => {
    const pairs = [
      { cluster: "a", both: 6, modelOnly: 3, humanOnly: 1, neither: 0 },
      { cluster: "b", both: 4, modelOnly: 2, humanOnly: 0, neither: 4 },
    ];
    const {
      n,
      model_defensibility_index: model,
      human_defensibility_index: human,
      difference,
    } = metrics.compareWithHumans(pairs);
    expect([n, value(model), value(human)]).toEqual([20, 0.75, 0.55]);
    expect(value(difference)).toBeCloseTo(0.2, 12);
  });

  it("is no certainty where no pair differs, or all differ alike: Tango's interval, and none over communities", () => {
    const pair = (cluster: string, counts: object) => ({
      cluster,
      both: 0,
      modelOnly: 0,
      humanOnly: 0,
      neither: 0,
      ...counts,
    });
    const same = metrics.compareWithHumans([pair("a", { both: 10 }), pair("b", { both: 5, neither: 5 })]).difference;
    // z² / (n + z²) with z = 1.96 and n = 20.
    expect(same).toMatchObject({ estimate: 0, lower: expect.closeTo(-0.16113, 4), upper: expect.closeTo(0.16113, 4) });
    expect(same).not.toHaveProperty("cluster");
    const all = metrics.compareWithHumans([pair("a", { humanOnly: 20 })]).difference;
    expect(all).toMatchObject({ estimate: -1, lower: -1, upper: expect.closeTo(-0.67775, 4), method: "Tango" });
  });
});

describe("gaps where people labelled a part", () => {
  const rows = (cell: Cell, n: number) => Array.from({ length: n }, () => cell);
  const labelled = rows({ positive: true, humanPositive: true, level: 1, inverse: false, scope: "none" }, 30);
  const missed = rows({ positive: true, humanPositive: false, level: 1, inverse: false, scope: "none" }, 2);
  const others = rows({ positive: true, humanPositive: null, level: 3, inverse: false, scope: "none" }, 40);

  it("are given over that part too, where both sides speak of the same decisions", () => {
    const { gap } = metrics.reportMetrics([tally("a", [...labelled, ...missed, ...others], 5, 5)]);
    expect(value(gap.di_minus_accuracy)).toBeCloseTo(32 / 72 - 30 / 32, 12);
    expect(value(gap.labelled!.di_minus_accuracy)).toBeCloseTo(1 - 30 / 32, 12);
    expect(value(gap.labelled!.di_minus_f1)).toBeCloseTo(1 - 60 / 62, 12);
    expect(gap.labelled!.defensibility_index).toMatchObject({ k: 32, n: 32 });
    // Nobody knows which of the decisions without a verdict had a label.
    expect(gap.labelled!.defensibility_index).not.toHaveProperty("worst_case");
  });

  it("are not where all or none are labelled", () => {
    expect(metrics.reportMetrics([tally("a", labelled)]).gap).not.toHaveProperty("labelled");
    expect(metrics.reportMetrics([tally("a", others)]).gap).not.toHaveProperty("labelled");
  });
});

describe("what a target bears out", () => {
  it("is counted for each of the auditor's findings, and not where the target is silent", () => {
    const pair = (level: number, inverse: boolean, disagrees: boolean | null, target: [number, boolean | null]) => ({
      ...{ level, inverse, disagrees, targetLevel: target[0], targetInverse: target[1], indefensibleScore: null },
    });
    const { confirmed } = metrics.compareAgainst("gold", [
      pair(3, true, true, [3, true]),
      pair(3, true, true, [1, false]),
      pair(1, false, true, [1, false]),
      pair(1, false, true, [1, true]),
      pair(2, false, true, [1, null]),
      pair(2, true, true, [3, true]),
      pair(3, true, false, [3, true]),
      pair(3, true, null, [3, true]),
    ]);
    expect(confirmed).toMatchObject({
      model_error: { k: 1, n: 2 },
      implicit_norm: { k: 1, n: 2 },
      disagreements_defensible: { k: 3, n: 4 },
      agreed_indefensible: { k: 1, n: 1 },
    });
  });
});
