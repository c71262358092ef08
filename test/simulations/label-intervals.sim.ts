import { describe, it } from "vitest";
import {
  createRng,
  drawBinomial,
  type FastUniform,
  fastUniform,
  predictionPoweredMean,
  roganGladen,
} from "../../src/entry/stats.js";
import { about, holds } from "./coverage.js";
import { record } from "./record.js";

interface Judge {
  truth: number;
  sensitivity: number;
  specificity: number;
}

const GOOD: Judge = { truth: 0.08, sensitivity: 0.8, specificity: 0.95 };
const POOR: Judge = { truth: 0.3, sensitivity: 0.7, specificity: 0.8 };

const told = ({ truth, sensitivity, specificity }: Judge) => `rate ${truth}, Se ${sensitivity}, Sp ${specificity}`;

/** Rows by what is true (label) and what the auditor says (prediction). */
function drawCells(n: number, judge: Judge, uniform: FastUniform) {
  const yes = drawBinomial(n, judge.truth, uniform);
  const hits = drawBinomial(yes, judge.sensitivity, uniform);
  const alarms = drawBinomial(n - yes, 1 - judge.specificity, uniform);
  return [
    { label: 1, prediction: 1, count: hits },
    { label: 1, prediction: 0, count: yes - hits },
    { label: 0, prediction: 1, count: alarms },
    { label: 0, prediction: 0, count: n - yes - alarms },
  ];
}

describe("prediction-powered mean", () => {
  const cases = [
    { judge: GOOD, labels: 60, rows: 3000 },
    { judge: GOOD, labels: 200, rows: 3000 },
    { judge: GOOD, labels: 600, rows: 3000 },
    { judge: POOR, labels: 60, rows: 3000 },
    { judge: POOR, labels: 200, rows: 3000 },
    // So few other rows that their own chance counts.
    { judge: { truth: 0.3, sensitivity: 0.9, specificity: 0.9 }, labels: 400, rows: 400 },
  ];

  it.each(cases.flatMap((one) => (["disjoint", "nested"] as const).map((form) => ({ ...one, form }))))(
    "$form, $labels labels, $rows rows, rate $judge.truth",
    ({ judge, labels, rows, form }) => {
      const seed = `labels ${form} ${labels} ${judge.truth}`;
      const uniform = fastUniform(createRng(seed));
      const draws = 20_000;
      let hits = 0;
      let below = 0;
      let trust = 0;
      for (let draw = 0; draw < draws; draw += 1) {
        const cells = drawCells(labels, judge, uniform);
        const [both, , alarms] = cells;
        const others = drawCells(rows, judge, uniform);
        const nested = form === "nested";
        const yes = others[0]!.count + others[2]!.count + (nested ? both!.count + alarms!.count : 0);
        const n = rows + (nested ? labels : 0);
        const predicted = { n, mean: yes / n, variance: (yes * (n - yes)) / (n * (n - 1)) };
        const got = predictionPoweredMean(cells, predicted, { form });
        if (got.estimate === null) throw new Error(got.reason);
        if (holds(got, judge.truth)) hits += 1;
        if (judge.truth <= got.upper_bound) below += 1;
        trust += got.lambda / draws;
      }
      record({
        topic: "A rate from labels and predictions",
        method: `prediction-powered, ${form}`,
        setting: `${told(judge)}; ${labels} labels, ${rows} other rows`,
        measure: "coverage",
        promise: labels * judge.truth < 10 ? { kind: "broken", at_least: 0.95 } : about(0.95, 0.93),
        observed: hits / draws,
        beside: { "upper bound (0.95)": below / draws, "mean λ": trust },
        draws,
        seed,
      });
    },
  );
});

describe("Rogan–Gladen with Lang and Reiczigel's interval", () => {
  it.each([
    { judge: GOOD, rows: 500, positives: 20, negatives: 100 },
    { judge: GOOD, rows: 5000, positives: 60, negatives: 400 },
    { judge: POOR, rows: 500, positives: 50, negatives: 100 },
    { judge: POOR, rows: 5000, positives: 200, negatives: 400 },
    { judge: { truth: 0.02, sensitivity: 0.9, specificity: 0.99 }, rows: 2000, positives: 40, negatives: 200 },
  ])("$rows rows, $positives and $negatives labels, rate $judge.truth", ({ judge, rows, positives, negatives }) => {
    const { truth, sensitivity, specificity } = judge;
    const seed = `rogan ${rows} ${positives} ${truth}`;
    const uniform = fastUniform(createRng(seed));
    const draws = 20_000;
    let hits = 0;
    let defined = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const k = drawBinomial(rows, truth * sensitivity + (1 - truth) * (1 - specificity), uniform);
      const found = { k: drawBinomial(positives, sensitivity, uniform), n: positives };
      const rejected = { k: drawBinomial(negatives, specificity, uniform), n: negatives };
      const got = roganGladen({ k, n: rows }, found, rejected);
      if (got.estimate === null) continue;
      defined += 1;
      if (holds(got, truth)) hits += 1;
    }
    record({
      topic: "A rate corrected by sensitivity and specificity",
      method: "Rogan–Gladen, Lang–Reiczigel",
      setting: `${told(judge)}; ${rows} rows, ${positives} + ${negatives} labels from elsewhere`,
      measure: "coverage",
      promise: about(0.95, 0.94),
      observed: hits / defined,
      beside: { defined: defined / draws },
      draws,
      seed,
    });
  });
});
