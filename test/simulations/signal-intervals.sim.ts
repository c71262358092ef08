import { describe, it } from "vitest";
import {
  clusteredAuroc,
  clusteredSpearman,
  createRng,
  normalCdf,
  type Rng,
  ratioOfMeans,
} from "../../src/stats/index.js";
import { about, drawNormal, holds } from "./coverage.js";
import { record } from "./record.js";

const ROWS = 20;
const GROUPS = [12, 30, 100];
/** Share of a row's variance that its community has in common. */
const SHARED = 0.2;

const page = "experiments";

/** Rows of communities: two columns with correlation r, between communities as within them. */
function drawPairs(groups: number, r: number, rng: Rng) {
  const n = groups * ROWS;
  const [x, y, cluster] = [new Float64Array(n), new Float64Array(n), new Int32Array(n)];
  const pair = (): [number, number] => {
    const a = drawNormal(rng);
    return [a, r * a + Math.sqrt(1 - r * r) * drawNormal(rng)];
  };
  for (let c = 0; c < groups; c += 1) {
    const [u, v] = pair();
    for (let i = c * ROWS; i < (c + 1) * ROWS; i += 1) {
      const [a, b] = pair();
      x[i] = Math.sqrt(SHARED) * u + Math.sqrt(1 - SHARED) * a;
      y[i] = Math.sqrt(SHARED) * v + Math.sqrt(1 - SHARED) * b;
      cluster[i] = c;
    }
  }
  return { x, y, cluster };
}

describe("intervals of rank statistics over communities", () => {
  it.each(GROUPS)("Spearman, %i communities", (groups) => {
    const [r, draws, seed] = [0.5, 2000, `spearman ${groups}`];
    const rng = createRng(seed);
    const truth = (6 / Math.PI) * Math.asin(r / 2);
    let [hits, naive] = [0, 0];
    for (let draw = 0; draw < draws; draw += 1) {
      const { x, y, cluster } = drawPairs(groups, r, rng);
      const found = clusteredSpearman(x, y, cluster, groups);
      if (found.estimate === null) continue;
      if (holds(found, truth)) naive += 1;
      if (found.cluster && holds(found.cluster, truth)) hits += 1;
    }
    record({
      page,
      topic: "Rank statistics over communities",
      method: "Spearman, linearised",
      setting: `${groups} communities of ${ROWS}, ρ = ${truth.toFixed(2)}`,
      measure: "coverage",
      promise: about(0.95, 0.91),
      observed: hits / draws,
      beside: { "rows as independent": naive / draws },
      draws,
      seed,
    });
  });

  it.each(GROUPS)("AUROC, %i communities", (groups) => {
    const [draws, seed, shift] = [2000, `auroc ${groups}`, 1];
    const rng = createRng(seed);
    const truth = normalCdf(shift / Math.SQRT2);
    let [hits, naive] = [0, 0];
    for (let draw = 0; draw < draws; draw += 1) {
      const { x, y, cluster } = drawPairs(groups, 0, rng);
      // A fifth is positive, more in some communities than in others.
      const positive = Array.from(y, (value) => (value > 0.84 ? 1 : 0));
      const score = x.map((value, i) => value + shift * positive[i]!);
      const found = clusteredAuroc(score, positive, cluster, groups);
      if (found.estimate === null) continue;
      if (holds(found, truth)) naive += 1;
      if (found.cluster && holds(found.cluster, truth)) hits += 1;
    }
    record({
      page,
      topic: "Rank statistics over communities",
      method: "AUROC, linearised",
      setting: `${groups} communities of ${ROWS}, AUROC ${truth.toFixed(2)}`,
      measure: "coverage",
      promise: about(0.95, 0.91),
      observed: hits / draws,
      beside: { "rows as independent": naive / draws },
      draws,
      seed,
    });
  });

  it.each(GROUPS)("ratio of means, %i communities", (groups) => {
    const [draws, seed, truth] = [2000, `ratio ${groups}`, 1.5];
    const rng = createRng(seed);
    let [hits, naive] = [0, 0];
    for (let draw = 0; draw < draws; draw += 1) {
      const { x, y, cluster } = drawPairs(groups, 0, rng);
      const first = Array.from(y, (value) => (value > 0.5 ? 1 : 0));
      const values = x.map((value, i) => Math.exp(0.5 * value) * (first[i] === 1 ? truth : 1));
      const found = ratioOfMeans(values, first, cluster, groups);
      if (found.estimate === null) continue;
      if (holds(found, truth)) naive += 1;
      if (found.cluster && holds(found.cluster, truth)) hits += 1;
    }
    record({
      page,
      topic: "Rank statistics over communities",
      method: "ratio of means, linearised",
      setting: `${groups} communities of ${ROWS}, ratio ${truth}`,
      measure: "coverage",
      promise: about(0.95, 0.91),
      observed: hits / draws,
      beside: { "rows as independent": naive / draws },
      draws,
      seed,
    });
  });
});
