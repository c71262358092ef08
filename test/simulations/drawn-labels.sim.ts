import { describe, it } from "vitest";
import { createRng, drawnProportion, predictionPoweredMean, stratifiedJackknife } from "../../src/entry/stats.js";
import { type DrawnLabels, drawnStrata } from "../../src/stats/intervals/drawn-proportion.js";
import { stratifiedProportion } from "../../src/stats/intervals/stratified-proportion.js";
import type { Rng } from "../../src/stats/random/create-rng.js";
import { weightedSpearman } from "../../src/stats/ranks/spearman.js";
import { about, drawNormal, holds } from "./coverage.js";
import { record } from "./record.js";

const VERDICTS = 3000;
const WORLDS = 1000;

interface Judge {
  rate: number;
  sensitivity: number;
  specificity: number;
}

/** How much more often than another a decision is drawn: by the verdict, by a part of the population where more (or less) is wrong, or each by its own chance. */
const DRAWS = {
  "level 3 eight times as often": (_: boolean, predicted: boolean) => (predicted ? 8 : 1),
  "the worse part five times as often": (worse: boolean) => (worse ? 5 : 1),
  "the worse part five times less often": (worse: boolean) => (worse ? 1 : 5),
  "a chance of its own each": (_: boolean, __: boolean, rng: Rng) => Math.exp(0.8 * drawNormal(rng)),
} as const;

interface World {
  labels: DrawnLabels[];
  truth: number;
  predicted: number;
}

function drawWorld({ rate, sensitivity, specificity }: Judge, draw: keyof typeof DRAWS, size: number, rng: Rng): World {
  const rows = Array.from({ length: VERDICTS }, () => {
    const worse = rng.next() < 0.3;
    const yes = rng.next() < (worse ? 2 * rate : rate) / 1.3;
    const predicted = rng.next() < (yes ? sensitivity : 1 - specificity);
    return { yes, predicted, often: DRAWS[draw](worse, predicted, rng) };
  });
  const all = rows.reduce((sum, { often }) => sum + often, 0);
  const share = (of: (row: (typeof rows)[number]) => boolean) => rows.filter(of).length / VERDICTS;
  const labels = rows.flatMap(({ yes, predicted, often }) => {
    const inclusion = Math.min(1, (size * often) / all);
    return rng.next() < inclusion ? [{ cell: "", inclusion, yes, predicted, count: 1 }] : [];
  });
  return { labels, truth: share(({ yes }) => yes), predicted: share(({ predicted }) => predicted) };
}

/** The estimate from before: labels of one chance are a stratum whose size is taken for known. */
function byChance(labels: readonly DrawnLabels[]) {
  const cells = new Map<number, { k: number; n: number; size: number }>();
  for (const { inclusion, yes } of labels) {
    const cell = cells.get(inclusion) ?? { k: 0, n: 0, size: 0 };
    cells.set(inclusion, { k: cell.k + Number(yes), n: cell.n + 1, size: cell.size + 1 / inclusion });
  }
  return stratifiedProportion([...cells.values()].map((one) => ({ ...one, size: Math.max(one.n, one.size) })));
}

function plain({ labels, predicted }: World) {
  const rows = labels.map(({ yes, predicted: says, inclusion }) => {
    return { label: Number(yes), prediction: Number(says), count: 1, weight: 1 / inclusion };
  });
  const of = { n: VERDICTS, mean: predicted, variance: predicted * (1 - predicted) };
  return predictionPoweredMean(rows, of, { form: "nested" });
}

