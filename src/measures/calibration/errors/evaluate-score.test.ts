import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../../test/references/calibration.js";
import { wilsonInterval } from "../../../stats/intervals/proportion.js";
import { createRng, shuffle } from "../../../stats/random/create-rng.js";
import {
  calibrationError,
  debiasedError,
  equalFrequencyEdges,
  equalWidthEdges,
  unsplitEdges,
} from "./calibration-error.js";
import { spiegelhalterTest } from "./calibration-errors.js";
import { evaluateScore } from "./evaluate-score.js";
import { smoothError } from "./smooth-error.js";
import { brierScore, logLoss } from "./weighted-auroc.js";

const evaluate = (score: ArrayLike<number>, target: ArrayLike<number>, draws = 0, more = {}) =>
  evaluateScore(Float64Array.from(score), Uint8Array.from(target), { seed: 1, draws, ...more });

/** Scores with many ties and 0/1 outcomes. */
const tied = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1 })), {
  minLength: 1,
  maxLength: 60,
});

describe("evaluateScore", () => {
  it.each(reference.evaluations)("agrees with scikit-learn, numpy and the definitions: $name", (want) => {
    const got = evaluate(want.score, want.target);
    expect(got.n).toBe(want.score.length);
    expect(got.ece.equal_frequency.value).toBeCloseTo(want.equal_frequency, 12);
    expect(got.ece.tie_averaged.value).toBeCloseTo(want.tie_averaged, 12);
    expect(got.ece.equal_width.value).toBeCloseTo(want.equal_width, 12);
    if (want.debiased_rms === null)
      expect(got.ece.debiased_rms).toMatchObject({ value: null, reason: "a bin of one row" });
    else expect(got.ece.debiased_rms.value).toBeCloseTo(want.debiased_rms, 8);
    expect(Math.abs(got.ece.smooth.value! / want.smooth - 1)).toBeLessThan(2e-4);
    expect(got.brier.value).toBeCloseTo(want.brier, 12);
    for (const [part, value] of Object.entries(want.brier_parts)) {
      expect(got.brier[part as keyof typeof want.brier_parts], part).toBeCloseTo(value, 12);
    }
    expect(got.log_loss.value).toBeCloseTo(want.log_loss, 10);
    expect(got.log_loss.clipped).toBe(want.clipped);
    if (want.auroc === null) expect(got.auroc.estimate).toBeNull();
    else expect(got.auroc.estimate).toBeCloseTo(want.auroc, 12);
    if (want.spiegelhalter === null) expect(got.spiegelhalter.z).toBeNull();
    else {
      expect(got.spiegelhalter.z).toBeCloseTo(want.spiegelhalter.z, 10);
      expect(got.spiegelhalter.p! / want.spiegelhalter.p).toBeCloseTo(1, 9);
    }
  });

  it.each(reference.nulls)("shows what a calibrated score would show: $law, n = $n", (want) => {
    const laws: Record<string, (u: number) => number> = {
      "u^(1/8)": (u) => u ** (1 / 8),
      u: (u) => u,
      "two points": (u) => (u < 0.2 ? 0.3 : 0.95),
    };
    const score = Float64Array.from({ length: want.n }, (_, i) => laws[want.law]!((i + 0.5) / want.n));
    const draws = 2000;
    const got = evaluate(score, new Uint8Array(want.n), draws);
    expect(got.draws).toBe(draws);
    for (const name of ["equal_frequency", "equal_width", "debiased_rms"] as const) {
      const { mean, q95, sd } = want[name];
      // Both sides are simulated: five standard errors of the mean, and as much again for a quantile.
      const slack = 5 * sd * Math.sqrt(1 / draws + 1 / want.draws);
      expect(Math.abs(got.ece[name].null_mean! - mean), `mean of ${name}`).toBeLessThan(slack);
      expect(Math.abs(got.ece[name].null_95! - q95), `quantile of ${name}`).toBeLessThan(3 * slack);
    }
    expect(got.reliability).toHaveLength(want.bands.length);
    for (const [b, bin] of got.reliability.entries()) {
      const step = 1.0001 / bin.n;
      expect(Math.abs(bin.band!.lower - want.bands[b]![0]!)).toBeLessThanOrEqual(step);
      expect(Math.abs(bin.band!.upper - want.bands[b]![1]!)).toBeLessThanOrEqual(step);
    }
  });

  it("draws the same from cells of many rows as from single rows", () => {
    // 3,000 rows: cells hold one or two. 300,000 of the same law: cells of hundreds, drawn as binomials. ECE goes with 1/√n.
    const law = (n: number) => Float64Array.from({ length: n }, (_, i) => ((i + 0.5) / n) ** 0.25);
    const [few, many] = [3000, 300_000].map((n) => evaluate(law(n), new Uint8Array(n), 1000).ece);
    for (const name of ["equal_frequency", "equal_width"] as const) {
      expect((10 * many![name].null_mean!) / few![name].null_mean!).toBeCloseTo(1, 1);
      expect((10 * many![name].null_95!) / few![name].null_95!).toBeCloseTo(1, 1);
    }
  });

  it("gives a p-value that is uniform for a calibrated score and small for another", () => {
    const rng = createRng(11);
    const score = Float64Array.from({ length: 400 }, () => rng.next() ** 0.3);
    let rejected = 0;
    for (let k = 0; k < 60; k += 1) {
      const target = Uint8Array.from(score, (s) => (rng.next() < s ? 1 : 0));
      const { p } = evaluateScore(score, target, { seed: k, draws: 99 }).ece.equal_frequency;
      if (p! <= 0.05) rejected += 1;
    }
    // Binomial(60, 0.05) exceeds 9 with probability 0.001.
    expect(rejected).toBeLessThanOrEqual(9);
    const wrong = Uint8Array.from(score, (s) => (rng.next() < s * s ? 1 : 0));
    for (const error of Object.values(evaluate(score, wrong, 199).ece)) expect(error.p).toBe(1 / 200);
  });

  it("depends on the order of rows only in the paper's ECE, and there only by ties", () => {
    fc.assert(
      fc.property(tied, fc.integer(), (list, seed) => {
        const [score, target] = [list.map(([s]) => s / 20), list.map(([, y]) => y)];
        const order = shuffle(
          list.map((_, i) => i),
          createRng(seed),
        );
        const straight = evaluate(score, target, 20);
        const mixed = evaluate(
          order.map((i) => score[i]!),
          order.map((i) => target[i]!),
          20,
        );
        const paper = (all: typeof straight) => ({ ...all, ece: { ...all.ece, equal_frequency: null } });
        expect(paper(mixed)).toEqual(nearly(paper(straight)));
      }),
      { numRuns: 60 },
    );
    // A constant score: 0.33 by one order of rows, 0.05 in truth.
    const target = Array.from({ length: 100 }, (_, i) => (i < 75 ? 1 : 0));
    const ece = evaluate(
      target.map(() => 0.8),
      target,
    ).ece;
    expect(ece.equal_frequency.value).toBeCloseTo(0.33, 12);
    expect(ece.tie_averaged.value).toBeCloseTo(0.05, 12);
    expect(ece.smooth.value).toBeCloseTo(0.05, 9);
  });

  it("is unchanged when every row stands twice, and mirrored when the classes change places", () => {
    fc.assert(
      fc.property(tied, (list) => {
        const [score, target] = [list.map(([s]) => s / 20), list.map(([, y]) => y)];
        const once = evaluate(score, target);
        const twice = evaluate([...score, ...score], [...target, ...target]);
        expect(twice.brier.value).toBeCloseTo(once.brier.value!, 12);
        expect(twice.log_loss.value).toBeCloseTo(once.log_loss.value!, 12);
        expect(twice.ece.smooth.value).toBeCloseTo(once.ece.smooth.value!, 8);
        expect(twice.ece.equal_width.value).toBeCloseTo(once.ece.equal_width.value!, 12);
        const mirrored = evaluate(
          score.map((s) => 1 - s),
          target.map((y) => 1 - y),
        );
        expect(mirrored.ece.smooth.value).toBeCloseTo(once.ece.smooth.value!, 6);
        expect(mirrored.brier.value).toBeCloseTo(once.brier.value!, 12);
        expect(mirrored.spiegelhalter.z ?? 0).toBeCloseTo(once.spiegelhalter.z ?? 0, 8);
        if (once.auroc.estimate !== null) expect(mirrored.auroc.estimate).toBeCloseTo(once.auroc.estimate, 12);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps its bounds: the bias below every error, errors below 1, terms of the Brier score adding up", () => {
    fc.assert(
      fc.property(tied, (list) => {
        const [score, target] = [list.map(([s]) => s / 20), list.map(([, y]) => y)];
        const { ece, brier, log_loss, n } = evaluate(score, target);
        const bias = Math.abs(score.reduce((sum, s, i) => sum + s - target[i]!, 0)) / n;
        for (const name of ["equal_frequency", "tie_averaged", "equal_width", "smooth"] as const) {
          expect(ece[name].value).toBeGreaterThanOrEqual(bias - 1e-9);
          expect(ece[name].value).toBeLessThanOrEqual(1 + 1e-12);
        }
        const { reliability, resolution, uncertainty, within_bin_variance, within_bin_covariance } = brier;
        const sum = reliability! - resolution! + uncertainty! + within_bin_variance! - 2 * within_bin_covariance!;
        expect(sum).toBeCloseTo(brier.value!, 12);
        expect(log_loss.value).toBeGreaterThanOrEqual(brier.value! - 1e-12);
      }),
    );
  });

  it("is the same for the same seed and another for another", () => {
    const score = Array.from({ length: 200 }, (_, i) => (i + 0.5) / 200);
    const target = score.map((s) => (s > 0.4 ? 1 : 0));
    expect(evaluate(score, target, 50)).toEqual(evaluate(score, target, 50));
    const other = evaluate(score, target, 50, { seed: 2 });
    expect(other.ece.smooth.null_mean).not.toBe(evaluate(score, target, 50).ece.smooth.null_mean);
    expect(other.ece.smooth.value).toBe(evaluate(score, target, 50).ece.smooth.value);
  });

  it("is undefined with reasons for no rows", () => {
    const got = evaluate([], [], 10);
    expect(got).toMatchObject({
      n: 0,
      ece: {
        equal_frequency: { value: null, reason: "no rows", null_95: null },
        smooth: { value: null, reason: "no rows" },
      },
      brier: { value: null, uncertainty: null },
      log_loss: { value: null, clipped: 0, base_rate: null },
      auroc: { estimate: null, reason: "no positive rows" },
      spiegelhalter: { z: null, p: null, reason: "no rows" },
      reliability: [],
      mean_score: { all: null, defensible: null, indefensible: null },
      warnings: ["no rows"],
    });
    expect(JSON.stringify(got)).not.toContain("NaN");
  });

  it("leaves out and counts rows without score or target, and refuses what is no probability", () => {
    const got = evaluate([0.5, Number.NaN, 0.9, 0.1, Number.NaN], [1, 1, 255, 0, 255]);
    expect(got).toMatchObject({ n: 2, left_out: { no_score: 1, no_target: 2 } });
    expect(got.mean_score).toEqual({ all: 0.3, defensible: 0.5, indefensible: expect.closeTo(0.1, 12) });
    expect(() => evaluate([1.01], [1])).toThrow("score: not a probability; got 1.01 in row 0, expected 0 to 1");
    expect(() => evaluate([0.5], [1, 0])).toThrow(RangeError);
    expect(() => evaluate([0.5], [1], 1.5)).toThrow("draws");
    expect(() => evaluate([0.5], [1], 0, { bins: 0 })).toThrow("bins");
  });

  it("warns of one class, few rows and ties across bins", () => {
    const score = Array.from({ length: 20 }, (_, i) => i / 20);
    expect(
      evaluate(
        score,
        score.map(() => 1),
      ).warnings,
    ).toEqual([
      "one class: all 20 rows are defensible, so the errors say only how far the scores are from that",
      "few rows: 20 in 10 bins; compare every error with its null value",
    ]);
    const tie = evaluate(
      Array.from({ length: 100 }, (_, i) => (i % 3) / 2),
      Array.from({ length: 100 }, (_, i) => i % 2),
    );
    expect(tie.warnings).toEqual([expect.stringMatching(/^equal scores reach across bins/)]);
    expect(tie.distinct_scores).toBe(3);
    expect(tie.reliability.map(({ from, to, n }) => [from, to, n])).toEqual([
      [0, 0, 34],
      [0.5, 0.5, 33],
      [1, 1, 33],
    ]);
  });

  it("has Wilson's interval and a band for each line of the table", () => {
    const score = Array.from({ length: 100 }, (_, i) => 0.5 + (i + 0.5) / 200);
    const { reliability } = evaluate(
      score,
      score.map((_, i) => (i < 10 ? 0 : 1)),
      200,
    );
    const first = reliability[0]!;
    expect(first).toMatchObject({ n: 10, rate: { estimate: 0, k: 0, n: 10, ...wilsonInterval(0, 10) }, outside: true });
    expect(first.mean_score).toBeCloseTo(0.525, 12);
    expect(first.band!.lower).toBeGreaterThan(0);
    expect(reliability.at(-1)).toMatchObject({ rate: { estimate: 1 }, outside: false });
  });

  it("has the intervals of the measures without each community in turn", () => {
    const { community, target, a, ...want } = reference.over_communities;
    const [score, y] = [Float64Array.from(a), Uint8Array.from(target)];
    // Numbers of communities may have gaps.
    const clusters = Int32Array.from(community, (c) => 10 * c);
    const got = evaluateScore(score, y, { seed: 5, draws: 0, clusters });
    expect(got.ece.equal_frequency.value).toBeCloseTo(want.ece.estimate, 12);
    expect(got.intervals!.clusters).toBe(7);
    for (const name of ["ece", "brier", "auroc"] as const) {
      expect(got.intervals![name]!.lower).toBeCloseTo(want[name].lower, 10);
      expect(got.intervals![name]!.upper).toBeCloseTo(want[name].upper, 10);
    }
    expect(got.auroc).toMatchObject({ method: "DeLong, logit", cluster: got.intervals!.auroc! });
  });

  it("has no interval over communities of one, and says when one has a whole class", () => {
    const score = Float64Array.of(0.9, 0.4, 0.3, 0.8, 0.5, 0.2);
    const y = Uint8Array.of(1, 1, 0, 0, 0, 0);
    const of = (clusters: number[] | null) =>
      evaluateScore(score, y, { seed: 5, draws: 0, ...(clusters && { clusters: Int32Array.from(clusters) }) });
    expect(of(null).intervals).toBeNull();
    expect(of([0, 0, 0, 0, 0, 0]).intervals).toEqual({ clusters: 1, ece: null, auroc: null, brier: null });
    const alone = of([0, 0, 0, 1, 1, 2]);
    expect(alone.intervals!.auroc).toBeNull();
    expect(alone.intervals!.brier).not.toBeNull();
    expect(alone.auroc).toMatchObject({ warnings: [expect.stringContaining("a whole class to itself")] });
    expect(alone.warnings.join()).toContain("AUROC: no interval over communities: one community has a whole class");
    const flat = evaluateScore(new Float64Array(6).fill(0.5), y, {
      ...{ seed: 5, draws: 0, clusters: Int32Array.of(0, 1, 2, 0, 1, 2) },
    });
    expect(flat.intervals).toMatchObject({ clusters: 3, auroc: null, brier: null });
  });
});

describe("bins", () => {
  it("have as many rows as numpy's array_split gives them", () => {
    expect([...equalFrequencyEdges(23, 10)]).toEqual([0, 3, 6, 9, 11, 13, 15, 17, 19, 21, 23]);
    expect([...equalFrequencyEdges(7, 10)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...equalFrequencyEdges(0, 10)]).toEqual([0]);
  });

  it.each(reference.evaluations.filter((set) => set.curve !== undefined))(
    "of equal width are scikit-learn's: $name",
    (set) => {
      const order = set.score.map((_, i) => i).sort((i, j) => set.score[i]! - set.score[j]!);
      const sorted = Float64Array.from(order, (i) => set.score[i]!);
      const edges = equalWidthEdges(sorted);
      const means: number[] = [];
      for (let b = 0; b < 10; b += 1) {
        const rows = sorted.subarray(edges[b], edges[b + 1]);
        if (rows.length > 0) means.push(rows.reduce((sum, s) => sum + s, 0) / rows.length);
      }
      expect(means).toHaveLength(set.curve!.means.length);
      for (const [b, mean] of means.entries()) expect(mean).toBeCloseTo(set.curve!.means[b]!, 12);
    },
  );

  it("that split no ties end where a run of equal scores ends", () => {
    const sorted = Float64Array.of(0.1, 0.2, 0.2, 0.2, 0.3, 0.4);
    expect([...unsplitEdges(sorted, equalFrequencyEdges(6, 3))]).toEqual([0, 4, 6]);
    expect([...unsplitEdges(new Float64Array(50).fill(0.5), equalFrequencyEdges(50))]).toEqual([0, 50]);
  });
});

describe("measures of single values", () => {
  it("take the certain and wrong without infinity, and say so", () => {
    expect(logLoss([1, 1], [1, 0])).toEqual({ value: expect.closeTo(-Math.log(1e-12) / 2, 10), clipped: 1 });
    expect(logLoss([1, 0], [1, 0])).toEqual({ value: 0, clipped: 0 });
    expect(spiegelhalterTest([0, 1, 0.5], [1, 1, 0])).toEqual({ z: null, p: null, reason: "every score is 0, ½ or 1" });
  });

  it("are null of nothing", () => {
    const nothing = { n: [], scores: [], positives: [] };
    expect(calibrationError(nothing)).toBeNull();
    expect(debiasedError(nothing)).toBeNull();
    expect(smoothError(nothing)).toBeNull();
    expect(brierScore([], [], [0]).value).toBeNull();
  });

  it("is 0 for a smooth error without residuals, and the bias for a constant score", () => {
    expect(smoothError({ n: [4, 4], scores: [1, 3], positives: [1, 3] })).toBe(0);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 20 }), (score, k) => {
        const error = smoothError({ n: [20], scores: [20 * score], positives: [k] })!;
        expect(error).toBeCloseTo(Math.abs(score - k / 20), 8);
      }),
    );
  });

  it("smooths residuals of opposite sign away where they are close, not where they are far", () => {
    const error = (a: number, b: number) =>
      smoothError({ n: [10, 10], scores: [10 * a, 10 * b], positives: [10 * a - 2, 10 * b + 2] })!;
    expect(error(0.5, 0.51)).toBeLessThan(0.06);
    expect(error(0.3, 0.9)).toBeGreaterThan(0.15);
  });
});

/** The same with numbers within 5e-11, for comparisons that sums in another order would spoil. */
function nearly(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, entry) =>
    typeof entry === "number" ? expect.closeTo(entry, 10) : entry,
  );
}
