import { describe, it } from "vitest";
import type { Estimate } from "../../src/core/estimate.js";
import {
  clusteredAuroc,
  clusteredSpearman,
  createRng,
  normalCdf,
  type Rng,
  ratioOfMeans,
} from "../../src/entry/stats.js";
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

/** A statistic with intervals over rows and over communities, in one draw of communities. */
type Measure = (groups: number, rng: Rng) => Estimate;

/** How often either interval holds the truth. */
function recordCoverage(
  method: string,
  groups: number,
  truth: { value: number; words: string },
  measure: Measure,
): void {
  const [draws, seed] = [2000, `${method} ${groups}`];
  const rng = createRng(seed);
  let [hits, naive] = [0, 0];
  for (let draw = 0; draw < draws; draw += 1) {
    const found = measure(groups, rng);
    if (found.estimate === null) continue;
    if (holds(found, truth.value)) naive += 1;
    if (found.cluster && holds(found.cluster, truth.value)) hits += 1;
  }
  record({
    page,
    topic: "Rank statistics over communities",
    method: `${NAMES[method]}, linearised`,
    setting: `${groups} communities of ${ROWS}, ${truth.words}`,
    measure: "coverage",
    promise: about(0.95, 0.91),
    observed: hits / draws,
    beside: { "rows as independent": naive / draws },
    draws,
    seed,
  });
}

/** As the page has them, by the word that their seeds begin with. */
const NAMES: Record<string, string> = { spearman: "Spearman", auroc: "AUROC", ratio: "ratio of means" };

describe("intervals of rank statistics over communities", () => {
  it.each(GROUPS)("Spearman, %i communities", (groups) => {
    const r = 0.5;
    const value = (6 / Math.PI) * Math.asin(r / 2);
    recordCoverage("spearman", groups, { value, words: `ρ = ${value.toFixed(2)}` }, (count, rng) => {
      const { x, y, cluster } = drawPairs(count, r, rng);
      return clusteredSpearman(x, y, cluster, count);
    });
  });

  it.each(GROUPS)("AUROC, %i communities", (groups) => {
    const shift = 1;
    const value = normalCdf(shift / Math.SQRT2);
    recordCoverage("auroc", groups, { value, words: `AUROC ${value.toFixed(2)}` }, (count, rng) => {
      const { x, y, cluster } = drawPairs(count, 0, rng);
      // A fifth is positive, more in some communities than in others.
      const positive = Array.from(y, (score) => (score > 0.84 ? 1 : 0));
      const score = x.map((one, i) => one + shift * positive[i]!);
      return clusteredAuroc(score, positive, cluster, count);
    });
  });

  it.each(GROUPS)("ratio of means, %i communities", (groups) => {
    const value = 1.5;
    recordCoverage("ratio", groups, { value, words: `ratio ${value}` }, (count, rng) => {
      const { x, y, cluster } = drawPairs(count, 0, rng);
      const first = Array.from(y, (one) => (one > 0.5 ? 1 : 0));
      const values = x.map((one, i) => Math.exp(0.5 * one) * (first[i] === 1 ? value : 1));
      return ratioOfMeans(values, first, cluster, count);
    });
  });
});
