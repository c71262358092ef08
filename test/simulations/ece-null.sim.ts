import { describe, expect, it } from "vitest";
import { evaluateScore } from "../../src/measures/calibration/errors/evaluate-score.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { about, atMost, holds } from "./coverage.js";
import { record } from "./record.js";

/** Scores as S has them (near 1, a tail down to 0.5), spread evenly, and in two groups. */
const laws: Record<string, (rng: Rng) => number> = {
  "like S": (rng) =>
    Math.exp(-0.05 * rng.next() - 0.36 * (rng.next() < 0.22 ? 0.8 + 0.2 * rng.next() : 0.1 * rng.next())),
  uniform: (rng) => rng.next(),
  "two groups": (rng) => (rng.next() < 0.15 ? 0.05 + 0.1 * rng.next() : 0.97 + 0.02 * rng.next()),
};

const draw = (law: (rng: Rng) => number, n: number, rng: Rng) => Float64Array.from({ length: n }, () => law(rng));
const outcomes = (score: Float64Array, rng: Rng) => Uint8Array.from(score, (s) => (rng.next() < s ? 1 : 0));
const binomialSlack = (p: number, n: number) => 4 * Math.sqrt((p * (1 - p)) / n);

describe("the calibration error of a perfectly calibrated score", () => {
  it.each(Object.entries(laws))("is not 0, shrinks as 1/√n and is foretold by the null mean: %s", (name, law) => {
    const rng = createRng(name);
    let before = Number.POSITIVE_INFINITY;
    for (const n of [100, 300, 1000, 5000, 26_000]) {
      const runs = n > 2000 ? 60 : 300;
      let seen = 0;
      let foretold = 0;
      for (let run = 0; run < runs; run += 1) {
        const score = draw(law, n, rng);
        const { ece } = evaluateScore(score, outcomes(score, rng), { seed: run, draws: 20 });
        seen += ece.equal_frequency.value! / runs;
        foretold += ece.equal_frequency.null_mean! / runs;
      }
      const row = { method: name, setting: `${n} rows`, promise: null, draws: runs, seed: name };
      const topic = "Calibration error of a perfect score";
      record({ ...row, topic, measure: "mean equal-frequency ECE, ten bins", observed: seen });
      const prediction = "Calibration error of a perfect score, as predicted";
      record({ ...row, topic: prediction, measure: "mean of the null mean, 20 draws each", observed: foretold });
      expect(Math.abs(seen / foretold - 1)).toBeLessThan(0.15);
      expect(seen).toBeLessThan(before);
      before = seen;
    }
  });
});

describe("tests of perfect calibration at the 5% level", () => {
  it.each(Object.entries(laws))("reject a calibrated score one time in twenty: %s", (name, law) => {
    const rng = createRng(`size ${name}`);
    const runs = 1000;
    const rejected = { equal_frequency: 0, tie_averaged: 0, equal_width: 0, smooth: 0, spiegelhalter: 0 };
    const above = { equal_frequency: 0, tie_averaged: 0, equal_width: 0, debiased_rms: 0, smooth: 0 };
    let outside = 0;
    let bins = 0;
    for (let run = 0; run < runs; run += 1) {
      const score = draw(law, 500, rng);
      const got = evaluateScore(score, outcomes(score, rng), { seed: run, draws: 199 });
      for (const key of ["equal_frequency", "tie_averaged", "equal_width", "smooth"] as const) {
        if (got.ece[key].p! <= 0.05) rejected[key] += 1;
      }
      for (const key of Object.keys(above) as (keyof typeof above)[]) {
        if (got.ece[key].value! > got.ece[key].null_95!) above[key] += 1;
      }
      if (got.spiegelhalter.p! <= 0.05) rejected.spiegelhalter += 1;
      for (const bin of got.reliability) {
        bins += 1;
        if (bin.outside) outside += 1;
      }
    }
    const row = { setting: `${name}; 500 rows`, draws: runs, seed: `size ${name}` };
    for (const [key, count] of Object.entries(rejected)) {
      const ofError = key !== "spiegelhalter";
      record({
        ...row,
        topic: ofError ? "Test of calibration by an ECE" : "Spiegelhalter's test",
        method: ofError ? key.replace("_", "-") : "z",
        measure: "perfect scores rejected at the 5% level",
        promise: ofError ? atMost(0.05) : { kind: "approximate", nominal: 0.05, at_most: 0.06 },
        observed: count / runs,
      });
    }
    for (const [key, count] of Object.entries(above)) {
      record({
        ...row,
        topic: "Null 95% quantile of an ECE",
        method: key.replace("_", "-"),
        measure: "perfect scores whose error lies above it, 199 draws each",
        promise: { kind: "approximate", nominal: 0.05, at_most: 0.06 },
        observed: count / runs,
      });
    }
    record({
      ...row,
      topic: "Band of the reliability table",
      method: "band",
      measure: "bins of perfect scores outside it",
      promise: { kind: "approximate", nominal: 0.05, at_most: 0.06 },
      observed: outside / bins,
    });
    for (const key of ["equal_frequency", "tie_averaged", "equal_width", "smooth"] as const) {
      expect(Math.abs(rejected[key] / runs - 0.05)).toBeLessThan(binomialSlack(0.05, runs));
    }
    // An asymptotic test: near its level.
    expect(rejected.spiegelhalter / runs).toBeLessThan(0.075);
    // Rates of 50 rows are discrete, so that a band of 95% holds at least about as many.
    expect(outside / bins).toBeLessThan(0.07);
  });
});

