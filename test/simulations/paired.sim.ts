import { describe, expect, it } from "vitest";
import { auditedIndex } from "../../src/measures/metrics/judge/counts.js";
import { compareRuns } from "../../src/measures/metrics/paired/compare-runs.js";
import { emptyPairs, pairIndex } from "../../src/measures/metrics/paired/paired-change.js";
import { tangoInterval } from "../../src/stats/intervals/two-proportions.js";
import { createRng } from "../../src/stats/random/create-rng.js";
import { clusterBootstrap } from "../../src/stats/resampling/cluster-bootstrap.js";
import { about } from "./coverage.js";
import { record } from "./record.js";

const GOOD = auditedIndex(1, false);
const BAD = auditedIndex(3, false);

/** Share of Tango's 95% intervals that hold the true difference of paired rates. */
function tangoCoverage(n: number, onlyA: number, onlyB: number, trials: number, seed: number): number {
  const rng = createRng(seed);
  let hits = 0;
  for (let trial = 0; trial < trials; trial++) {
    let a = 0;
    let b = 0;
    for (let i = 0; i < n; i++) {
      const u = rng.next();
      if (u < onlyA) a++;
      else if (u < onlyA + onlyB) b++;
    }
    const { lower, upper } = tangoInterval(b, a, n);
    if (lower <= onlyB - onlyA && upper >= onlyB - onlyA) hits++;
  }
  return hits / trials;
}

/** Coverage of the three intervals of a difference when communities differ in how much they change. */
function clusteredCoverage(communities: number, trials: number, seed: number, draws = 1000) {
  const rng = createRng(seed);
  const hits = { tango: 0, t: 0, bootstrap: 0 };
  const truth = 0.05;
  for (let trial = 0; trial < trials; trial++) {
    const pairs = Array.from({ length: communities }, (_, c) => {
      const one = emptyPairs(String(c));
      // Each community changes by an amount of its own, 0 to 0.10.
      const better = 0.05 + 0.1 * rng.next();
      const n = 20 + rng.int(60);
      for (let i = 0; i < n; i++) {
        const u = rng.next();
        const cell =
          u < better ? pairIndex(BAD, GOOD) : u < better + 0.05 ? pairIndex(GOOD, BAD) : pairIndex(GOOD, GOOD);
        one.cells[cell]! += 1;
      }
      return one;
    });
    const { difference, bootstrap } = compareRuns(pairs, { rng, draws }).defensibility_index;
    if (difference.estimate === null || !bootstrap) throw new Error("undefined");
    const holds = (interval: { lower: number; upper: number }) =>
      interval.lower <= truth && interval.upper >= truth ? 1 : 0;
    hits.tango += holds(difference);
    hits.t += holds(difference.cluster!);
    hits.bootstrap += holds(bootstrap);
  }
  return { communities, tango: hits.tango / trials, t: hits.t / trials, bootstrap: hits.bootstrap / trials };
}

/** Coverage of the bootstrap of a skewed statistic: the ratio of two sums over communities. */
function bootstrapCoverage(clusters: number, method: "percentile" | "bca", trials: number, seed: number): number {
  const rng = createRng(seed);
  let hits = 0;
  for (let trial = 0; trial < trials; trial++) {
    const size = Float64Array.from({ length: clusters }, () => -Math.log(1 - rng.next()));
    const part = size.map((value) => value * (0.2 + 0.2 * rng.next()));
    const got = clusterBootstrap(
      clusters,
      (weights) => {
        let top = 0;
        let bottom = 0;
        for (let c = 0; c < clusters; c++) {
          top += weights[c]! * part[c]!;
          bottom += weights[c]! * size[c]!;
        }
        return bottom === 0 ? null : top / bottom;
      },
      { rng: rng.fork(String(trial)), draws: 1000, method },
    )!;
    if (got.lower <= 0.3 && got.upper >= 0.3) hits++;
  }
  return hits / trials;
}

function recordPaired({ communities, tango, t, bootstrap }: ReturnType<typeof clusteredCoverage>): void {
  const row = {
    topic: "A paired difference over communities",
    setting: `${communities} communities`,
    measure: "coverage",
    draws: 1500,
    seed: 60 + communities,
  };
  const broken = { kind: "broken", at_least: 0.95 } as const;
  record({ ...row, method: "Tango, decisions as independent", promise: broken, observed: tango });
  record({ ...row, method: "t over communities", promise: about(0.95, 0.93), observed: t });
  const near = communities >= 40 ? about(0.95, 0.92) : broken;
  record({ ...row, method: "bootstrap of communities, 500 draws", promise: near, observed: bootstrap });
}

describe("paired intervals", () => {
  it("Tango's covers paired differences, with few rows too", () => {
    const rows = [
      { n: 20, onlyA: 0.1, onlyB: 0.2 },
      { n: 50, onlyA: 0.02, onlyB: 0.06 },
      { n: 200, onlyA: 0.05, onlyB: 0.05 },
    ].map((row, i) => ({ ...row, coverage: tangoCoverage(row.n, row.onlyA, row.onlyB, 20_000, 40 + i) }));
    for (const [i, { n, onlyA, onlyB, coverage }] of rows.entries()) {
      record({
        topic: "A paired difference",
        method: "Tango",
        setting: `${n} pairs, ${onlyA} changed one way and ${onlyB} the other`,
        measure: "coverage",
        promise: about(0.95, 0.94),
        observed: coverage,
        draws: 20_000,
        seed: 40 + i,
      });
      expect(coverage).toBeGreaterThan(0.94);
    }
  });

  it("communities that change by different amounts need an interval over communities", () => {
    const rows = [10, 40].map((communities) => clusteredCoverage(communities, 1500, 60 + communities));
    for (const row of rows) {
      recordPaired(row);
      expect(row.t).toBeGreaterThan(0.925);
      // The bootstrap of few communities is too narrow, which is why reports judge by the t interval.
      expect(row.bootstrap).toBeGreaterThan(0.87);
      expect(row.bootstrap).toBeLessThan(row.t);
    }
  });

  it("the bootstrap of a ratio comes near its level with many clusters", () => {
    const rows = (["percentile", "bca"] as const).flatMap((method) =>
      [15, 60].map((clusters) => ({ method, clusters, coverage: bootstrapCoverage(clusters, method, 1500, 80) })),
    );
    for (const { method, clusters, coverage } of rows) {
      record({
        topic: "Bootstrap of communities: a ratio",
        method: method === "bca" ? "BCa" : "percentile",
        setting: `${clusters} communities of very different size`,
        measure: "coverage",
        promise: clusters === 60 ? about(0.95, 0.92) : { kind: "broken", at_least: 0.95 },
        observed: coverage,
        draws: 1500,
        seed: 80,
      });
    }
    for (const row of rows) expect(row.coverage).toBeGreaterThan(row.clusters === 60 ? 0.92 : 0.85);
  });
});
