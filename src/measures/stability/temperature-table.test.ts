import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { analyseCells } from "./analyse-cells.js";
import { groupMeans } from "./group-means.js";
import { plantedCohort } from "./planted.suite.js";
import { levels, makeReplicates } from "./replicates.suite.js";
import { ascendingTemperatures, askRatioSlope, askSlope } from "./slopes.js";
import { CaseBootstrap, classShares, plugInState, unstableShare } from "./tallies.js";
import { temperatureTable } from "./temperature-table.js";

const OPTIONS = { alpha: 0.05, evidence: "labels" } as const;

describe("groupMeans", () => {
  it("averages over cases, not over replicates, and divides the groups", () => {
    const cell = (values: number[]) => values.map((pds) => ({ level: 1, pds }));
    const replicates = makeReplicates([[cell([0, 1])], [cell([0, 0.5, 0, 0.5])], [cell([0.4])]], [1]);
    const analysed = analyseCells(replicates, ["flipper", "stable", "stable"], OPTIONS);
    const bootstrap = new CaseBootstrap();
    const means = groupMeans(analysed, bootstrap, 0, ({ all }) => all.pds.sd);
    bootstrap.run(analysed.groups, { rng: createRng(1), draws: 50 });
    const { all, flippers, stable, ratio } = means.result();
    const [a, b] = [Math.SQRT1_2, Math.sqrt(0.25 / 3)];
    expect(flippers).toMatchObject({ estimate: a, n: 1 });
    expect(stable.estimate).toBeCloseTo(b, 12);
    expect(all).toMatchObject({ n: 2, method: "case bootstrap, percentile" });
    expect(ratio.estimate).toBeCloseTo(a / b, 12);
  });
});

describe("askSlope and askRatioSlope", () => {
  const run = (ratios: (number | null)[], temperatures: number[]) => {
    const bootstrap = new CaseBootstrap();
    const asked = askRatioSlope(
      bootstrap,
      ascendingTemperatures(temperatures),
      ratios.map((ratio) => () => ratio),
    );
    bootstrap.run([null, null, null], { rng: createRng(1), draws: 20 });
    return asked(3, "no ratio");
  };

  it("is the least-squares slope, and calls flat only what excludes a fall to 1", () => {
    // The paper's ratios: slope −0.065 / 0.4875 per unit of temperature.
    expect(run([1.63, 1.64, 1.57, 1.52], [0.1, 0.3, 0.7, 1]).estimate.estimate).toBeCloseTo(-0.065 / 0.4875, 10);
    expect(run([1.6, 1.6], [0, 1])).toMatchObject({
      reading: "flat",
      above_convergence: { estimate: expect.closeTo(0.6, 10) },
    });
    expect(run([1.6, 1], [0, 1])).toMatchObject({ reading: "falls" });
    expect(run([1.2, 1.6], [0, 1])).toMatchObject({ reading: "rises" });
    // A ratio that is 1 throughout has nowhere to fall to.
    expect(run([1, 1], [0, 1])).toMatchObject({ reading: "undecided" });
    expect(run([1, null], [0, 1])).toMatchObject({ reading: "undefined", estimate: { reason: "no ratio" } });
    expect(run([1.5], [0.2])).toMatchObject({
      reading: "undefined",
      estimate: { reason: "one temperature has no slope" },
    });
  });

  it("has no slope over temperatures that are unknown or equal", () => {
    expect(ascendingTemperatures([0.1, null])).toBeNull();
    expect(ascendingTemperatures([0.1, 0.1])).toBeNull();
    const bootstrap = new CaseBootstrap();
    const asked = askSlope(bootstrap, null, []);
    bootstrap.run([null, null], { rng: createRng(1), draws: 5 });
    expect(asked(2)).toMatchObject({ estimate: { estimate: null }, p_value: null });
  });
});

