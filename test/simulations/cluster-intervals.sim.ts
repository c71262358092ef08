import { describe, expect, it } from "vitest";
import type { SimulatedCohort } from "../../src/core/results/simulation.js";
import {
  clusterBootstrap,
  clusteredProportion,
  clusterJackknife,
  createRng,
  drawBinomial,
  type FastUniform,
  fastUniform,
  MANY_CLUSTERS,
  pooledProportion,
  quantile,
  type Rng,
  wilsonInterval,
} from "../../src/entry/stats.js";
import { processRates, resized } from "../../src/experiments/validate/simulate-worlds.js";
import { expectedRates } from "../../src/simulation/world/level-shares.js";
import { planCommunities } from "../../src/simulation/world/plan-communities.js";
import { presetWorld } from "../../src/simulation/world/presets.js";
import { about, holds } from "./coverage.js";
import { record } from "./record.js";

/** Communities of 10 to 60 rows, each with a rate of its own: 3·mean·U², which gives the mean asked for. */
function drawClusters(groups: number, mean: number, rng: Rng, uniform: FastUniform) {
  return Array.from({ length: groups }, () => {
    const n = 10 + rng.int(51);
    return { k: drawBinomial(n, 3 * mean * rng.next() ** 2, uniform), n };
  });
}

describe("interval of a rate whose rows come in communities", () => {
  const cases = [0.1, 0.03].flatMap((mean) => [5, 12, 30, 200].map((groups) => ({ mean, groups })));

  it.each(cases)("$groups communities, mean rate $mean", ({ mean, groups }) => {
    const seed = `clusters ${groups} ${mean}`;
    const rng = createRng(seed);
    const uniform = fastUniform(rng.fork("counts"));
    const draws = groups > 100 ? 5000 : 20_000;
    let hits = 0;
    let naive = 0;
    let effect = 0;
    let effects = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const clusters = drawClusters(groups, mean, rng, uniform);
      const found = clusteredProportion(clusters)!;
      const k = clusters.reduce((sum, one) => sum + one.k, 0);
      const n = clusters.reduce((sum, one) => sum + one.n, 0);
      if (holds(found, mean)) hits += 1;
      if (holds(wilsonInterval(k, n), mean)) naive += 1;
      if (found.design_effect !== null) {
        effect += found.design_effect;
        effects += 1;
      }
    }
    record({
      topic: "A rate over communities",
      method: groups < MANY_CLUSTERS ? "Korn–Graubard" : "logit, t",
      setting: `${groups} communities, mean rate ${mean}`,
      measure: "coverage",
      promise: about(0.95, 0.93),
      observed: hits / draws,
      beside: { "Wilson, rows as independent": naive / draws, "mean design effect": effect / effects },
      draws,
      seed,
    });
  });
});

/** The worlds of `validate`, communities drawn for themselves, without their texts; the number of decisions is 60 a community. */
function worldOf(communities: number, change: (cohort: SimulatedCohort) => SimulatedCohort = (cohort) => cohort) {
  const settings = resized(presetWorld("small"), { communities, decisions: 60 * communities });
  return { ...settings, cohorts: [change(settings.cohorts[0]!)] };
}

/** Communities of the named states are so many times as large as the others. */
const larger = (times: number, names: readonly string[]) => (cohort: SimulatedCohort) => ({
  ...cohort,
  states: cohort.states.map((state) => ({ ...state, volume: names.includes(state.name) ? times : 1 })),
});

describe("interval of a rate over communities of unequal size", () => {
  const FAILING = ["policy_gaps", "normative_complexity"];
  const kept = about(0.95, 0.93);
  const broken = { kind: "broken", at_least: 0.93 } as const;
  const equal = (cohort: SimulatedCohort): SimulatedCohort => ({ ...cohort, tail: 1e6 });
  const each = (name: string, change?: (cohort: SimulatedCohort) => SimulatedCohort) =>
    [12, 40, 200].map((groups) => ({ groups, name, change, draws: 2000, promise: [kept, kept] }));
  const cases = [
    ...each("sizes by Pareto"),
    ...each("failing ones 4 times as large", larger(4, FAILING)),
    ...each("failing ones a quarter as large", larger(1 / 4, FAILING)),
    {
      groups: 12,
      name: "the worst, one in seven, 4 times as large",
      change: larger(4, FAILING.slice(0, 1)),
      draws: 10_000,
      promise: [broken, kept],
    },
    { groups: 12, name: "equal sizes", change: equal, draws: 10_000, promise: [broken, kept] },
    { groups: 40, name: "equal sizes", change: equal, draws: 2000, promise: [kept, kept] },
  ];

  it.each(cases)("$groups communities, $name", ({ groups, name, change, draws, promise }) => {
    const seed = `uneven ${groups} ${name}`;
    const rng = createRng(seed);
    const settings = worldOf(groups, change);
    const truth = processRates(settings, rng.fork("process"));
    const uniform = fastUniform(rng.fork("counts"));
    const indices = ["defensibility_index", "ambiguity_index"] as const;
    const found = indices.map(() => ({ hits: 0, before: 0, widths: [] as number[] }));
    let effective = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const plans = planCommunities(settings.cohorts[0]!, rng.fork(`world ${draw}`));
      indices.forEach((index, i) => {
        const clusters = plans.map(({ state, open, error, decisions: n }) => {
          const rates = expectedRates({ open, void: Math.min(state.void, 1 - open), error });
          return { k: drawBinomial(n, rates[index], uniform), n };
        });
        const interval = pooledProportion(clusters)!;
        const before = clusteredProportion(clusters)!;
        const own = found[i]!;
        if (holds(interval, truth[index])) own.hits += 1;
        if (holds(before, truth[index])) own.before += 1;
        own.widths.push((interval.upper - interval.lower) / (before.upper - before.lower));
        if (i === 0) effective += interval.effective_clusters! / draws;
      });
    }
    indices.forEach((index, i) => {
      const { hits, before, widths } = found[i]!;
      const width = quantile(Float64Array.from(widths).sort(), 0.5);
      expect(width).toBeLessThanOrEqual(2.5);
      record({
        topic: "A rate over communities of unequal size",
        method: index === "defensibility_index" ? "DI" : "AI",
        setting: `${groups} communities, ${name}`,
        measure: "coverage",
        promise: promise[i]!,
        observed: hits / draws,
        beside: {
          "`clusteredProportion`": before / draws,
          "median width, times that": width,
          "mean effective communities": effective,
        },
        draws,
        seed,
      });
    });
  });
});

