import { describe, it } from "vitest";
import {
  clusterBootstrap,
  clusteredProportion,
  createRng,
  drawBinomial,
  type FastUniform,
  fastUniform,
  MANY_CLUSTERS,
  type Rng,
  wilsonInterval,
} from "../../src/stats/index.js";
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

/** F1 of decisions in communities of different quality; its true value is 2·0.3/(2·0.3 + 0.1 + 0.1) = 0.75. */
function drawConfusions(groups: number, rng: Rng, uniform: FastUniform) {
  return Array.from({ length: groups }, () => {
    const n = 20 + rng.int(41);
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