describe("intervals over communities", () => {
  const rows = (sizes: readonly number[], rng: Rng) => {
    const n = sizes.reduce((sum, size) => sum + size, 0);
    const [score, target, clusters] = [new Float64Array(n), new Uint8Array(n), new Int32Array(n)];
    let at = 0;
    sizes.forEach((size, community) => {
      const [base, shift] = [0.35 + 0.5 * rng.next(), 0.3 * (rng.next() - 0.5)];
      for (const end = at + size; at < end; at += 1) {
        score[at] = Math.min(1, Math.max(0, base + 0.3 * (rng.next() - 0.5)));
        target[at] = rng.next() < score[at]! + shift ? 1 : 0;
        clusters[at] = community;
      }
    });
    return { score, target, clusters };
  };
  const equal = (groups: number) => new Array<number>(groups).fill(30);
  // The largest of 12 has 35% of the rows.
  const unequal = [210, 110, 72, 52, 40, 32, 25, 20, 16, 12, 8, 3];

  it.each([
    ["60 communities of 30 rows", equal(60), about(0.95, 0.93)],
    ["12 communities of 3 to 210 rows", unequal, about(0.95, 0.92)],
  ] as const)(
    "hold the AUROC and the Brier score of the process about 95 times in 100: %s",
    (setting, sizes, promise) => {
      const rng = createRng("clusters");
      // Rows of large communities are no other than those of small ones, so the process has one truth.
      const whole = rows(equal(20_000), rng);
      const truth = evaluateScore(whole.score, whole.target, { seed: 1, draws: 0 });
      const runs = 3000;
      const covered = { auroc: 0, brier: 0, rows: 0 };
      for (let run = 0; run < runs; run += 1) {
        const { score, target, clusters } = rows(sizes, rng);
        const got = evaluateScore(score, target, { seed: run, draws: 0, clusters });
        const holds = (interval: { lower: number; upper: number } | null, value: number) =>
          interval !== null && interval.lower <= value && value <= interval.upper;
        if (holds(got.intervals!.auroc, truth.auroc.estimate!)) covered.auroc += 1;
        if (holds(got.intervals!.brier, truth.brier.value!)) covered.brier += 1;
        if (got.auroc.estimate !== null && holds(got.auroc, truth.auroc.estimate!)) covered.rows += 1;
      }
      const methods = { auroc: "AUROC, jackknife", brier: "Brier score, jackknife", rows: "AUROC, DeLong by rows" };
      for (const key of ["auroc", "brier", "rows"] as const) {
        record({
          topic: "Scores over communities",
          method: methods[key],
          setting,
          measure: "coverage",
          promise: key === "rows" ? { kind: "broken", at_least: 0.95 } : promise,
          observed: covered[key] / runs,
          draws: runs,
          seed: "clusters",
        });
      }
      for (const key of ["auroc", "brier"] as const) {
        expect(covered[key] / runs).toBeGreaterThan(0.95 - binomialSlack(0.05, runs) - 0.02);
      }
      expect(covered.rows).toBeLessThan(covered.auroc);
    },
  );
});

describe("the interval of the ECE that leaves out one community at a time", () => {
  const cases = [0, 0.1].flatMap((off) =>
    [
      { communities: 60, rows: 30 },
      { communities: 20, rows: 100 },
    ].map((size) => ({ off, ...size })),
  );

  it.each(cases)("off by $off; $communities communities of $rows rows", ({ off, communities, rows }) => {
    const seed = `ece over communities ${off} ${communities}`;
    const rng = createRng(seed);
    const clusters = Int32Array.from({ length: communities * rows }, (_, i) => Math.floor(i / rows));
    const runs = 400;
    let hits = 0;
    for (let run = 0; run < runs; run += 1) {
      const score = Float64Array.from(clusters, () => 0.15 + 0.8 * rng.next());
      const y = outcomes(
        score.map((s) => s - off),
        rng,
      );
      const { ece } = evaluateScore(score, y, { seed: run, draws: 0, clusters }).intervals!;
      if (ece && holds(ece, off)) hits += 1;
    }
    record({
      topic: "Interval of the ECE over communities",
      method: "jackknife, t",
      setting: `${off === 0 ? "perfect score" : `score off by ${off}`}; ${communities} communities of ${rows} rows`,
      measure: "coverage of the ECE without chance",
      promise: off === 0 ? { kind: "broken", at_least: 0.95 } : about(0.95, 0.92),
      observed: hits / runs,
      draws: runs,
      seed,
    });
  });
});
