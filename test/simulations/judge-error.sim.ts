import { describe, expect, it } from "vitest";
import type { Level } from "../../src/core/records/level.js";
import { correctRate, type LabelDesign } from "../../src/measures/metrics/judge/correct-rate.js";
import {
  auditedIndex,
  emptyJudgeCounts,
  humanIndex,
  JUDGE_QUANTITIES,
  judgeIndex,
  quantityStrata,
} from "../../src/measures/metrics/judge/counts.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { about, atLeast } from "./coverage.js";
import { record } from "./record.js";

/** One world: a true rate of indefensible decisions, an auditor with these errors, this many labels among this many decisions. */
interface World {
  truth: number;
  sensitivity: number;
  specificity: number;
  labels: number;
  decisions: number;
  design?: LabelDesign;
}

interface JudgeCoverage extends World {
  trials: number;
  /** Two-sided 95% intervals that hold the truth. */
  prediction_powered: number;
  /** Of those that are defined. */
  rogan_gladen: number | null;
  audited: number;
  /** One-sided 95% upper bounds that hold it, and their means. */
  upper_exact: number;
  upper_prediction_powered: number;
  mean_exact: number;
  mean_prediction_powered: number;
}

/** Coverage of what `correctRate` says of the true rate, in worlds drawn from a seed. */
function judgeCoverage(world: World, trials: number, seed: number): JudgeCoverage {
  const rng = createRng(seed);
  const hits = { powered: 0, gladen: 0, audited: 0, exact: 0, upper: 0 };
  let corrected = 0;
  const means = { exact: 0, upper: 0 };
  for (let trial = 0; trial < trials; trial++) {
    const got = correctRate(quantityStrata([draw(world, rng)], JUDGE_QUANTITIES.indefensible_rate), {
      design: world.design ?? "random",
    });
    const holds = (rate: { estimate: number | null; lower?: number; upper?: number }) =>
      rate.estimate !== null && rate.lower! <= world.truth && rate.upper! >= world.truth ? 1 : 0;
    hits.powered += holds(got.prediction_powered);
    hits.gladen += holds(got.rogan_gladen);
    if (got.rogan_gladen.estimate !== null) corrected++;
    hits.audited += holds(got.audited);
    hits.exact += got.upper_bound.exact! >= world.truth ? 1 : 0;
    hits.upper += got.upper_bound.prediction_powered! >= world.truth ? 1 : 0;
    means.exact += got.upper_bound.exact! / trials;
    means.upper += got.upper_bound.prediction_powered! / trials;
  }
  return {
    ...world,
    trials,
    prediction_powered: hits.powered / trials,
    rogan_gladen: corrected === 0 ? null : hits.gladen / corrected,
    audited: hits.audited / trials,
    upper_exact: hits.exact / trials,
    upper_prediction_powered: hits.upper / trials,
    mean_exact: means.exact,
    mean_prediction_powered: means.upper,
  };
}

function draw(world: World, rng: Rng) {
  const counts = emptyJudgeCounts("x");
  let labelled = 0;
  for (let i = 0; i < world.decisions; i++) {
    const bad = rng.next() < world.truth;
    const level: Level = rng.next() < (bad ? world.sensitivity : 1 - world.specificity) ? 3 : 1;
    const audited = auditedIndex(level, false);
    // By level: what the auditor calls indefensible is labelled five times as often.
    const share = (world.labels / world.decisions) * (world.design === "by_level" ? (level === 3 ? 5 : 0.7) : 1);
    const take = world.design === "by_level" ? rng.next() < share : labelled < world.labels;
    if (take) {
      labelled++;
      counts.labelled[judgeIndex(audited, humanIndex(bad ? 3 : 1, false))]! += 1;
    } else counts.rest[audited]! += 1;
  }
  return counts;
}

const WORLDS: World[] = [
  { truth: 0.04, sensitivity: 0.8, specificity: 0.99, labels: 60, decisions: 600 },
  { truth: 0.08, sensitivity: 0.8, specificity: 0.95, labels: 150, decisions: 1500 },
  { truth: 0.08, sensitivity: 0.8, specificity: 0.95, labels: 600, decisions: 3000 },
  { truth: 0.3, sensitivity: 0.7, specificity: 0.8, labels: 200, decisions: 2000 },
  { truth: 0.08, sensitivity: 0.8, specificity: 0.95, labels: 300, decisions: 2000, design: "by_level" },
];

function recordWorld(row: JudgeCoverage, seed: number): void {
  const chosen = row.design === "by_level" ? "level 3 labelled more often" : "labelled at random";
  const world = {
    setting: `rate ${row.truth}, Se ${row.sensitivity}, Sp ${row.specificity}; ${row.labels} of ${row.decisions} decisions, ${chosen}`,
    draws: row.trials,
    seed,
  };
  record({
    ...world,
    topic: "True rate from labels: upper bound",
    method: "exact",
    measure: "coverage of the exact bound",
    promise: atLeast(0.95),
    observed: row.upper_exact,
    beside: {
      "its mean": row.mean_exact,
      "prediction-powered bound: coverage": row.upper_prediction_powered,
      "mean of that": row.mean_prediction_powered,
    },
  });
  record({
    ...world,
    topic: "True rate from labels: intervals",
    method: "prediction-powered",
    measure: "coverage of the prediction-powered interval",
    promise: about(0.95, 0.92),
    observed: row.prediction_powered,
    beside: {
      ...(row.rogan_gladen !== null && { "Rogan–Gladen": row.rogan_gladen }),
      "the audited rate's own": row.audited,
    },
  });
}

describe("what labels say of the true rate", () => {
  it("is covered as promised", () => {
    const rows = WORLDS.map((world, i) => judgeCoverage(world, 4000, 100 + i));
    for (const [i, row] of rows.entries()) {
      recordWorld(row, 100 + i);
      // 4,000 trials: three standard errors of 0.95 are 0.010.
      expect(row.upper_exact).toBeGreaterThan(0.94);
      expect(row.prediction_powered).toBeGreaterThan(0.92);
      if (row.design === undefined) expect(row.rogan_gladen).toBeGreaterThan(0.92);
    }
    expect(rows[0]!.upper_prediction_powered).toBeGreaterThan(0.95);
  });
});