describe("unstableShare", () => {
  it("counts cases with enough replicates between 10 and 90% of level 3", () => {
    const replicates = makeReplicates(
      [[levels(20, 0, 20)], [levels(40, 0, 0)], [levels(1, 0, 1)], [levels(36, 0, 4)]],
      [1],
    );
    const { cells } = analyseCells(replicates, [null, null, null, null], OPTIONS);
    expect(unstableShare(cells)).toMatchObject({ estimate: 1 / 3, k: 1, n: 3 });
    expect(unstableShare(cells.slice(2, 3))).toEqual({ estimate: null, reason: "no such case has 30 verdicts", n: 0 });
  });

  it("and shares of classes are of the cases with 30 verdicts, and add up to 1", () => {
    const replicates = makeReplicates([[levels(20, 0, 20)], [levels(40, 0, 0)], [levels(29, 0, 0)]], [1]);
    const { cells } = analyseCells(replicates, [null, null, null], OPTIONS);
    expect(classShares(cells)).toMatchObject({
      rock_solid: { k: 1, n: 2 },
      mostly_stable: { k: 0, n: 2 },
      moderate: { k: 0, n: 2 },
      highly_unstable: { k: 1, n: 2 },
    });
    expect(classShares(cells.slice(2)).rock_solid).toMatchObject({ estimate: null, n: 0 });
  });
});

describe("temperatureTable", () => {
  const cohort = plantedCohort({ cases: 40, replicates: 40, temperatures: [0.1, 1], seed: 6 });
  const table = (groups = cohort.groups) =>
    temperatureTable(analyseCells(cohort.replicates, groups, OPTIONS), {
      rng: createRng(1),
      draws: 200,
      stateOf: plugInState,
    });
  const { temperatures, h_citation_split_half, defensibility_slope } = table();

  it("has every row of the paper's table with an interval", () => {
    for (const row of temperatures) {
      for (const estimate of [
        ...Object.values(row.sd_pds),
        ...Object.values(row.sd_p_defensible),
        ...Object.values(row.boundary_flip_rate),
        row.h_citation_rank_correlation,
        row.defensibility_index,
      ]) {
        expect(estimate.estimate).not.toBeNull();
        expect((estimate as { lower: number }).lower).toBeLessThanOrEqual(estimate.estimate!);
      }
    }
    expect(temperatures.map(({ temperature }) => temperature)).toEqual([0.1, 1]);
  });

  it("keeps the order of cases by H[κ] where it was planted, and knows the ceiling", () => {
    expect(temperatures[0]!.h_citation_rank_correlation).toMatchObject({ estimate: 1, method: "by construction" });
    expect(temperatures[1]!.h_citation_rank_correlation.estimate).toBeGreaterThan(0.95);
    expect(h_citation_split_half).toBeGreaterThan(0.95);
  });

  it("compares DI case by case", () => {
    const [cold, hot] = temperatures;
    const change = hot!.defensibility_index_change;
    expect(change.estimate).toBeCloseTo(hot!.defensibility_index.estimate! - cold!.defensibility_index.estimate!, 12);
    // Paired: far narrower than the two indices by themselves.
    const width = (one: typeof change) => (one.estimate === null ? Number.NaN : one.upper - one.lower);
    expect(width(change)).toBeLessThan(0.6 * width(hot!.defensibility_index));
    expect(defensibility_slope.p_value).toBeGreaterThan(0);
  });

  it("says which group is missing, not that there was no pilot", () => {
    const nobody = table(cohort.groups.map(() => "stable" as const));
    for (const estimate of [
      nobody.ratio_slope.pds.estimate,
      nobody.ratio_slope.p_defensible.above_convergence,
      nobody.temperatures[0]!.sd_pds.ratio,
      nobody.temperatures[0]!.sd_pds.flippers,
      nobody.temperatures[0]!.boundary_flip_rate.flippers,
    ]) {
      expect(estimate).toMatchObject({ estimate: null, reason: "there are no Flippers" });
    }
    expect(nobody.temperatures[0]!.boundary_flip_rate.stable.estimate).not.toBeNull();
    const none = table(cohort.groups.map(() => null)).ratio_slope.pds.estimate;
    expect(none).toMatchObject({ reason: "no pilot separated Flippers from Stable" });
  });

  it("is the same for the same seed", () => {
    expect(table()).toEqual(table());
  });
});