describe("labels with chances of their own", () => {
  const judges: Judge[] = [
    { rate: 0.03, sensitivity: 0.7, specificity: 0.98 },
    { rate: 0.08, sensitivity: 0.8, specificity: 0.95 },
    { rate: 0.3, sensitivity: 0.7, specificity: 0.85 },
    { rate: 0.08, sensitivity: 0.5, specificity: 0.7 },
  ];
  const settings = judges.flatMap((judge) =>
    (Object.keys(DRAWS) as (keyof typeof DRAWS)[]).flatMap((draw) => [60, 200].map((size) => ({ judge, draw, size }))),
  );

  it.each(settings)("$size labels, rate $judge.rate, $draw", ({ judge, draw, size }) => {
    const seed = `drawn labels ${judge.rate} ${judge.sensitivity} ${draw} ${size}`;
    const rng = createRng(seed);
    const methods = ["weighted", "powered", "by chance", "Wald"] as const;
    const sums = Object.fromEntries(methods.map((name) => [name, { hits: 0, width: 0, square: 0 }]));
    let worlds = 0;
    for (let i = 0; i < WORLDS; i += 1) {
      const world = drawWorld(judge, draw, size, rng);
      const { labels, truth, predicted } = world;
      if (labels.length < 2) continue;
      worlds += 1;
      const got = {
        weighted: drawnProportion(labels),
        powered: drawnProportion(labels, { predicted: { n: VERDICTS, mean: predicted } }),
        "by chance": byChance(labels),
        Wald: plain(world),
      };
      for (const name of methods) {
        const one = got[name];
        if (one.estimate === null) throw new Error(one.reason);
        const sum = sums[name]!;
        if (holds(one, truth)) sum.hits += 1;
        sum.width += one.upper - one.lower;
        sum.square += (one.estimate - truth) ** 2;
      }
    }
    const of = (name: (typeof methods)[number]) => {
      const { hits, width, square } = sums[name]!;
      return { hits: hits / worlds, width: width / worlds, error: Math.sqrt(square / worlds) };
    };
    const [weighted, powered, before, wald] = methods.map(of);
    const common = {
      topic: "Labels with chances of their own",
      setting: `rate ${judge.rate}, Se ${judge.sensitivity}, Sp ${judge.specificity}; about ${size} of 3,000, ${draw}`,
      measure: "run's true rate in the interval",
      draws: worlds,
      seed,
    };
    record({
      ...common,
      method: "weighted Wilson",
      promise: about(0.95, 0.9),
      observed: weighted!.hits,
      beside: {
        width: weighted!.width,
        "root mean square error": weighted!.error,
        "strata by chance, sizes taken for known": before!.hits,
        "width of that": before!.width,
      },
    });
    record({
      ...common,
      method: "prediction-powered, weighted",
      promise: about(0.95, 0.9),
      observed: powered!.hits,
      beside: {
        width: powered!.width,
        "root mean square error": powered!.error,
        "PPI++ with a normal interval": wald!.hits,
        "width of that": wald!.width,
      },
    });
  });

  it.each([60, 200])("rank correlation, %i cases", (size) => {
    const seed = `drawn correlation ${size}`;
    const rng = createRng(seed);
    const worlds = 500;
    const hits = { own: 0, same: 0 };
    for (let i = 0; i < worlds; i += 1) {
      const rows = Array.from({ length: VERDICTS }, () => {
        const signal = drawNormal(rng);
        return { signal, rating: 0.5 * signal + drawNormal(rng), often: Math.exp(1.2 * Math.abs(signal)) };
      });
      const all = rows.reduce((sum, { often }) => sum + often, 0);
      const rho = (of: typeof rows) =>
        weightedSpearman(
          of.map(({ signal }) => signal),
          of.map(({ rating }) => rating),
        );
      const truth = rho(rows)(new Float64Array(VERDICTS).fill(1))!;
      const cases = rows
        .map((row) => ({ ...row, cell: "", inclusion: Math.min(1, (size * row.often) / all) }))
        .filter(({ inclusion }) => rng.next() < inclusion);
      const strata = drawnStrata(cases);
      const got = stratifiedJackknife(strata.stratum, strata.sizes, rho(cases), { bounds: [-1, 1] });
      const same = stratifiedJackknife(new Int8Array(cases.length), [VERDICTS], rho(cases), { bounds: [-1, 1] });
      if (got.estimate !== null && holds(got, truth)) hits.own += 1;
      if (same.estimate !== null && holds(same, truth)) hits.same += 1;
    }
    record({
      topic: "Labels with chances of their own",
      method: "weighted, jackknife",
      setting: `Spearman's ρ; about ${size} of 3,000, extreme signals more often`,
      measure: "run's true ρ in the interval",
      promise: about(0.95, 0.9),
      observed: hits.own / worlds,
      beside: { "each case counting the same": hits.same / worlds },
      draws: worlds,
      seed,
    });
  });
});