describe("jackknife over communities of unequal size", () => {
  it.each([12, 40, 200])("%i communities: F1", (groups) => {
    const seed = `uneven F1 ${groups}`;
    const rng = createRng(seed);
    const uniform = fastUniform(rng.fork("counts"));
    const draws = 2000;
    let hits = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const clusters = drawConfusions(groups, rng, uniform, () => Math.ceil(8 * (1 - rng.next()) ** (-1 / 1.2)));
      const top = clusters.reduce((sum, one) => sum + 2 * one.found, 0);
      const whole = clusters.reduce((sum, one) => sum + 2 * one.found + one.errors, 0);
      const without = clusters.map((one) => {
        const rest = whole - 2 * one.found - one.errors;
        return rest === 0 ? null : (top - 2 * one.found) / rest;
      });
      const sizes = clusters.map((one) => one.found + one.errors);
      const interval = clusterJackknife(top / whole, without, sizes, 0.95, [0, 1]);
      if (interval && holds(interval, 0.75)) hits += 1;
    }
    record({
      topic: "Jackknife of communities: F1",
      method: "jackknife, t",
      setting: `${groups} communities, sizes by Pareto`,
      measure: "coverage",
      promise: about(0.95, 0.93),
      observed: hits / draws,
      draws,
      seed,
    });
  });
});

/** F1 of decisions in communities of different quality; its true value is 2·0.3/(2·0.3 + 0.1 + 0.1) = 0.75. */
function drawConfusions(groups: number, rng: Rng, uniform: FastUniform, size = () => 20 + rng.int(41)) {
  return Array.from({ length: groups }, () => {
    const n = size();
    const found = drawBinomial(n, 0.2 + 0.2 * rng.next(), uniform);
    const errors = drawBinomial(n - found, (0.4 * rng.next()) / 0.7, uniform);
    return { found, errors };
  });
}

describe("bootstrap of communities", () => {
  it.each([12, 30, 100])("%i communities: F1", (groups) => {
    const seed = `bootstrap ${groups}`;
    const rng = createRng(seed);
    const uniform = fastUniform(rng.fork("counts"));
    const draws = 2000;
    const hits = { percentile: 0, bca: 0 };
    for (let draw = 0; draw < draws; draw += 1) {
      const clusters = drawConfusions(groups, rng, uniform);
      const found = Float64Array.from(clusters, (one) => 2 * one.found);
      const errors = Float64Array.from(clusters, (one) => one.errors);
      const f1 = (weights: Float64Array) => {
        let top = 0;
        let rest = 0;
        for (let c = 0; c < groups; c += 1) {
          top += weights[c]! * found[c]!;
          rest += weights[c]! * errors[c]!;
        }
        return top + rest === 0 ? null : top / (top + rest);
      };
      for (const method of ["percentile", "bca"] as const) {
        const interval = clusterBootstrap(groups, f1, { rng: rng.fork(`draw ${draw}`), draws: 1000, method })!;
        if (holds(interval, 0.75)) hits[method] += 1;
      }
    }
    for (const method of ["percentile", "bca"] as const) {
      record({
        topic: "Bootstrap of communities: F1",
        method: method === "bca" ? "BCa" : "percentile",
        setting: `${groups} communities`,
        measure: "coverage",
        promise: groups < MANY_CLUSTERS ? { kind: "broken", at_least: 0.95 } : about(0.95, 0.92),
        observed: hits[method] / draws,
        draws,
        seed,
      });
    }
  });
});
