import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { spearman } from "../../stats/ranks/spearman.js";
import { analyseCells } from "./analyse-cells.js";
import { groupTests } from "./group-means.js";
import { plantedCohort } from "./planted.suite.js";
import { makeReplicates } from "./replicates.suite.js";
import { stabilityCorrelations } from "./slopes.js";
import { savings, thresholdMix } from "./tallies.js";

const OPTIONS = { alpha: 0.05, evidence: "labels" } as const;
const cohort = plantedCohort({ cases: 40, replicates: 40, temperatures: [0.3, 1], seed: 8 });
const analysed = analyseCells(cohort.replicates, cohort.groups, OPTIONS);

describe("stabilityCorrelations", () => {
  it("does not find what is not there on disjoint replicates; the coupled way does", () => {
    // Pure noise: on the same draws the mean and the spread of a score with two values go together.
    const rng = createRng(4);
    const noise = makeReplicates(
      Array.from({ length: 200 }, () => [
        Array.from({ length: 20 }, () => ({ level: 1 + rng.int(2), pds: rng.next() < 0.1 ? 0.4 : 0.9 })),
      ]),
      [1],
    );
    const none = analyseCells(noise, new Array(200).fill(null), OPTIONS);
    const row = stabilityCorrelations(none, "signals").find(({ x, y }) => x === "pds_mean" && y === "sd_pds")!;
    expect(row.coupled.estimate!).toBeLessThan(-0.9);
    expect(Math.abs(row.disjoint.estimate!)).toBeLessThan(0.2);
  });

  it("takes the signal from even and the stability from odd replicates", () => {
    const { replicates } = cohort;
    const first: number[] = [];
    const spread: number[] = [];
    replicates.decisions.forEach((_, i) => {
      const values = [...replicates.pDefensible.slice(replicates.start[2 * i]!, replicates.start[2 * i + 1]!)];
      const odd = values.filter((_, replicate) => replicate % 2 === 1);
      const mean = odd.reduce((a, b) => a + b, 0) / odd.length;
      first.push(values[0]!);
      spread.push(Math.sqrt(odd.reduce((a, b) => a + (b - mean) ** 2, 0) / (odd.length - 1)));
    });
    const row = stabilityCorrelations(analysed, "signals").find(
      ({ x, y, temperature }) => x === "p_defensible" && y === "sd_p_defensible" && temperature === 0.3,
    )!;
    expect(row.disjoint.estimate).toBeCloseTo(spearman(first, spread).estimate!, 10);
  });

  it("holds spread against shares and the inverse probability, and corrects for the number of signals", () => {
    const rows = stabilityCorrelations(analysed, "spread");
    expect(rows).toHaveLength(2 * 2 * 3);
    const consistency = rows.find(({ x, y }) => x === "dominant_share" && y === "sd_p_defensible")!;
    expect(consistency.disjoint.estimate!).toBeLessThan(-0.4);
    for (const { disjoint, adjusted_p } of rows) {
      if (adjusted_p !== null) expect(adjusted_p).toBeGreaterThanOrEqual(disjoint.p_value!);
    }
  });
});

describe("groupTests", () => {
  it("tests every case value at every temperature, corrected for all of them", () => {
    const tests = groupTests(analysed);
    expect(tests).toHaveLength(2 * 6);
    const spread = tests.find(({ metric, temperature }) => metric === "sd_p_defensible" && temperature === 1)!;
    expect(spread).toMatchObject({ n: { flippers: 20, stable: 20 } });
    expect(spread.effect.estimate).toBeGreaterThan(0.6);
    expect(spread.adjusted_p!).toBeLessThan(0.001);
    expect(spread.median.flippers!).toBeGreaterThan(spread.median.stable!);
    expect(groupTests({ ...analysed, groups: cohort.groups.map(() => null) })).toEqual([]);
  });

  it("stands a group without cases", () => {
    const lone = groupTests({ ...analysed, groups: cohort.groups.map(() => "stable" as const) });
    expect(lone[0]).toMatchObject({ p_value: null, adjusted_p: null, effect: { estimate: null } });
  });
});

describe("thresholdMix", () => {
  it("lets fewer cases through at higher thresholds, and their classes add up", () => {
    const rows = thresholdMix(analysed).filter(({ score, temperature }) => score === "pds" && temperature === 0.3);
    expect(rows).toHaveLength(21);
    expect([rows[0]!.threshold, rows.at(-1)!.threshold]).toEqual([0.5, 1]);
    rows.forEach(({ coverage, mix, cases }, i) => {
      if (i > 0) expect(coverage).toBeLessThanOrEqual(rows[i - 1]!.coverage);
      if (cases > 0) expect(Object.values(mix!).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
      else expect(mix).toBeNull();
    });
  });
});

describe("savings", () => {
  it("counts what was asked for, what settled, and what would have been enough", () => {
    const got = savings(analysed.cells, { stop: "boundary", cap: 30, fixed: true });
    expect(got).toMatchObject({ cells: 80, replicates: 3200, saved_against_cap: null });
    expect(got.at_best.replicates).toBeLessThanOrEqual(80 * 30);
    expect(got.at_best.settled).toBeLessThanOrEqual(got.settled);
    expect(got.saved_against_paper).toBeCloseTo(1 - 3200 / 80_000, 12);
    expect(savings([], { stop: "class", cap: 30, fixed: false })).toMatchObject({ settled_share: null });
  });
});
